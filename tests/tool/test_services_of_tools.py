"""Every service that a tool's `run` names exists, with exactly the type that `run` declares.

Services are handed over by name at run time, so mypy cannot see whether the name and the type are right.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.app import with_app
from wellsourced.app import Application
from wellsourced.app import services as services_module
from wellsourced.app.services import Services
from wellsourced.pipeline.middleware import services_of
from wellsourced.tool.base import Tool
from wellsourced.tool.registry import all_tools


def qualified_names(module: ModuleType) -> dict[str, str]:
    """What each name of a module stands for, names imported for type checking alone included."""
    tree = ast.parse(Path(str(module.__file__)).read_text())
    names = {node.name: f"{module.__name__}.{node.name}" for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return names


def service_types(services: Services) -> dict[str, str]:
    """The types that are declared for services made on demand, and those that the others have."""
    imported = qualified_names(services_module)
    made = {name: type(value) for name, value in vars(services).items() if not name.startswith("_")}
    types = {name: f"{kind.__module__}.{kind.__qualname__}" for name, kind in made.items()}
    for name, member in vars(Services).items():
        if isinstance(member, cached_property):
            types[name] = imported[str(inspect.signature(member.func).return_annotation)]
        elif isinstance(member, property) and member.fget:
            types[name] = imported[str(inspect.signature(member.fget).return_annotation)]
    return types


def named_services(tool: Tool) -> Iterator[tuple[str, str]]:
    """Each service that a tool asks for, with its declared type; `get_…` is a function that returns the service."""
    imported = qualified_names(inspect.getmodule(tool.run) or pytest.fail(f"{tool.name} has no module"))
    parameters = inspect.signature(tool.run).parameters
    for name in services_of(tool.run):
        annotation = str(parameters[name].annotation)
        if name.startswith("get_"):
            assert annotation.startswith("Callable[[], "), (tool.name, name, annotation)
            annotation = annotation.removeprefix("Callable[[], ").removesuffix("]")
        yield name.removeprefix("get_"), imported.get(annotation, annotation)


def test_every_service_that_a_tool_names_exists_with_that_type(quiet_environment: dict[str, str]) -> None:
    async def read_types(app: Application) -> dict[str, str]:
        return service_types(app.services)

    types = with_app(quiet_environment, read_types)
    wrong: list[tuple[Any, ...]] = [
        (tool.name, name, declared, types.get(name))
        for tool in all_tools()
        for name, declared in named_services(tool)
        if types.get(name) != declared
    ]
    assert not wrong
