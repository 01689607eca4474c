"""Dataclasses whose methods are written when they are first needed.

The standard decorator writes and compiles up to six functions for each class, about a millisecond, while the first
call waits; most classes that it loads are not used by it. This one declares the fields at once and leaves the functions
to the standard decorator when the first object is made; from then on nothing is different.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from copy import copy
from types import MemberDescriptorType
from typing import Any, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(field_specifiers=(dataclasses.field,))
def dataclass(
    *, frozen: bool = False, slots: bool = False, kw_only: bool = False, eq: bool = True
) -> Callable[[type[T]], type[T]]:
    def declare(written: type[T]) -> type[T]:
        written.__doc__ = written.__doc__ or written.__name__  # else the signature would be written out for it
        cls = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(written)
        for name in ("__init__", "__repr__", "__eq__", "__hash__")[: 4 if eq else 2]:
            if not _is_defined(cls, name):
                setattr(cls, name, None if name == "__hash__" and not frozen else _late_method(cls, name, frozen))
        if frozen:
            _freeze(cls)
        return cls

    return declare


def _is_defined(cls: type, name: str) -> bool:
    """By the class itself; Python sets `__hash__` to None beside an `__eq__`."""
    return cls.__dict__.get(name) is not None


def _late_method(cls: type, name: str, frozen: bool) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **named: Any) -> Any:
        if cls.__dict__[name] is method:
            written = _write_init(cls, frozen) if name == "__init__" else _write_method(cls, name, frozen)
            written.__qualname__ = f"{cls.__qualname__}.{name}"
            setattr(cls, name, written)
        return getattr(cls, name)(self, *args, **named)

    return method


def _write_init(cls: type, frozen: bool) -> Any:
    """One function, where the standard decorator would write five for it."""
    known: dict[str, Any] = {"late_set": object.__setattr__, "late_missing": dataclasses.MISSING}
    plain, named, lines = ["self"], list[str](), list[str]()
    for field in dataclasses.fields(cls):
        name, default, value = field.name, "", field.name
        if field.default is not dataclasses.MISSING:
            known[f"late_{name}"], default = field.default, f"=late_{name}"
        elif field.default_factory is not dataclasses.MISSING:
            known[f"late_{name}"], default = field.default_factory, "=late_missing"
            value = f"late_{name}() if {name} is late_missing else {name}"
        (named if field.kw_only else plain).append(name + default)
        if frozen and isinstance(slot := getattr(cls, name, None), MemberDescriptorType):
            known[f"late_set_{name}"] = slot.__set__  # a third faster than by the name
            lines.append(f" late_set_{name}(self, {value})")
        else:
            lines.append(f" late_set(self, {name!r}, {value})" if frozen else f" self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append(" self.__post_init__()")
    head = ", ".join([*plain, "*", *named] if named else plain)
    exec("\n".join([f"def __init__({head}):", *lines, " return None"]), known)  # noqa: S102 - as the standard decorator does
    return known["__init__"]


def _write_method(cls: type, name: str, frozen: bool) -> Any:
    fields = [(field.name, object, copy(field)) for field in dataclasses.fields(cls)]
    twin = dataclasses.make_dataclass(
        cls.__name__,
        fields,
        namespace={"__doc__": "The same fields."},
        init=False,
        repr=name == "__repr__",
        eq=name in {"__eq__", "__hash__"},
        frozen=frozen,
    )
    return getattr(twin, name)


def _freeze(cls: Any) -> None:
    cls.__setattr__ = _refuse_set
    cls.__delattr__ = _refuse_delete
    if "__slots__" in cls.__dict__:  # what is pickled or copied is filled without setting attributes
        cls.__getstate__ = cls.__dict__.get("__getstate__", _state)
        cls.__setstate__ = cls.__dict__.get("__setstate__", _set_state)


def _refuse_set(self: object, name: str, value: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delete(self: object, name: str) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
