"""Refuses requests to /mcp without a valid token, and puts the identity of a valid one into the request context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from wellsourced.errors import WellsourcedError
from wellsourced.http.request_context import RequestContext, request_context
from wellsourced.http.sign_in import challenges
from wellsourced.http.sign_in.protected_resource import ProtectedResource
from wellsourced.http.sign_in.scopes import RequiredScopes
from wellsourced.http.sign_in.signed_token import TokenRefused
from wellsourced.http.sign_in.token_verifier import TokenVerifier

OnFailure: TypeAlias = Callable[[str, RequestContext], None]


class SignInMiddleware:
    """`required` paths, and all below them, need a token. On `optional` ones a request without a token passes as
    anonymous: the endpoints there check access themselves."""

    def __init__(
        self,
        app: ASGIApp,
        verifier: TokenVerifier,
        resource: ProtectedResource,
        scopes: RequiredScopes,
        on_failure: OnFailure,
        *,
        required: Sequence[str],
        optional: Sequence[str] = (),
    ) -> None:
        self._app = app
        self._verifier = verifier
        self._resource = resource
        self._scopes = scopes
        self._on_failure = on_failure
        self._required = required
        self._optional = optional

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._run_lifespan(scope, receive, send)
            return
        refusal = await self._refusal(scope) if self._applies_to(scope) else None
        await (refusal or self._app)(scope, receive, send)

    async def _run_lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Close the store of revoked tokens when the app has ended."""
        try:
            await self._app(scope, receive, send)
        finally:
            await self._verifier.revoked.close()

    def _applies_to(self, scope: Scope) -> bool:
        """Preflights, which have no token, were answered by the CORS middleware."""
        if scope["type"] != "http":
            return False
        if is_below(scope["path"], self._required):
            return True
        return is_below(scope["path"], self._optional) and bearer_token(scope) is not None

    async def _refusal(self, scope: Scope) -> Response | None:
        """None for a request that may pass."""
        context, metadata, initial = (
            request_context(scope),
            self._resource.metadata_address(scope),
            self._scopes.initial,
        )
        token = bearer_token(scope)
        if token is None:
            return challenges.token_missing(metadata, initial)
        try:
            signed_in = await self._verifier.verify(token)
        except TokenRefused as refused:
            self._on_failure(refused.reason, context)
            return challenges.token_invalid(refused.sentence, metadata, initial)
        except WellsourcedError as problem:
            self._on_failure("unavailable", context)
            return challenges.sign_in_unavailable(problem)
        missing = self._scopes.missing(signed_in.scopes, context.tools)
        if missing:
            self._on_failure("insufficient_scope", context)
            return challenges.scope_missing(metadata, missing)
        context.identity, context.scopes = signed_in.identity, signed_in.scopes
        context.issuer = self._resource.issuer
        return None


def is_below(path: str, prefixes: Sequence[str]) -> bool:
    return any(path == prefix or path.startswith(prefix + "/") for prefix in prefixes)


def bearer_token(scope: Scope) -> str | None:
    """What follows `Bearer`; None without such a header. Two headers are joined, which makes no valid token."""
    sent = b", ".join(value for name, value in scope["headers"] if name == b"authorization")
    kind, _, token = sent.decode("latin-1").strip().partition(" ")
    return token.strip() if kind.lower() == "bearer" else None
