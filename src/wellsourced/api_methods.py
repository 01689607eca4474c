"""The tools as methods. At run time each is made from its tool when it is first asked for; what editors and type
checkers see is `api_methods.pyi`, which `make generate` writes from the same declarations.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wellsourced.tool.base import Tool


class Methods:
    """A method for every tool: its first argument may be given by position, all others by name."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return method(self, name)

    def __dir__(self) -> list[str]:
        from wellsourced.tool import registry

        return sorted({*super().__dir__(), *registry.names()})


class SyncMethods(Methods):
    """The same methods, without await: `call` is what differs."""


def method(app: Any, name: str) -> Callable[..., Any]:
    """A function that asks the tool of this name, with the signature and the description of the tool."""
    from wellsourced.tool import registry

    if name not in registry.names():
        raise AttributeError(f"{type(app).__name__!r} has no attribute or tool {name!r}", name=name, obj=app)
    shape = signature(registry.load(name))

    def ask(*positional: Any, **named: Any) -> Any:
        return app.call(name, **shape.bind(*positional, **named).arguments)

    ask.__name__ = ask.__qualname__ = name
    ask.__doc__ = description(registry.load(name))
    ask.__signature__ = shape  # type: ignore[attr-defined]
    return ask


def signature(tool: Tool) -> inspect.Signature:
    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY if place else inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if field.is_required() else field.get_default(call_default_factory=True),
            annotation=field.annotation,
        )
        for place, (name, field) in enumerate(tool.input.model_fields.items())
    ]
    return inspect.Signature(parameters, return_annotation=tool.output)


def description(tool: Tool) -> str:
    fields = tool.input.model_fields.items()
    return "\n".join([tool.description, "", *(f"{name}: {field.description or ''}" for name, field in fields)])
