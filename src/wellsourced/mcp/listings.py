"""The answers that never need the rest of the house: handshake, ping and lists.

The lists come from `declarations.json`, which `wellsourced.mcp.declare` generates from the tools, resources
and prompts themselves; a test fails when it is out of date. On the fast-start path.
"""

from __future__ import annotations

import json
import os

from wellsourced.mcp.json_rpc import INVALID_PARAMS, Message, ProtocolError, encode
from wellsourced.mcp.offered_tools import offered, unknown_names
from wellsourced.mcp.server_info import discover_result, envelope, initialize_result
from wellsourced.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from wellsourced.mcp.json_rpc import RequestId

DECLARATIONS = os.path.join(os.path.dirname(__file__), "declarations.json")
LISTS = {
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}
PAGED = frozenset({"tools/list", *LISTS})
METHODS = frozenset({"initialize", "server/discover", "ping", *PAGED})


def check_cursor(cursor: object, id: RequestId = None) -> None:
    if cursor not in (None, ""):
        told = "Unknown cursor: every list comes whole, on one page. Leave it out."
        raise ProtocolError(INVALID_PARAMS, told, id=id)


class Listings:
    def __init__(self, settings: Settings) -> None:
        with open(DECLARATIONS, "rb") as file:
            self.declared: dict[str, Any] = json.load(file)
        self.tools: list[Any] = list(offered(self.declared["tools"], settings))
        """Entries (name, toolset, when, json) of the tools this instance offers."""
        self.problems = unknown_names(self.declared["tools"], settings)

    def offers(self, name: str) -> bool:
        return any(entry["name"] == name for entry in self.tools)

    def answer(self, message: Message) -> bytes:
        """The result of one of METHODS as JSON."""
        if message.is_modern and message.method == "ping":
            raise ProtocolError(-32601, "Method not found", "ping", id=message.id)
        if message.method in PAGED:
            check_cursor(message.params.get("cursor"), message.id)
        result = self._result(message)
        if message.is_modern:
            result = result[:-1] + (b"," if len(result) > 2 else b"") + encode(envelope(message.method))[1:]
        return result

    def _result(self, message: Message) -> bytes:
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
