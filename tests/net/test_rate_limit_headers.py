"""Rate headers as providers really send them, and as nobody should."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.net import rate_limit_headers
from wellsourced.net.rate_limit_headers import (
    LONGEST_WAIT,
    parse_announced_pace,
    parse_quota_windows,
    parse_retry_after,
)
from wellsourced.upstream import Pace

NOW = 1_790_000_000.0


def brave(limit: str, remaining: str, reset: str) -> dict[str, str]:
    return {
        "x-ratelimit-limit": limit,
        "x-ratelimit-policy": ", ".join(
            f"{quota.strip()};w={seconds}" for quota, seconds in zip(limit.split(","), (1, 2592000), strict=False)
        ),
        "x-ratelimit-remaining": remaining,
        "x-ratelimit-reset": reset,
    }


@pytest.mark.parametrize(
    ("headers", "waits"),
    [
        (brave("1, 15000", "1, 1000", "1, 1419704"), [0, 0]),
        (brave("1, 15000", "0, 1000", "1, 1419704"), [1, 0]),
        (brave("1, 15000", "0, 0", "1, 1419704"), [1, 1419704]),
        (brave("50, 0", "49, 0", "1, 1419704"), [0, 0]),
        ({"x-ratelimit-limit": "10000", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "10591"}, [10591]),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW) + 42)}, [42]),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW + 42) * 1000)}, [42]),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW) - 5)}, [0]),
        ({"ratelimit-limit": "5", "ratelimit-remaining": "0", "ratelimit-reset": "1"}, [1]),
        ({"x-ratelimit-limit": "3", "x-ratelimit-remaining": "0"}, [0]),
        ({"x-ratelimit-remaining": "none", "x-ratelimit-reset": "soon"}, [0]),
        ({"content-type": "text/html"}, []),
    ],
)
def test_windows_tell_how_long_to_wait(headers: dict[str, str], waits: list[float]) -> None:
    assert [window.wait for window in parse_quota_windows(headers, NOW)] == waits


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("46", 46),
        (" 1.5 ", 1.5),
        ("Mon, 21 Sep 2026 14:14:20 GMT", 60),
        ("Mon, 21 Sep 2020 14:14:20 GMT", 0),
        ("99999999999", LONGEST_WAIT),
        ("-3", None),
        ("²", None),
        ("nan", None),
        ("Mon, 99 Foo 2026", None),
        ("", None),
    ],
)
def test_retry_after_is_read_in_both_forms(value: str, seconds: float | None) -> None:
    assert parse_retry_after({"retry-after": value}, NOW) == (None if seconds is None else pytest.approx(seconds))


def test_a_pace_is_read_from_crossref_and_from_a_short_window() -> None:
    assert parse_announced_pace({"x-rate-limit-limit": "50", "x-rate-limit-interval": "1s"}) == Pace(50, 1)
    assert parse_announced_pace({"x-rate-limit-limit": "5", "x-rate-limit-interval": "500ms"}) == Pace(5, 0.5)
    assert parse_announced_pace({"x-rate-limit-limit": "0", "x-rate-limit-interval": "1s"}) is None
    assert parse_announced_pace({"x-rate-limit-limit": "50"}) is None
    assert [window.pace for window in parse_quota_windows(brave("20, 2000", "1, 1", "1, 9"), NOW)] == [
        Pace(20, 1),
        None,
    ]


@given(
    st.dictionaries(
        st.sampled_from(
            [f"{p}-{n}" for p in rate_limit_headers.PREFIXES for n in ("limit", "policy", "remaining", "reset")]
            + ["retry-after", "x-rate-limit-limit", "x-rate-limit-interval"]
        ),
        st.text(alphabet="0123456789,;w= .-e²日naniftyGMT", max_size=40),
    )
)
def test_no_header_breaks_the_reading(headers: dict[str, str]) -> None:
    for window in parse_quota_windows(headers, NOW):
        assert 0 <= window.wait <= max(LONGEST_WAIT, window.length or 0)
    assert 0 <= (parse_retry_after(headers, NOW) or 0) <= LONGEST_WAIT
    pace = parse_announced_pace(headers)
    assert pace is None or (pace.requests >= 1 and pace.seconds > 0)
