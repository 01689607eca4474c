"""Whose part of the cache a call uses, for whom it keeps things, and how old what it finds may be.

All share one part, unless CACHE_ISOLATION gives each tenant its own; what was kept for a person is erased with that
person, whoever else may have found it. All three travel with the context of the call, so that no key written by hand
anywhere can forget them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

SHARED = ""

CachePart: TypeAlias = tuple[str, str | None, float]
"""Its name, for whom things are kept, and since when what was kept counts."""

_current: ContextVar[CachePart] = ContextVar("partition", default=(SHARED, None, float("-inf")))


@contextmanager
def partition(name: str, owner: str | None = None, *, since: float | None = None) -> Iterator[None]:
    """Everything kept or looked up inside, and in tasks begun inside, is of this part and kept for this person.

    What was kept before the moment `since` does not count: it is asked for anew.
    """
    before = _current.set((name, owner, _current.get()[2] if since is None else since))
    try:
        yield
    finally:
        _current.reset(before)


def partitioned(key: str) -> str:
    """The key within the current part. The length keeps a part's name from running into a key."""
    name = _current.get()[0]
    return f"{len(name)}:{name}:{key}" if name else key


def is_too_old(stored_at: float) -> bool:
    return stored_at < _current.get()[2]


def current_partition() -> str:
    return _current.get()[0]


def current_owner() -> str | None:
    return _current.get()[1]
