"""JSON whose numbers stay as they were written.

A statistic is quoted digit for digit: `1.10` must not become `1.1`, nor a long decimal the nearest double. So every
number is kept as its text. NaN and Infinity, which some services write for missing values, are read as null.
"""

from __future__ import annotations

import json
from typing import Any

from wellsourced.errors import UpstreamChanged
from wellsourced.http_exchange import Reply

LONGEST = 400  # digits; nothing real has more


class ExactNumber(str):
    """A number as its author spelled it."""

    __slots__ = ()


def parse_exact_json(reply: Reply) -> Any:
    """The body with numbers as `ExactNumber`; a body that is not JSON means the upstream changed."""
    try:
        return json.loads(
            reply.body.removeprefix(b"\xef\xbb\xbf"),
            parse_float=ExactNumber,
            parse_int=ExactNumber,
            parse_constant=lambda _: None,
        )
    except (ValueError, RecursionError) as problem:
        raise UpstreamChanged(f"The answer is not JSON: {reply.summary}", detail=str(problem)) from None


def as_written(value: Any) -> str | None:
    """The text of a number; None for whatever is not one."""
    return str(value) if isinstance(value, ExactNumber) and len(value) <= LONGEST else None


def as_whole_number(value: Any) -> int | None:
    """A count or a position; None for whatever is not one."""
    return int(value) if isinstance(value, ExactNumber) and len(value) <= 18 and value.isdecimal() else None
