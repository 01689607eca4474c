"""The requests that are answered without loading the rest of the package: handshake, ping and lists.

The lists come from `declarations.json`, which `wellsourced.mcp.declare` generates from the tools, resources
and prompts themselves; a test fails when it is out of date. Some tools need a setting, and TOOLSETS and TOOLS narrow
the list. On the fast-start path: imports nothing that costs time.
"""

from __future__ import annotations

import os

from wellsourced.mcp import fast_json
from wellsourced.mcp.json_rpc import INVALID_PARAMS, ProtocolError, RpcMessage, encode
from wellsourced.mcp.server_info import discover_result, envelope, initialize_result
from wellsourced.settings import Settings, is_variable_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from wellsourced.mcp.json_rpc import RequestId

DECLARATIONS = os.path.join(os.path.dirname(__file__), "declarations.json")
LISTS = {
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}
PAGED = frozenset({"tools/list", *LISTS})
TOOLSET_ALIASES = {"verification": "trust"}
LIBRARY_TOOLS = frozenset({"search", "scrape_page", "search_and_scrape"})
SHARING = "Pages read here are found by everybody of your tenant."
METHODS = frozenset({"initialize", "server/discover", "ping", *PAGED})


def check_cursor(cursor: object, id: RequestId = None) -> None:
    if cursor not in (None, ""):
        message = "Unknown cursor: every list comes whole, on one page. Leave it out."
        raise ProtocolError(INVALID_PARAMS, message, id=id)


class Listings:
    def __init__(self, settings: Settings) -> None:
        with open(DECLARATIONS, "rb") as file:
            self.declared: dict[str, Any] = fast_json.loads(file.read())
        offered = [entry for entry in self.declared["tools"] if is_offered(entry, settings)]
        self.tools: list[Any] = [with_sharing(entry) for entry in offered] if is_library_shared(settings) else offered
        """Entries (name, toolset, when, json) of the tools this instance offers."""
        self._offered = frozenset([entry["name"] for entry in offered])
        self.problems = unknown_names(self.declared["tools"], settings)

    def offers(self, name: str) -> bool:
        return name in self._offered

    def answer(self, message: RpcMessage) -> bytes:
        """The result of one of METHODS as JSON."""
        if message.is_modern and message.method == "ping":
            raise ProtocolError(-32601, "Method not found", "ping", id=message.id)
        if message.method in PAGED:
            check_cursor(message.params.get("cursor"), message.id)
        result = self._result(message)
        if message.is_modern:
            result = result[:-1] + (b"," if len(result) > 2 else b"") + encode(envelope(message.method))[1:]
        return result

    def _result(self, message: RpcMessage) -> bytes:
        match message.method:
            case "initialize":
                if not isinstance(message.params.get("protocolVersion"), str):
                    raise ProtocolError(INVALID_PARAMS, "initialize needs a protocolVersion.", id=message.id)
                return encode(initialize_result(message.params))
            case "server/discover":
                return encode(discover_result())
            case "ping":
                return b"{}"
            case "tools/list":
                return b'{"tools":[' + ",".join(entry["json"] for entry in self.tools).encode() + b"]}"
            case method:
                key = LISTS[method]
                return encode({key: self.declared[key]})


def is_offered(declared: Mapping[str, Any], settings: Settings) -> bool:
    """`declared` is a tool's entry in the generated declarations: name, toolset, when."""
    if declared["when"] and not any(is_variable_on(name) for name in declared["when"]):
        return False
    toolsets, tools = wanted_toolsets(settings), settings.names("TOOLS")
    if not toolsets and not tools:
        return True
    return declared["name"] in tools or declared["toolset"] in toolsets


def wanted_toolsets(settings: Settings) -> list[str]:
    return [TOOLSET_ALIASES.get(name, name) for name in settings.names("TOOLSETS")]


def is_library_shared(settings: Settings) -> bool:
    return settings.flag("LIBRARY_ENABLED") and settings.text("LIBRARY_SHARING") == "tenant"


def with_sharing(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry with a description that says who finds what is read, where the tool has to do with it."""
    if entry["name"] not in LIBRARY_TOOLS:
        return entry
    tool = fast_json.loads(entry["json"].encode())
    tool["description"] = f"{tool['description']} {SHARING}"
    return {**entry, "json": encode(tool).decode()}


def unknown_names(declarations: Iterable[Mapping[str, Any]], settings: Settings) -> list[str]:
    """A sentence for each of TOOLSETS and TOOLS that names what does not exist."""
    entries = list(declarations)
    problems = []
    for variable, member in (("TOOLSETS", "toolset"), ("TOOLS", "name")):
        known = {entry[member] for entry in entries}
        wanted = wanted_toolsets(settings) if variable == "TOOLSETS" else settings.names(variable)
        if unknown := [name[:80] for name in wanted if name not in known]:
            names = ", ".join(map(repr, unknown[:5]))
            problems.append(f"{variable}: there is no {names}; it accepts {', '.join(sorted(known))}.")
    return problems
