"""How many wrong keys came from an address in the last minute. After a few nobody gets in from there for a while, not
even with the right key: or guessing would go on beside the refusals.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable

MOST_WRONG = 5
MINUTE = 60.0
MOST_ADDRESSES = 10_000


class WrongKeys:
    """The addresses that guessed last are remembered, up to a number."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._guesses: OrderedDict[str, list[float]] = OrderedDict()

    def wait(self, address: str) -> int:
        """Seconds until a key from this address is looked at again; 0 is now."""
        recent = self._recent(address)
        return max(1, math.ceil(recent[0] + MINUTE - self._clock())) if len(recent) >= MOST_WRONG else 0

    def note(self, address: str) -> None:
        self._guesses[address] = [*self._recent(address), self._clock()][-MOST_WRONG:]
        self._guesses.move_to_end(address)
        if len(self._guesses) > MOST_ADDRESSES:
            self._guesses.popitem(last=False)

    def _recent(self, address: str) -> list[float]:
        since = self._clock() - MINUTE
        return [guess for guess in self._guesses.get(address, ()) if guess > since]
