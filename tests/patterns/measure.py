"""Prints, as JSON, every pattern of the package whose time grows faster than its text. Run in a fresh process."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections import deque
from itertools import islice, pairwise
from typing import Any

from tests.patterns.collect import UsedPattern, collect_patterns
from tests.patterns.hostile import END, hostile_texts

LENGTH = 1500
# Below this a pattern is fast whatever the growth; above it, growth is looked at.
QUIET_SECONDS = 0.0015
# How many times as long the texts are on which growth is looked at: longer than what any pattern counts up to.
LENGTHENED = (2, 4, 8)
STEEPEST = 3.0
# What the longest text takes; less is not told from chance.
NOTICEABLE_SECONDS = 0.05
LONGEST_SECONDS = 1.0
LONGEST_FIRST_LOOK = 0.05
MOST_TEXTS = 5


class TooLong(Exception):
    pass


def main() -> None:
    used = collect_patterns()
    # Looked at twice: on a busy machine one look can be wrong.
    slow = [finding for each in used if steepest(each) and (finding := steepest(each))]
    json.dump({"patterns": len(used), "slow": slow}, sys.stdout)


def stop(*_: object) -> None:
    raise TooLong


def steepest(used: UsedPattern) -> dict[str, Any] | None:
    """The first text on which doubling it, twice over, takes clearly more than double the time."""
    suspicious = (text for text in hostile_texts(used.pattern, LENGTH) if is_busy(used, text))
    for text in islice(suspicious, MOST_TEXTS):
        times = times_as_it_grows(used, text)
        if times and all(is_steep(earlier, later) for earlier, later in pairwise(times)):
            return {
                "place": used.place,
                "pattern": str(used.pattern.pattern),
                "methods": sorted(used.methods),
                "text": repr(text[:60]),
                "seconds": [round(each, 4) for each in times],
            }
    return None


def times_as_it_grows(used: UsedPattern, text: str) -> list[float]:
    """Nothing for the many whose longest text, or the step to it, shows at once that they are linear."""
    shorter, longer, longest = (text[: -len(END)] * factor + END for factor in LENGTHENED)
    last = seconds(used, longest)
    if last < NOTICEABLE_SECONDS or not is_steep(middle := seconds(used, longer), last):
        return []
    first = seconds(used, shorter)
    if last >= LONGEST_SECONDS or not is_steep(first, middle):
        return [first, middle, last]
    return [first, min(middle, seconds(used, longer)), min(last, seconds(used, longest))]


def is_steep(earlier: float, later: float) -> bool:
    return later >= LONGEST_SECONDS or later > STEEPEST * earlier


def is_busy(used: UsedPattern, text: str) -> bool:
    """By the wall clock, twice: the processor's own counts in longer steps, and other work seldom comes both times."""
    for _ in range(2):
        start = time.perf_counter()
        seconds(used, text, LONGEST_FIRST_LOOK)
        if time.perf_counter() - start < QUIET_SECONDS:
            return False
    return True


def seconds(used: UsedPattern, text: str, longest: float = LONGEST_SECONDS) -> float:
    """Processor time, which other work on the machine does not lengthen."""
    given: Any = text.encode("utf-8", "replace") if isinstance(used.pattern.pattern, bytes) else text
    earlier = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, longest)
    start = time.process_time()
    try:
        run(used, given)
    except TooLong:
        return longest
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, earlier)
    return time.process_time() - start


def run(used: UsedPattern, text: Any) -> None:
    if not used.is_anchored:
        deque(used.pattern.finditer(text), maxlen=0)
        return
    if "match" in used.methods:
        used.pattern.match(text)
    if "fullmatch" in used.methods:
        used.pattern.fullmatch(text)


if __name__ == "__main__":
    main()
