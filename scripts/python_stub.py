"""Writes `api_methods.pyi`: the tools as methods, for editors and type checkers."""

from __future__ import annotations

import textwrap
import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from wellsourced.tool.base import Tool
from wellsourced.tool.registry import all_tools

WIDTH = 110
HEAD = '''# ruff: noqa
# fmt: off
"""The tools as methods. Written by `make generate`; do not edit."""

from collections.abc import Mapping
from typing import Any, Literal

'''


def methods_stub() -> str:
    tools = all_tools()
    imports = sorted({line for tool in tools for line in imported(tool)})
    classes = [
        f"class {name}:\n" + "".join(method(tool, prefix) for tool in tools)
        for name, prefix in (("ToolMethods", "async def"), ("SyncToolMethods", "def"))
    ]
    return HEAD + "\n".join(imports) + "\n\n" + "\n".join(classes)


def imported(tool: Tool) -> Iterator[str]:
    nested = (model for field in tool.input.model_fields.values() for model in models(field.annotation))
    for model in {tool.output, *nested}:
        name = alias(tool, model)
        renamed = "" if name == model.__name__ else f" as {name}"
        yield f"from {model.__module__} import {model.__name__}{renamed}"


def models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        if not isinstance(argument, str):
            yield from models(argument)


def alias(tool: Tool, model: type[BaseModel]) -> str:
    """The tool's name in front, where the class does not have it there already."""
    prefix = "".join(part.capitalize() for part in tool.name.split("_"))
    return model.__name__ if model.__name__.startswith(prefix) else prefix + model.__name__


def method(tool: Tool, prefix: str) -> str:
    lines = [f"    {prefix} {tool.name}(", "        self,"]
    for place, (name, field) in enumerate(tool.input.model_fields.items()):
        if place == 1:
            lines.append("        *,")
        default = "" if field.is_required() else f" = {shown(field.get_default(call_default_factory=True))}"
        lines.append(f"        {name}: {spelled(tool, field.annotation)}{default},")
    doc = docstring(tool) if prefix.startswith("async") else ['        """The same, without await."""']
    lines += [f"    ) -> {alias(tool, tool.output)}:", *doc]
    return "\n".join(lines) + "\n"


def shown(default: Any) -> str:
    return '"' + default + '"' if isinstance(default, str) else repr(default)


def docstring(tool: Tool) -> list[str]:
    """The description, and every argument."""
    arguments = [f"{name}: {field.description or ''}".rstrip() for name, field in tool.input.model_fields.items()]
    text = [*textwrap.wrap(tool.description, WIDTH), ""]
    for line in arguments:
        text += textwrap.wrap(line, WIDTH, subsequent_indent="    ")
    escaped = [line.replace("\\", "\\\\").replace('"""', r"\"\"\"") for line in text]
    body = [f"        {line}" if line else "" for line in escaped]
    return [f'        """{body[0].strip()}', *body[1:], '        """']


def spelled(tool: Tool, annotation: Any) -> str:
    """An annotation as source."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return spelled(tool, arguments[0])
    if origin in (Union, types.UnionType):
        return " | ".join(spelled(tool, part) for part in arguments)
    if origin is Literal:
        return f"Literal[{', '.join(shown(value) for value in arguments)}]"
    if origin is not None:
        return f"{origin.__name__}[{', '.join(spelled(tool, part) for part in arguments)}]"
    return plain(tool, annotation)


def plain(tool: Tool, annotation: Any) -> str:
    if annotation is type(None):
        return "None"
    if annotation is Any:
        return "Any"
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return f"{alias(tool, annotation)} | Mapping[str, Any]"
    name: str = annotation.__name__
    return name
