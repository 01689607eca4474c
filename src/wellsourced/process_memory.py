"""How the C library hands out memory, where it lets itself be told."""

from __future__ import annotations

import sys
from contextlib import suppress

M_ARENA_MAX = -8


def share_one_heap() -> None:
    """glibc opens a heap for every thread and gives little of it back; after a day of reading pages they hold a fifth
    of the process. To be called before threads are started, which then share the first one."""
    if sys.platform != "linux":
        return
    import ctypes

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)
