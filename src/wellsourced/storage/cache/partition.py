"""Whose part of the cache a call uses, for whom it keeps things, and how old what it finds may be.

All share one part, unless CACHE_ISOLATION gives each tenant its own; what was kept for a person is erased with that
person, whoever else may have found it. All three travel with the context of the call, so that no key written by hand
anywhere can forget them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

SHARED = ""


class CachePart(NamedTuple):
    name: str = SHARED
    owner: str | None = None
    oldest: float = float("-inf")


_current: ContextVar[CachePart] = ContextVar("partition", default=CachePart())  # noqa: B039 - a tuple


@contextmanager
def partition(name: str, owner: str | None = None, *, since: float | None = None) -> Iterator[None]:
    """Everything kept or looked up inside, and in tasks begun inside, is of this part and kept for this person.

    What was kept before the moment `since` does not count: it is asked for anew.
    """
    before = _current.set(CachePart(name, owner, _current.get().oldest if since is None else since))
    try:
        yield
    finally:
        _current.reset(before)


def partitioned(key: str) -> str:
    """The key within the current part. The length keeps a part's name from running into a key."""
    name = _current.get().name
    return f"{len(name)}:{name}:{key}" if name else key


def is_too_old(stored_at: float) -> bool:
    return stored_at < _current.get().oldest


def current_partition() -> str:
    return _current.get().name


def current_owner() -> str | None:
    return _current.get().owner
