"""What the doors in front of the MCP app learn of one HTTP request, handed on in the ASGI scope.

The outermost door makes the visit; sign-in fills in who it is; limits and scopes read the tools that are called.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any

from wellsourced.identity import Identity

KEY = "visit"


@dataclass(slots=True)
class Visit:
    request_id: str
    address: str
    """The caller's IP address; behind a trusted proxy, the one the proxy names."""
    tools: tuple[str, ...] = ()
    """The name in every tools/call of the body, a batch's calls each."""
    identity: Identity = Identity()  # noqa: RUF009  frozen
    scopes: frozenset[str] = frozenset()


def visit_of(scope: MutableMapping[str, Any]) -> Visit:
    visit: Visit = scope["state"][KEY]
    return visit


def start_visit(scope: MutableMapping[str, Any], visit: Visit) -> None:
    scope.setdefault("state", {})[KEY] = visit
