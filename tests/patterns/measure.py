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

LENGTH = 3000
# Below this a pattern is fast whatever the growth; above it, growth is looked at.
QUIET_SECONDS = 0.004
STEEPEST = 3.0
# What eight times the length takes; less is not told from chance.
NOTICEABLE_SECONDS = 0.05
LONGEST_SECONDS = 2.0
MOST_TEXTS = 8


class TooLong(Exception):
    pass


def main() -> None:
    used = collect_patterns()
    slow = [finding for each in used if (finding := steepest(each))]
    json.dump({"patterns": len(used), "slow": slow}, sys.stdout)


def stop(*_: object) -> None:
    raise TooLong


def steepest(used: UsedPattern) -> dict[str, Any] | None:
    """The first text on which doubling it, twice over, takes clearly more than double the time."""
    suspicious = (text for text in hostile_texts(used.pattern, LENGTH) if seconds(used, text) >= QUIET_SECONDS)
    for text in islice(suspicious, MOST_TEXTS):
        times = [min(seconds(used, longer) for _ in range(2)) for longer in lengthened(text)]
        if times[-1] >= NOTICEABLE_SECONDS and all(
            later >= LONGEST_SECONDS or later > STEEPEST * earlier for earlier, later in pairwise(times)
        ):
            return {
                "place": used.place,
                "pattern": str(used.pattern.pattern),
                "methods": sorted(used.methods),
                "text": repr(text[:60]),
                "seconds": [round(each, 4) for each in times],
            }
    return None


def lengthened(text: str) -> list[str]:
    """The text twice, four and eight times as long: longer than what any pattern counts up to."""
    return [text[: -len(END)] * times + END for times in (2, 4, 8)]


def seconds(used: UsedPattern, text: str) -> float:
    """Processor time, which other work on the machine does not lengthen."""
    given: Any = text.encode("utf-8", "replace") if isinstance(used.pattern.pattern, bytes) else text
    earlier = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST_SECONDS)
    start = time.process_time()
    try:
        run(used, given)
    except TooLong:
        return LONGEST_SECONDS
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
