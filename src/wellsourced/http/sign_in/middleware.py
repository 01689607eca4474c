"""The door in front of /mcp: who has no good token does not come in, and who has one is known by name behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from wellsourced.errors import WellsourcedError
from wellsourced.http.request_context import Visit, visit_of
from wellsourced.http.sign_in import challenges
from wellsourced.http.sign_in.claims import SignedIn
from wellsourced.http.sign_in.metadata import Resource
from wellsourced.http.sign_in.refusals import TokenRefused
from wellsourced.http.sign_in.scopes import Demands
from wellsourced.http.sign_in.tokens import Tokens

OnFailure: TypeAlias = Callable[[str, Visit], None]


class Door:
    """`locked` paths, and all below them, need a token. On `greeted` ones somebody without a token passes unnamed:
    what is behind has a lock of its own."""

    def __init__(
        self,
        app: ASGIApp,
        tokens: Tokens,
        resource: Resource,
        demands: Demands,
        on_failure: OnFailure,
        *,
        locked: Sequence[str],
        greeted: Sequence[str] = (),
    ) -> None:
        self._app = app
        self._tokens = tokens
        self._resource = resource
        self._demands = demands
        self._on_failure = on_failure
        self._locked = locked
        self._greeted = greeted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
            return
        refusal = await self._refusal(scope) if self._concerns(scope) else None
        await (refusal or self._app)(scope, receive, send)

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What sign-in has opened is closed when the app has ended."""
        try:
            await self._app(scope, receive, send)
        finally:
            await self._tokens.revoked.close()

    def _concerns(self, scope: Scope) -> bool:
        """Browsers that ask, without a token, whether they may ask at all were answered by the front door."""
        if scope["type"] != "http":
            return False
        if lies_below(scope["path"], self._locked):
            return True
        return lies_below(scope["path"], self._greeted) and bearer_token(scope) is not None

    async def _refusal(self, scope: Scope) -> Response | None:
        """None for somebody who may come in."""
        visit, metadata, usual = visit_of(scope), self._resource.metadata_address(scope), self._demands.usual
        token = bearer_token(scope)
        if token is None:
            return challenges.no_token(metadata, usual)
        try:
            signed_in = await self._tokens.verify(token)
        except TokenRefused as refused:
            self._on_failure(refused.reason, visit)
            return challenges.bad_token(refused.sentence, metadata, usual)
        except WellsourcedError as problem:
            self._on_failure("unavailable", visit)
            return challenges.not_now(problem)
        lacking = self._demands.to_ask_for(signed_in.scopes, visit.tools)
        if lacking:
            self._on_failure("insufficient_scope", visit)
            return challenges.too_little(metadata, lacking)
        self._let_in(scope, visit, signed_in)
        return None

    def _let_in(self, scope: Scope, visit: Visit, signed_in: SignedIn) -> None:
        """The SDK answers 404 when a session is asked for by another than its maker, and goes by this user."""
        visit.identity, visit.scopes = signed_in.identity, signed_in.scopes
        scope["user"] = AuthenticatedUser(
            AccessToken(
                token="",
                client_id=signed_in.identity.owner,
                scopes=sorted(signed_in.scopes),
                claims={"iss": self._resource.issuer},
            )
        )


def lies_below(path: str, places: Sequence[str]) -> bool:
    return any(path == place or path.startswith(place + "/") for place in places)


def bearer_token(scope: Scope) -> str | None:
    """What follows `Bearer`; None where no such header was sent. Two headers make one that is no token."""
    sent = b", ".join(value for name, value in scope["headers"] if name == b"authorization")
    kind, _, token = sent.decode("latin-1").strip().partition(" ")
    return token.strip() if kind.lower() == "bearer" else None
