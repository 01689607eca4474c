"""Every regular expression of the package, with the ways in which it is used.

Those compiled at import are taken while all modules are imported, so this must run before any of them was; those that
stand inside functions are read from the source.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

PACKAGE = "wellsourced"
METHODS = frozenset({"search", "match", "fullmatch", "sub", "subn", "findall", "finditer", "split"})
ANCHORED = frozenset({"match", "fullmatch"})
# All nodes of each module, itself first.
Sources: TypeAlias = dict[str, list[ast.AST]]


@dataclass(slots=True)
class UsedPattern:
    """`place` is the module and line that compiles it."""

    pattern: re.Pattern[Any]
    place: str
    methods: frozenset[str] = field(default_factory=frozenset)

    @property
    def is_anchored(self) -> bool:
        """Only ever tried at one place of the text."""
        return bool(self.methods) and self.methods <= ANCHORED


def collect_patterns() -> list[UsedPattern]:
    compiled = compiled_at_import()
    sources = {name: list(ast.walk(ast.parse(path.read_text("utf-8")))) for name, path in source_files()}
    names = names_by_line(sources)
    methods = methods_by_name(sources)
    used = [
        UsedPattern(pattern, f"{module}:{line}", methods_of(module, names.get((module, line), set()), methods))
        for (module, line), patterns in compiled.items()
        for pattern in patterns
    ]
    return used + [each for module, nodes in sources.items() for each in inside_functions(module, nodes)]


def compiled_at_import() -> dict[tuple[str, int], list[re.Pattern[Any]]]:
    found: dict[tuple[str, int], list[re.Pattern[Any]]] = defaultdict(list)
    late: Any = importlib.import_module(f"{PACKAGE}.late_pattern")
    compile_pattern, late_pattern = re.compile, late.late_pattern

    def noting(pattern: Any, flags: Any = 0) -> re.Pattern[Any]:
        made: re.Pattern[Any] = compile_pattern(pattern, flags)
        frame = sys._getframe(1)
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith(PACKAGE):
            found[module, frame.f_lineno].append(made)
        return made

    re.compile = late.late_pattern = noting
    try:
        for name, _ in source_files():
            if not name.endswith("__main__"):
                make_late_patterns(importlib.import_module(name))
    finally:
        re.compile, late.late_pattern = compile_pattern, late_pattern
    return found


def make_late_patterns(module: ModuleType) -> None:
    """Those of functions without arguments, which make them when they are first called and keep them."""
    for made in vars(module).values():
        is_own = hasattr(made, "cache_clear") and made.__module__ == module.__name__
        if is_own and not inspect.signature(made).parameters and "re.compile(" in inspect.getsource(made):
            made.cache_clear()
            made()


def source_files() -> Iterator[tuple[str, Path]]:
    root = importlib.import_module(PACKAGE)
    for info in pkgutil.walk_packages(root.__path__, f"{PACKAGE}."):
        spec = info.module_finder.find_spec(info.name, None)
        if spec and spec.origin and spec.origin.endswith(".py"):
            yield info.name, Path(spec.origin)


def names_by_line(sources: Sources) -> dict[tuple[str, int], set[str]]:
    """The names that what is compiled on a line is assigned to. A pattern in a table goes by the table's name."""
    names: dict[tuple[str, int], set[str]] = defaultdict(set)
    for module, (tree, *_) in sources.items():
        for node in tree.body if isinstance(tree, ast.Module) else ():
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and is_compile(node.value):
                for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                    names[module, line] |= {each.id for each in targets if isinstance(each, ast.Name)}
    return names


def is_compile(node: ast.expr | None) -> bool:
    is_late = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "late_pattern"
    return is_late or (isinstance(node, ast.Call) and called_of_re(node) == "compile")


def called_of_re(node: ast.Call) -> str:
    function = node.func
    is_re = isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "re"
    return function.attr if is_re and isinstance(function, ast.Attribute) else ""


def methods_by_name(sources: Sources) -> dict[tuple[str, str], set[str]]:
    """How each name of a module is used, there and where it is imported; one that is handed on is searched with."""
    methods: dict[tuple[str, str], set[str]] = defaultdict(set)
    for module, nodes in sources.items():
        homes = imported_names(nodes)
        called = set()
        for node in nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                methods[homes.get(node.value.id, module), node.value.id].add(node.attr)
                called.add(id(node.value))
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute):
                methods["", node.value.attr].add(node.attr)
        for node in nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in called:
                methods[homes.get(node.id, module), node.id].add("search")
    return methods


def imported_names(nodes: list[ast.AST]) -> dict[str, str]:
    return {alias.name: node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}


def methods_of(module: str, names: set[str], methods: dict[tuple[str, str], set[str]]) -> frozenset[str]:
    """`module.NAME.search` does not say whose NAME it is, so it counts for every NAME."""
    used = (methods.get((home, name), set()) for name in names for home in (module, ""))
    return frozenset(method for each in used for method in each if method in METHODS)


def inside_functions(module: str, nodes: list[ast.AST]) -> Iterator[UsedPattern]:
    """`re.sub("…", …)` and the like with a pattern that is written out."""
    for node in nodes:
        if isinstance(node, ast.Call) and called_of_re(node) in METHODS and isinstance(node.args[0], ast.Constant):
            flags = [each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute) and each.attr.isupper()]
            value = sum(int(getattr(re, flag)) for flag in set(flags) if hasattr(re, flag))
            yield UsedPattern(
                re.compile(node.args[0].value, value), f"{module}:{node.lineno}", frozenset({called_of_re(node)})
            )
