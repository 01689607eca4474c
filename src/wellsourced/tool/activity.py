"""Who is being asked during a call, and how many have answered: what its progress messages say.

It travels with the context of the call, so that an upstream or a page says so itself and no tool has to pass it on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

MOST_NAMED = 4


class Activity:
    def __init__(self) -> None:
        self.asking: Counter[str] = Counter()
        self.done = 0

    def in_words(self) -> str:
        """`asking Crossref, OpenAlex (3 answered)`."""
        names = list(+self.asking)
        rest = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        doing = f"asking {', '.join(names[:MOST_NAMED])}{rest}" if names else "working on what was found"
        return f"{doing} ({self.done} answered)" if self.done else doing


_current: ContextVar[Activity | None] = ContextVar("activity", default=None)


@contextmanager
def follow_activity() -> Iterator[Activity]:
    """What is asked inside, and in tasks begun inside, is noted here."""
    activity = Activity()
    token = _current.set(activity)
    try:
        yield activity
    finally:
        _current.reset(token)


@contextmanager
def asking(name: str) -> Iterator[None]:
    """Around a question to an upstream or a site."""
    activity = _current.get()
    if activity is None:
        yield
        return
    activity.asking[name] += 1
    try:
        yield
    finally:
        activity.asking[name] -= 1
        activity.done += 1
