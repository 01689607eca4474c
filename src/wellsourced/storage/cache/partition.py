"""Whose part of the cache a call uses, for whom it keeps things, and how old what it finds may be.

All share one part, unless CACHE_ISOLATION gives each tenant its own; what was kept for a person is erased with that
person, whoever else may have found it. All three travel with the context of the call, so that no key written by hand
anywhere can forget them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

SHARED = ""

_current: ContextVar[str] = ContextVar("partition", default=SHARED)
_owner: ContextVar[str | None] = ContextVar("owner", default=None)


_oldest: ContextVar[float] = ContextVar("oldest", default=float("-inf"))


@contextmanager
def partition(name: str, owner: str | None = None) -> Iterator[None]:
    """Everything kept or looked up inside, and in tasks begun inside, is of this part and kept for this person."""
    before, owner_before = _current.set(name), _owner.set(owner)
    try:
        yield
    finally:
        _current.reset(before)
        _owner.reset(owner_before)


def partitioned(key: str) -> str:
    """The key within the current part. The length keeps a part's name from running into a key."""
    name = _current.get()
    return f"{len(name)}:{name}:{key}" if name else key


@contextmanager
def only_since(moment: float) -> Iterator[None]:
    """Inside, and in tasks begun inside, what was kept before this moment does not count: it is asked for anew."""
    before = _oldest.set(moment)
    try:
        yield
    finally:
        _oldest.reset(before)


def is_too_old(stored_at: float) -> bool:
    return stored_at < _oldest.get()


def current_partition() -> str:
    return _current.get()


def current_owner() -> str | None:
    return _owner.get()
