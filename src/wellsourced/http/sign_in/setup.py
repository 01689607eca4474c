"""Builds sign-in from the settings: the middleware, the routes, and what is wrong with the settings."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

from starlette.routing import Route
from starlette.types import ASGIApp

from wellsourced.app import Application
from wellsourced.http.request_context import MCP_PATH, RequestContext
from wellsourced.http.sign_in.claims import TokenRules
from wellsourced.http.sign_in.issuer_keys import IssuerKeys
from wellsourced.http.sign_in.middleware import OnFailure, SignInMiddleware
from wellsourced.http.sign_in.protected_resource import ProtectedResource
from wellsourced.http.sign_in.revocation import RevocationEndpoint
from wellsourced.http.sign_in.scopes import RequiredScopes
from wellsourced.http.sign_in.token_verifier import TokenVerifier
from wellsourced.settings import Settings
from wellsourced.storage.audit.log import AuditLog
from wellsourced.storage.revoked_tokens import (
    RedisRevokedTokens,
    RevokedTokens,
    SqliteRevokedTokens,
)
from wellsourced.text.urls import normalize_base_url

TOKEN_REQUIRED = (MCP_PATH,)
# The workbench checks access itself, since it accepts the admin key as well as a token.
TOKEN_OPTIONAL = ("/api",)

logger = logging.getLogger("wellsourced")


@dataclass(frozen=True, slots=True)
class SignIn:
    verifier: TokenVerifier
    resource: ProtectedResource
    scopes: RequiredScopes
    on_failure: OnFailure
    settings: Settings
    audit: AuditLog | None

    @property
    def routes(self) -> list[Route]:
        revocation = RevocationEndpoint(self.verifier, self.settings, self.audit, self.on_failure)
        return [*self.resource.routes(), revocation.route()]

    def middleware(self, app: ASGIApp) -> SignInMiddleware:
        return SignInMiddleware(
            app,
            self.verifier,
            self.resource,
            self.scopes,
            self.on_failure,
            required=TOKEN_REQUIRED,
            optional=TOKEN_OPTIONAL,
        )


def sign_in(app: Application) -> SignIn | None:
    """None where no issuer is configured. `sign_in_problems` must have been empty."""
    settings = app.settings
    if not settings.is_set("OAUTH_ISSUER_URL"):
        return None
    issuer, public_url = settings.text("OAUTH_ISSUER_URL"), normalize_base_url(settings.text("PUBLIC_URL"))
    scopes = RequiredScopes(settings.names("REQUIRED_SCOPES"), settings.flag("ENFORCE_SCOPES"))
    rules = TokenRules(issuer, settings.text("OAUTH_AUDIENCE") or public_url + MCP_PATH)
    keys = IssuerKeys(app.client, issuer, settings.seconds("JWKS_REFRESH_INTERVAL"))
    return SignIn(
        verifier=TokenVerifier(keys, rules, revoked_tokens(app)),
        resource=ProtectedResource(public_url, issuer, scopes.initial),
        scopes=scopes,
        on_failure=partial(report_failure, app.audit),
        settings=settings,
        audit=app.audit,
    )


def report_failure(audit: AuditLog | None, reason: str, context: RequestContext) -> None:
    logger.info("Sign-in failed (%s) from %s, request %s", reason, context.address, context.request_id)
    context.write_audit(audit, "auth.failure", success=False, error_code=reason)


def revoked_tokens(app: Application) -> RevokedTokens:
    if app.settings.is_set("REDIS_URL"):
        from wellsourced.storage.redis_client import RedisClient

        return RedisRevokedTokens(RedisClient(app.settings.text("REDIS_URL")))
    return SqliteRevokedTokens(app.store.database)


def sign_in_problems(settings: Settings) -> list[str]:
    """What must be corrected before the server starts. An audience taken from a request would be the caller's choice,
    so one must be configured."""
    problems = [
        f"{name}: it is not understood; it accepts an address such as https://{example}."
        for name, example in (("OAUTH_ISSUER_URL", "login.example.org/realms/staff"), ("PUBLIC_URL", "mcp.example.org"))
        if settings.is_set(name) and not is_address(settings.text(name))
    ]
    if normalize_base_url(settings.text("PUBLIC_URL")).endswith(MCP_PATH):
        problems.append(f"PUBLIC_URL: leave out {MCP_PATH} at its end; clients find that below the address given here.")
    if settings.is_set("OAUTH_ISSUER_URL") and not (settings.is_set("OAUTH_AUDIENCE") or settings.is_set("PUBLIC_URL")):
        problems.append(
            "OAUTH_ISSUER_URL is set, but not whom tokens must be for: set PUBLIC_URL to this server's address, or "
            "OAUTH_AUDIENCE to the audience the issuer puts into its tokens."
        )
    return problems


def is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    is_bare = not parts.query and not parts.fragment and "@" not in parts.netloc
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and is_bare
