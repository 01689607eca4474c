"""What the middleware learns of one HTTP request, handed on in the ASGI scope.

`RequestContextMiddleware` creates it; the body limit adds the tools that are called, sign-in adds who calls; rate
limits, scopes and the endpoints read it.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any

from wellsourced.identity import Identity
from wellsourced.storage.audit.event import audit_event
from wellsourced.storage.audit.log import AuditLog

MCP_PATH = "/mcp"
STATE_KEY = "request_context"


@dataclass(slots=True)
class RequestContext:
    request_id: str
    address: str
    """The caller's IP address; behind a trusted proxy, the one the proxy names."""
    tools: tuple[str, ...] = ()
    """The name in every tools/call of the body, a batch's calls each."""
    identity: Identity = Identity()  # noqa: RUF009  frozen
    scopes: frozenset[str] = frozenset()
    issuer: str = ""
    """Who signed the caller's token; empty without a sign-in."""
    document: Any = None
    """The body of a post to MCP, where it is JSON as the protocol takes it."""

    def write_audit(self, audit: AuditLog | None, event_type: str, **fields: Any) -> None:
        """Audit an event of this request, where there is an audit log."""
        if audit:
            audit.write(audit_event(event_type, request_id=self.request_id, source_ip=self.address, **fields))


def request_context(scope: MutableMapping[str, Any]) -> RequestContext:
    context: RequestContext = scope["state"][STATE_KEY]
    return context


def attach_context(scope: MutableMapping[str, Any], context: RequestContext) -> None:
    scope.setdefault("state", {})[STATE_KEY] = context


def is_mcp_request(scope: MutableMapping[str, Any]) -> bool:
    return scope["path"] in (MCP_PATH, MCP_PATH + "/")
