"""The tools as methods of the Python clients.

At run time a method is made from its tool when it is first used. What editors and type checkers see is
`api_methods.pyi`, which `make generate` writes from the same declarations.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wellsourced.tool.base import Tool


class ToolMethods:
    """A method for every tool: its first argument may be given by position, all others by name."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return make_method(self, name)

    def __dir__(self) -> list[str]:
        from wellsourced.tool import registry

        return sorted({*super().__dir__(), *registry.names()})


class SyncToolMethods(ToolMethods):
    """The same methods, without await: `call` is what differs."""


def make_method(client: Any, name: str) -> Callable[..., Any]:
    """Return a function that calls the tool of this name, with its signature and description."""
    from wellsourced.tool import registry

    if name not in registry.names():
        raise AttributeError(f"{type(client).__name__!r} has no attribute or tool {name!r}", name=name, obj=client)
    signature = tool_signature(registry.load(name))

    def call_tool(*positional: Any, **named: Any) -> Any:
        return client.call(name, **signature.bind(*positional, **named).arguments)

    call_tool.__name__ = call_tool.__qualname__ = name
    call_tool.__doc__ = tool_docstring(registry.load(name))
    call_tool.__signature__ = signature  # type: ignore[attr-defined]
    return call_tool


def tool_signature(tool: Tool) -> inspect.Signature:
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


def tool_docstring(tool: Tool) -> str:
    fields = tool.input.model_fields.items()
    return "\n".join([tool.description, "", *(f"{name}: {field.description or ''}" for name, field in fields)])
