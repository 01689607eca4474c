"""Parses `Retry-After` and the rate-limit headers of replies.

Seen in the wild: Brave's comma lists, one entry a window (`X-RateLimit-Limit: 1, 15000`, `-Policy: 1;w=1,
15000;w=2592000`, `-Remaining`, `-Reset` in seconds), where a limit of 0 means uncapped; OpenAlex and Exa with a
single window, reset in seconds or as unix time; the `RateLimit-*` spelling without X; Crossref's pace
(`x-rate-limit-limit: 5`, `x-rate-limit-interval: 1s`); `Retry-After` in seconds or as a date.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

from wellsourced.http_exchange import Reply
from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern
from wellsourced.upstream import Pace

NUMBER = late_pattern(r"[0-9]{1,15}(?:\.[0-9]{1,9})?")
INTERVAL = late_pattern(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)\s*(ms|s|m|h)?")
POLICY_LENGTH = late_pattern(r";\s*w=([0-9]{1,9})")
UNIT_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
PREFIXES = ("x-ratelimit", "ratelimit")
NAMES = frozenset({"x-rate-limit-limit", *(f"{p}-{name}" for p in PREFIXES for name in ("limit", "remaining"))})
"""One of these stands in a reply that says anything of a pace."""
RETRY_NAMES = ("retry-after", "x-rate-limit-retry-after-seconds")
WINDOWS_READ = 8
SHORT_WINDOW = 10.0
LONGEST_WAIT = 31 * 86_400.0
UNIX_TIME_FROM = 1e9  # as a number of seconds to wait this would be thirty years
MILLISECONDS_FROM = 1e12


@dataclass(frozen=True, slots=True)
class QuotaWindow:
    """One quota: so many requests in `length` seconds, of which `remaining` are left until it starts anew."""

    limit: int | None
    remaining: int | None
    resets_in: float | None
    length: float | None

    @property
    def wait(self) -> float:
        """Seconds until a request is possible again, 0 when one is possible now or nothing is known."""
        if self.remaining != 0 or self.limit == 0:
            return 0.0
        return self.resets_in if self.resets_in is not None else self.length or 0.0

    @property
    def pace(self) -> Pace | None:
        """The window as a pace to keep, when it is short enough to be one."""
        if not self.limit or not self.length or self.length > SHORT_WINDOW:
            return None
        return Pace(self.limit, self.length)


def parse_quota_windows(headers: Mapping[str, str], unix_now: float) -> list[QuotaWindow]:
    """The quotas in `X-RateLimit-*` or `RateLimit-*`, one for each window that the lists name."""
    prefix = next((name for name in PREFIXES if f"{name}-remaining" in headers or f"{name}-limit" in headers), None)
    if prefix is None:
        return []
    limits, remaining, resets = (_numbers(headers, f"{prefix}-{name}") for name in ("limit", "remaining", "reset"))
    lengths = [_window_length(entry) for entry in _list_entries(headers, f"{prefix}-policy")]
    count = max(len(limits), len(remaining), len(resets))
    return [
        QuotaWindow(
            _whole(limits, i), _whole(remaining, i), _seconds_until_reset(_at(resets, i), unix_now), _at(lengths, i)
        )
        for i in range(count)
    ]


def parse_retry_after(headers: Mapping[str, str], unix_now: float) -> float | None:
    """Seconds the server asks to be left alone, from either form of `Retry-After`."""
    text = next((headers[name].strip() for name in RETRY_NAMES if name in headers), "")
    if NUMBER.fullmatch(text):
        return min(float(text), LONGEST_WAIT)
    from email.utils import parsedate_to_datetime  # seldom needed, and a first call would wait for it

    try:
        moment = parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError, OSError):
        return None
    return min(max(0.0, moment - unix_now), LONGEST_WAIT)


def with_retry_seconds(reply: Reply) -> Reply:
    """The reply with a `Retry-After` that is a bounded number of seconds, whichever form it came in, or without one."""
    if "retry-after" not in reply.headers:
        return reply
    wait = parse_retry_after(reply.headers, time.time())
    others = {name: value for name, value in reply.headers.items() if name != "retry-after"}
    return replace(reply, headers=others if wait is None else {**others, "retry-after": f"{wait:.3f}"})


def parse_announced_pace(headers: Mapping[str, str]) -> Pace | None:
    """The pace that Crossref announces in headers of its own."""
    if "x-rate-limit-limit" not in headers:
        return None
    limit = NUMBER.fullmatch(headers["x-rate-limit-limit"].strip())
    interval = INTERVAL.fullmatch(headers.get("x-rate-limit-interval", "").strip().lower())
    if limit is None or interval is None:
        return None
    seconds = float(interval[1]) * UNIT_SECONDS[interval[2] or "s"]
    return QuotaWindow(int(float(limit[0])), None, None, seconds).pace


def _list_entries(headers: Mapping[str, str], name: str) -> list[str]:
    value = headers.get(name, "")
    return [entry.strip() for entry in value.split(",", WINDOWS_READ)[:WINDOWS_READ]] if value else []


def _numbers(headers: Mapping[str, str], name: str) -> list[float | None]:
    return [float(entry) if NUMBER.fullmatch(entry) else None for entry in _list_entries(headers, name)]


def _window_length(policy: str) -> float | None:
    match = POLICY_LENGTH.search(policy)
    return float(match[1]) if match else None


def _at(values: list[float | None], index: int) -> float | None:
    return values[index] if index < len(values) else None


def _whole(values: list[float | None], index: int) -> int | None:
    value = _at(values, index)
    return None if value is None else int(value)


def _seconds_until_reset(reset: float | None, unix_now: float) -> float | None:
    """A reset as seconds from now: upstreams write seconds, unix time, or unix time in milliseconds."""
    if reset is None:
        return None
    if reset >= MILLISECONDS_FROM:
        reset /= 1000
    return min(max(0.0, reset - unix_now if reset >= UNIX_TIME_FROM else reset), LONGEST_WAIT)
