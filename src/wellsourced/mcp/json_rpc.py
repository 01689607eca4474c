"""JSON-RPC 2.0 lines: strict parsing, and the errors of the protocol.

On the fast-start path: imports nothing that costs time.
"""

from __future__ import annotations

from wellsourced.mcp import fast_json
from wellsourced.mcp.server_info import META_CAPABILITIES, META_VERSION, MODERN_VERSIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    RequestId: TypeAlias = str | int | None

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND = -32002
UNSUPPORTED_VERSION = -32022
LONGEST_VERSION = 100


class ProtocolError(Exception):
    """An error of the protocol itself, as opposed to a tool that failed."""

    def __init__(self, code: int, message: str, data: object = None, *, id: RequestId = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.id = id


class RpcMessage:
    """A request (`id` is set) or a notification, well formed."""

    __slots__ = ("id", "is_modern", "is_request", "method", "params")

    def __init__(self, method: str, params: dict[str, Any], id: RequestId, *, is_request: bool) -> None:
        self.method = method
        self.params = params
        self.id = id
        self.is_request = is_request
        self.is_modern = META_VERSION in meta_of(params)


def meta_of(params: dict[str, Any]) -> dict[str, Any]:
    meta = params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def parse_line(line: bytes) -> RpcMessage | None:
    """One line as a message; None for what is not to be answered: a response, or a malformed notification."""
    try:
        value = parse_json(line)
    except (ValueError, RecursionError):
        raise ProtocolError(PARSE_ERROR, "Parse error: the line is not JSON.") from None
    return read_message(value)


def parse_json(text: bytes) -> Any:
    """JSON as the protocol takes it; ValueError or RecursionError where it is none."""
    return fast_json.loads(text)


def read_message(value: Any) -> RpcMessage | None:
    """The message that was parsed."""
    if isinstance(value, list):
        raise ProtocolError(INVALID_REQUEST, "Batches are not part of this protocol: send one message a line.")
    if not isinstance(value, dict):
        raise ProtocolError(INVALID_REQUEST, "A message must be a JSON object.")
    return parse_message(value)


def parse_message(value: dict[str, Any]) -> RpcMessage | None:
    if "method" not in value and ("result" in value or "error" in value):
        return None
    id = value.get("id")
    if not (id is None or (isinstance(id, (str, int)) and not isinstance(id, bool))):
        raise ProtocolError(INVALID_REQUEST, "id must be a string or a whole number.")
    method, params = value.get("method"), value.get("params")
    if not isinstance(method, str) or value.get("jsonrpc") != "2.0":
        raise ProtocolError(INVALID_REQUEST, 'A message needs "jsonrpc":"2.0" and a method.', id=id)
    if params is None:
        params = {}
    if "id" in value and id is None:
        raise ProtocolError(INVALID_REQUEST, "id must not be null.")
    if not isinstance(params, dict):
        if id is None:
            return None
        raise ProtocolError(INVALID_PARAMS, "params must be a JSON object.", id=id)
    return RpcMessage(method, params, id, is_request="id" in value)


def check_envelope(message: RpcMessage) -> None:
    """A 2026-era request names a version we speak and its client's capabilities."""
    meta = meta_of(message.params)
    if meta[META_VERSION] not in MODERN_VERSIONS:
        versions = {"supported": list(MODERN_VERSIONS), "requested": str(meta[META_VERSION])[:LONGEST_VERSION]}
        raise ProtocolError(UNSUPPORTED_VERSION, "Unsupported protocol version", versions, id=message.id)
    if not isinstance(meta.get(META_CAPABILITIES), dict):
        raise ProtocolError(
            INVALID_PARAMS, f"params._meta is missing the required envelope key {META_CAPABILITIES}", id=message.id
        )


def encode(value: object) -> bytes:
    """JSON in UTF-8, escaped where that is impossible: half a surrogate pair in an id goes back as it came."""
    try:
        return fast_json.dumps(value).encode()
    except UnicodeEncodeError:
        import json

        return json.dumps(value, separators=(",", ":")).encode()


def result_line(id: RequestId, result: bytes) -> bytes:
    """A response around a result that is JSON already."""
    return b'{"jsonrpc":"2.0","id":' + encode(id) + b',"result":' + result + b"}\n"


def error_line(error: ProtocolError) -> bytes:
    body: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.data is not None:
        body["data"] = error.data
    return encode({"jsonrpc": "2.0", "id": error.id, "error": body}) + b"\n"


def notification_line(method: str, params: dict[str, Any]) -> bytes:
    return encode({"jsonrpc": "2.0", "method": method, "params": params}) + b"\n"
