"""Loading large libraries in about half of the time, for a process in which a first call waits for them.

Much of the time goes into what is not used afterwards: the methods of dataclasses are written and compiled, as are the
types of all fields of dictionaries that only a type checker looks into; docstrings are written for what is compiled.
While a library is loaded, the first are made late and the others left out. Each function is to be called before
anything else loads its library, and changes nothing where that was done already, nor for versions of a library with
which it has not been tried: those are loaded as usual, by whoever uses them first.
"""

from __future__ import annotations

import dataclasses
import os
import sys
import typing
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from wellsourced import late_dataclass
from wellsourced.process import leave_out_plugins

TRIED_WITH = {"numpy": "2.4.", "pydantic": "2.14."}
STANDARD = dataclasses.dataclass
LATE_OPTIONS = frozenset({"frozen", "slots", "kw_only", "eq"})
UNUSED_IN_NUMPY = ("numpy._core._add_newdocs", "numpy._core._add_newdocs_scalars", "numpy._typing")
"""Modules that write docstrings, and hundreds of types for annotations."""


def load_pydantic() -> None:
    if not is_to_load("pydantic"):
        return
    leave_out_plugins()
    typed_dicts = replaced("TypedDict", UntypedDict, typing, import_module("typing_extensions"))
    with typed_dicts, late_dataclasses():
        for name in ("main", "fields", "functional_validators", "types"):
            import_module(f"pydantic.{name}")


def load_turbohtml() -> None:
    with late_dataclasses():
        import_module("turbohtml")


def load_numpy() -> None:
    """Its algebra gets one thread: the matrices are small here, and starting more takes longer than working on them."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if not is_to_load("numpy"):
        return
    sys.modules |= {name: stand_in(name) for name in UNUSED_IN_NUMPY}
    try:
        import_module("numpy")
    finally:
        for name in UNUSED_IN_NUMPY:  # whoever asks for one of them later gets it
            del sys.modules[name]


def is_to_load(library: str) -> bool:
    spec = None if library in sys.modules else find_spec(library)
    if spec is None or spec.origin is None:
        return False
    said = Path(spec.origin).with_name("version.py").read_text(encoding="utf-8")
    return any(f"{quote}{TRIED_WITH[library]}" in said for quote in "\"'")


@contextmanager
def replaced(name: str, replacement: object, *modules: ModuleType) -> Iterator[None]:
    """For a while, what is imported from these modules under this name is something else."""
    originals = [getattr(module, name) for module in modules]
    for module in modules:
        setattr(module, name, replacement)
    try:
        yield
    finally:
        for module, original in zip(modules, originals, strict=True):
            setattr(module, name, original)


class UntypedDict(dict[str, Any]):
    """In place of a typed dictionary, which is a plain one when it is made."""

    def __init_subclass__(cls, **options: bool) -> None:
        super().__init_subclass__()

    def __new__(cls, *pairs: Any, **values: Any) -> Any:
        return dict(*pairs, **values)


def late_dataclasses() -> AbstractContextManager[None]:
    return replaced("dataclass", quick_dataclass, dataclasses)


def quick_dataclass(cls: type | None = None, /, **options: Any) -> Any:
    """In place of the standard decorator, where it is used as `late_dataclass` can be."""
    if cls is None:
        return lambda decorated: quick_dataclass(decorated, **options)
    fields = [value for value in vars(cls).values() if isinstance(value, dataclasses.Field)]
    if options.keys() <= LATE_OPTIONS and all(field.init for field in fields):
        return late_dataclass.dataclass(**options)(cls)
    return STANDARD(cls, **options)


def stand_in(name: str) -> ModuleType:
    module = ModuleType(name)
    module.__getattr__ = any_annotation  # type: ignore[method-assign]
    return module


def any_annotation(name: str) -> type:
    """Something that can be subscripted, as the types for annotations are."""
    if name.startswith("__"):
        raise AttributeError(name)
    return list
