"""Which tools this instance offers: some need a setting, and TOOLSETS and TOOLS narrow the list.

On the fast-start path: works on the generated declarations, imports nothing that costs time.
"""

from __future__ import annotations

from wellsourced.settings import Settings, environment_variable, is_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any


def is_offered(declared: Mapping[str, Any], settings: Settings) -> bool:
    """`declared` is a tool's entry in the generated declarations: name, toolset, when."""
    if declared["when"] and not any(is_on(environment_variable(name)) for name in declared["when"]):
        return False
    toolsets, tools = settings.names("TOOLSETS"), settings.names("TOOLS")
    if not toolsets and not tools:
        return True
    return declared["name"] in tools or declared["toolset"] in toolsets


def offered(declarations: Iterable[Mapping[str, Any]], settings: Settings) -> list[Mapping[str, Any]]:
    return [entry for entry in declarations if is_offered(entry, settings)]


def unknown_names(declarations: Iterable[Mapping[str, Any]], settings: Settings) -> list[str]:
    """A sentence for each of TOOLSETS and TOOLS that names what does not exist."""
    entries = list(declarations)
    found = []
    for variable, member in (("TOOLSETS", "toolset"), ("TOOLS", "name")):
        known = {entry[member] for entry in entries}
        if unknown := [name[:80] for name in settings.names(variable) if name not in known]:
            told = ", ".join(map(repr, unknown[:5]))
            found.append(f"{variable}: there is no {told}; it accepts {', '.join(sorted(known))}.")
    return found
