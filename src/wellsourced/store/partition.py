"""Whose part of the cache a call uses. All share one, unless CACHE_ISOLATION gives each tenant its own.

It travels with the context of the call, so that no key written by hand anywhere can forget it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

SHARED = ""

_current: ContextVar[str] = ContextVar("partition", default=SHARED)


@contextmanager
def partition(name: str) -> Iterator[None]:
    """Everything kept or looked up inside, and in tasks begun inside, is of this part."""
    before = _current.set(name)
    try:
        yield
    finally:
        _current.reset(before)


def partitioned(key: str) -> str:
    """The key within the current part. The length keeps a part's name from running into a key."""
    name = _current.get()
    return f"{len(name)}:{name}:{key}" if name else key


def current_partition() -> str:
    return _current.get()
