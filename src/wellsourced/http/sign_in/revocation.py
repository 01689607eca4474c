"""POST /oauth/revoke (RFC 7009): whoever has a token may end it; who has the admin key may end any, also by its jti."""

from __future__ import annotations

import time
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from wellsourced.errors import BadInput, WellsourcedError
from wellsourced.http.admin_key import HEADER, holds_admin_key
from wellsourced.http.request_context import request_context
from wellsourced.http.sign_in import challenges
from wellsourced.http.sign_in.claims import CLOCK_SKEW, jti_token_id, time_claim, token_id
from wellsourced.http.sign_in.middleware import OnFailure
from wellsourced.http.sign_in.signed_token import LONGEST_TOKEN, TokenRefused, parse_token
from wellsourced.http.sign_in.token_verifier import TokenVerifier
from wellsourced.settings import Settings
from wellsourced.storage.audit.log import AuditLog

PATH = "/oauth/revoke"
LARGEST_FORM = 4 * LONGEST_TOKEN
MOST_FIELDS = 20
LONGEST_JTI = 1024
FORM = "application/x-www-form-urlencoded"
# Of a token known by its jti alone nobody can say when it expires.
TEN_YEARS = 10 * 366 * 86400.0


class RevocationEndpoint:
    def __init__(
        self, verifier: TokenVerifier, settings: Settings, audit: AuditLog | None, on_failure: OnFailure
    ) -> None:
        self._verifier = verifier
        self._settings = settings
        self._audit = audit
        self._on_failure = on_failure

    def route(self) -> Route:
        return Route(PATH, self._answer, methods=["POST"])

    async def _answer(self, request: Request) -> Response:
        try:
            form, is_admin = await read_form(request), self._is_admin(request)
            if "jti" in form:
                await self._revoke_by_jti(form["jti"], is_admin)
            else:
                await self._revoke_token(form.get("token", ""), is_admin)
        except TokenRefused as refused:
            if HEADER not in request.headers:  # a wrong key was audited by AdminKeyGuessMiddleware
                self._on_failure(refused.reason, request_context(request.scope))
            return error_response(401, "invalid_client", refused.sentence)
        except BadInput as wrong:
            return error_response(400, "invalid_request", wrong.sentence)
        except WellsourcedError as problem:
            return challenges.sign_in_unavailable(problem)
        return Response(status_code=200, headers=challenges.NO_STORE)

    def _is_admin(self, request: Request) -> bool:
        if HEADER not in request.headers:
            return False
        if not holds_admin_key(request, self._settings, self._audit):
            raise TokenRefused("admin_key_invalid", "The key in X-Admin-Key is not the admin key.")
        return True

    async def _revoke_by_jti(self, jti: str, is_admin: bool) -> None:
        if not is_admin:
            raise TokenRefused("admin_key_missing", "Revoking by jti needs the admin key in the header X-Admin-Key.")
        if not 0 < len(jti) <= LONGEST_JTI:
            raise BadInput(f"jti must have 1 to {LONGEST_JTI} characters.")
        await self._verifier.revoke(jti_token_id(jti), time.time() + TEN_YEARS)

    async def _revoke_token(self, token: str, is_admin: bool) -> None:
        """An invalid token needs no revoking, and by RFC 7009 (2.2) it is no error either."""
        if not token:
            raise BadInput("Send the token to be revoked as the form field token.")
        try:
            if is_admin:
                parsed = parse_token(token)
                expires = time_claim(parsed.claims, "exp") or time.time()
                await self._verifier.revoke(token_id(parsed), expires + CLOCK_SKEW)
            else:
                signed_in = await self._verifier.verify(token)
                await self._verifier.revoke(signed_in.token_id, signed_in.refused_from)
        except TokenRefused:
            return


async def read_form(request: Request) -> dict[str, str]:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise BadInput(f"Send a form: Content-Type: {FORM}.")
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_FORM:
            raise BadInput(f"The form is larger than {LARGEST_FORM} bytes.")
    try:
        fields = parse_qs(body.decode("ascii"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise BadInput("The form is not understood; it looks like token=…") from None
    if any(len(values) > 1 for values in fields.values()):
        raise BadInput("A field of the form was sent twice.")
    return {name: values[0] for name, values in fields.items()}


def error_response(status: int, error: str, sentence: str) -> Response:
    return JSONResponse({"error": error, "error_description": sentence}, status, headers=challenges.NO_STORE)
