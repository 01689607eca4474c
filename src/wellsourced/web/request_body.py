"""What the body of a request to the workbench asks for. The limits and scopes in front of it go by the same reading."""

from __future__ import annotations

import json
from typing import Any

CALL_PATH = "/api/call"
AUDIT_PATH = "/api/audit"
AUDIT_TOOL = "audit_bibliography"


def asked_tools(path: str, body: bytes) -> tuple[str, ...]:
    """The tools that will be called for it; what cannot be read is left to the workbench to answer."""
    if path == AUDIT_PATH:
        return (AUDIT_TOOL,)
    if path != CALL_PATH:
        return ()
    tool = (read_object(body) or {}).get("tool")
    return (tool,) if isinstance(tool, str) else ()


def read_object(body: bytes) -> dict[str, Any] | None:
    """The JSON object; None where it is none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
