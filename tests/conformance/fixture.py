"""What a fixture is made of: a declaration, a handler, and the short ways to write answers.

Names and values come from the suite's scenario descriptions (`conformance list --server`).
"""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

Context: TypeAlias = ServerRequestContext[Any, Any]
ToolAnswer: TypeAlias = types.CallToolResult | types.InputRequiredResult
RunTool: TypeAlias = Callable[[Context, types.CallToolRequestParams], Awaitable[ToolAnswer]]


@dataclass(frozen=True)
class FixtureTool:
    """One tool of the suite's and the function that plays it."""

    declaration: types.Tool
    run: RunTool


def offered(run: RunTool, about: str, *, name: str = "", schema: dict[str, Any] | None = None) -> FixtureTool:
    """A tool named after its function unless told otherwise; without a schema it takes no arguments."""
    called = name or getattr(run, "__name__", "")
    schema = schema or {"type": "object", "properties": {}}
    return FixtureTool(types.Tool(name=called, title=called, description=about, input_schema=schema), run)


def text(words: str) -> types.TextContent:
    return types.TextContent(type="text", text=words)


def says(words: str) -> types.CallToolResult:
    return types.CallToolResult(content=[text(words)])


def not_found(what: str, **data: str) -> MCPError:
    return MCPError(code=types.INVALID_PARAMS, message=f"{what} not found", data=data)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def red_pixel() -> str:
    """A PNG of one red pixel, in base64."""
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\x00\xff\x00\x00")
    image = b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")
    return base64.b64encode(image).decode()


def short_silence() -> str:
    """A WAV file of eight silent samples, in base64."""
    layout = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, 8000, 8000, 1, 8)
    samples = struct.pack("<4sI", b"data", 8) + b"\x80" * 8
    sound = b"RIFF" + struct.pack("<I", 4 + len(layout) + len(samples)) + b"WAVE" + layout + samples
    return base64.b64encode(sound).decode()
