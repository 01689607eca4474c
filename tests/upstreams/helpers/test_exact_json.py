"""Numbers as written, whatever their form."""

from __future__ import annotations

import pytest

from wellsourced.errors import UpstreamChanged
from wellsourced.http_exchange import Reply
from wellsourced.upstreams.helpers.exact_json import as_whole_number, as_written, parse_exact_json


@pytest.mark.parametrize(
    "text", ["1.10", "-0", "1e3", "2817414584665.110", "12345678901234567890", "0.1234567890123456789"]
)
def test_digits_survive(text: str) -> None:
    assert as_written(parse_exact_json(Reply(200, {}, b'\xef\xbb\xbf{"v": %s}' % text.encode()))["v"]) == text


def test_what_is_no_number() -> None:
    values = parse_exact_json(Reply(200, {}, b'[NaN, null, true, "1", 7, %s]' % (b"9" * 5000)))
    assert [as_written(value) for value in values] == [None, None, None, None, "7", None]
    assert [as_whole_number(value) for value in values] == [None, None, None, None, 7, None]
    for body in (b"", b"<html>", b"[" * 100_000):
        with pytest.raises(UpstreamChanged):
            parse_exact_json(Reply(200, {}, body))
