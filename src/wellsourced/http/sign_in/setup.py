"""Sign-in as one piece, made from the settings: a door for the asgi_app, and the routes beside it."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

from starlette.routing import Route
from starlette.types import ASGIApp

from wellsourced.app import Application
from wellsourced.http.request_context import Visit
from wellsourced.http.sign_in.claims import Rules
from wellsourced.http.sign_in.issuer_keys import Keys
from wellsourced.http.sign_in.metadata import MCP_PATH, Resource
from wellsourced.http.sign_in.middleware import Door, OnFailure
from wellsourced.http.sign_in.revoke import Revocation
from wellsourced.http.sign_in.scopes import Demands
from wellsourced.http.sign_in.tokens import Tokens
from wellsourced.settings import Settings
from wellsourced.storage.audit.event import audit_event
from wellsourced.storage.audit.log import AuditLog
from wellsourced.storage.revoked_tokens import (
    MemoryRevokedTokens,
    RedisRevokedTokens,
    RevokedTokens,
    SqliteRevokedTokens,
)
from wellsourced.text.urls import normalize_base_url

LOCKED = (MCP_PATH,)
# The workbench has a lock of its own, to which the admin key fits as well as a token.
GREETED = ("/api",)

logger = logging.getLogger("wellsourced")


@dataclass(frozen=True, slots=True)
class SignIn:
    tokens: Tokens
    resource: Resource
    demands: Demands
    on_failure: OnFailure
    settings: Settings
    audit: AuditLog | None

    @property
    def routes(self) -> list[Route]:
        revocation = Revocation(self.tokens, self.settings, self.audit, self.on_failure)
        return [*self.resource.routes(), revocation.route()]

    def door(self, asgi_app: ASGIApp) -> Door:
        return Door(asgi_app, self.tokens, self.resource, self.demands, self.on_failure, locked=LOCKED, greeted=GREETED)


def sign_in(app: Application) -> SignIn | None:
    """None where no issuer is configured. `sign_in_problems` must have been empty."""
    settings = app.settings
    if not settings.is_set("OAUTH_ISSUER_URL"):
        return None
    issuer, public_url = settings.text("OAUTH_ISSUER_URL"), normalize_base_url(settings.text("PUBLIC_URL"))
    demands = Demands(settings.names("REQUIRED_SCOPES"), settings.flag("ENFORCE_SCOPES"))
    rules = Rules(issuer, settings.text("OAUTH_AUDIENCE") or public_url + MCP_PATH)
    return SignIn(
        tokens=Tokens(Keys(app.client, issuer, settings.seconds("JWKS_REFRESH_INTERVAL")), rules, make_revoked(app)),
        resource=Resource(public_url, issuer, demands.usual),
        demands=demands,
        on_failure=partial(report_failure, app.audit),
        settings=settings,
        audit=app.audit,
    )


def report_failure(audit: AuditLog | None, reason: str, visit: Visit) -> None:
    logger.info("Sign-in failed (%s) from %s, request %s", reason, visit.address, visit.request_id)
    if audit:
        told = partial(audit_event, request_id=visit.request_id, source_ip=visit.address)
        audit.write(told("auth.failure", success=False, error_code=reason))


def make_revoked(app: Application) -> RevokedTokens:
    if app.settings.is_set("REDIS_URL"):
        from wellsourced.storage.redis_client import RedisClient

        return RedisRevokedTokens(RedisClient(app.settings.text("REDIS_URL")))
    return SqliteRevokedTokens(app.store.database) if app.store else MemoryRevokedTokens()


def sign_in_problems(settings: Settings) -> list[str]:
    """What must be mended before the server starts: an audience taken from a request would be the caller's choice."""
    found = [
        f"{name}: it is not understood; it accepts an address such as https://{example}."
        for name, example in (("OAUTH_ISSUER_URL", "login.example.org/realms/staff"), ("PUBLIC_URL", "mcp.example.org"))
        if settings.is_set(name) and not is_address(settings.text(name))
    ]
    if normalize_base_url(settings.text("PUBLIC_URL")).endswith(MCP_PATH):
        found.append(f"PUBLIC_URL: leave out {MCP_PATH} at its end; clients find that below the address given here.")
    if settings.is_set("OAUTH_ISSUER_URL") and not (settings.is_set("OAUTH_AUDIENCE") or settings.is_set("PUBLIC_URL")):
        found.append(
            "OAUTH_ISSUER_URL is set, but not whom tokens must be for: set PUBLIC_URL to this server's address, or "
            "OAUTH_AUDIENCE to the audience the issuer puts into its tokens."
        )
    return found


def is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    is_bare = not parts.query and not parts.fragment and "@" not in parts.netloc
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and is_bare
