"""Loading pydantic in little more than half of the time, for a process in which a first call waits for it.

Most of the time goes into what is not used afterwards: methods of its eighty dataclasses are written and compiled, as
are the types of all fields of the dictionaries that only a type checker looks into. While it is loaded, the former are
made late and the latter left out.
"""

from __future__ import annotations

import dataclasses
import sys
import typing
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

from wellsourced import late_dataclass
from wellsourced.process import leave_out_plugins

STANDARD = dataclasses.dataclass
LATE_OPTIONS = frozenset({"frozen", "slots", "kw_only", "eq"})


def load_pydantic() -> None:
    """To be called before anything else loads it; changes nothing where it is loaded already."""
    if "pydantic" in sys.modules:
        return
    leave_out_plugins()
    typed_dicts = replaced("TypedDict", UntypedDict, typing, import_module("typing_extensions"))
    with typed_dicts, replaced("dataclass", quick_dataclass, dataclasses):
        for name in ("main", "fields", "functional_validators", "types"):
            import_module(f"pydantic.{name}")


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


def quick_dataclass(cls: type | None = None, /, **options: Any) -> Any:
    """In place of the standard decorator, where it is used as `late_dataclass` can be."""
    if not options.keys() <= LATE_OPTIONS:
        return STANDARD(cls, **options)
    decorate = late_dataclass.dataclass(**options)
    return decorate if cls is None else decorate(cls)
