"""Raw HTTP over sockets: what a well-behaved client library would never send."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

ACCEPT = "application/json, text/event-stream"
MODERN = "2026-07-28"


def connect(address: str, seconds: float = 60) -> socket.socket:
    parts = urlsplit(address)
    return socket.create_connection((parts.hostname, parts.port), timeout=seconds)


def exchange(address: str, request: bytes) -> bytes:
    """Everything the server says until it hangs up."""
    with connect(address) as connection:
        connection.sendall(request)
        return read_to_end(connection)


def read_to_end(connection: socket.socket) -> bytes:
    said = bytearray()
    try:
        while part := connection.recv(65536):
            said += part
    except ConnectionResetError:
        pass
    return bytes(said)


def read_until(connection: socket.socket, wanted: bytes, seconds: float = 60) -> bytes:
    said, limit = bytearray(), time.monotonic() + seconds
    while wanted not in said and time.monotonic() < limit:
        part = connection.recv(65536)
        if not part:
            break
        said += part
    assert wanted in said, bytes(said)
    return bytes(said)


def request(method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes = b"") -> bytes:
    given = {"host": "127.0.0.1", **(headers or {})}
    if body:
        given |= {"content-length": str(len(body))}
    lines = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + body


def initialize(**headers: str) -> bytes:
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
    return posted({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}, **headers)


def tool_call(name: str, arguments: Mapping[str, Any], **headers: str) -> bytes:
    """A call as the era without a handshake makes it; with a session's id, as the one before does."""
    params: dict[str, Any] = {"name": name, "arguments": arguments}
    if "mcp-session-id" not in headers:
        headers |= {"mcp-protocol-version": MODERN, "mcp-method": "tools/call", "mcp-name": name}
        prefix = "io.modelcontextprotocol/"
        who = {"name": "raw", "version": "1"}
        params["_meta"] = {
            prefix + "protocolVersion": MODERN,
            prefix + "clientCapabilities": {},
            prefix + "clientInfo": who,
        }
    return posted({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}, **headers)


def posted(message: Any, **headers: str) -> bytes:
    given = {"content-type": "application/json", "accept": ACCEPT, **headers}
    return request("POST", "/mcp", given, json.dumps(message).encode())
