"""Loading numpy without what is never used here: half of the processor time, for a process whose first page waits."""

from __future__ import annotations

import os
import sys
from types import ModuleType

LEFT_OUT = ("numpy._core._add_newdocs", "numpy._core._add_newdocs_scalars", "numpy._typing")
"""Modules that write docstrings for what is compiled, and hundreds of types for annotations."""


def load_numpy() -> None:
    """To be called before anything else loads it; changes nothing where it is loaded already.

    Its algebra gets one thread: the matrices are small here, and starting more takes longer than working on them.
    """
    if "numpy" in sys.modules:
        return
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.modules |= {name: empty_module(name) for name in LEFT_OUT}
    try:
        import numpy  # noqa: F401
    finally:
        for name in LEFT_OUT:  # whoever asks for one of them later gets it
            del sys.modules[name]


def empty_module(name: str) -> ModuleType:
    module = ModuleType(name)
    module.__getattr__ = any_annotation  # type: ignore[method-assign]
    return module


def any_annotation(name: str) -> type:
    """Something that can be subscripted, as the types for annotations are."""
    if name.startswith("__"):
        raise AttributeError(name)
    return list
