"""POST /oauth/revoke (RFC 7009): whoever has a token may end it; who has the admin key may end any, also by its jti."""

from __future__ import annotations

import time
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from wellsourced.errors import BadInput, WellsourcedError
from wellsourced.http.admin_key import HEADER, holds_key
from wellsourced.http.request_context import visit_of
from wellsourced.http.sign_in import challenges
from wellsourced.http.sign_in.claims import CLOCK_SKEW, moment, named, token_id
from wellsourced.http.sign_in.jws import LONGEST_TOKEN, take_apart
from wellsourced.http.sign_in.middleware import OnFailure
from wellsourced.http.sign_in.refusals import TokenRefused
from wellsourced.http.sign_in.tokens import Tokens
from wellsourced.settings import Settings
from wellsourced.storage.audit.log import AuditLog

PATH = "/oauth/revoke"
LARGEST_FORM = 4 * LONGEST_TOKEN
MOST_FIELDS = 20
LONGEST_JTI = 1024
FORM = "application/x-www-form-urlencoded"
# Of a token known by its jti alone nobody can say when it expires.
TEN_YEARS = 10 * 366 * 86400.0


class Revocation:
    def __init__(self, tokens: Tokens, settings: Settings, audit: AuditLog | None, on_failure: OnFailure) -> None:
        self._tokens = tokens
        self._settings = settings
        self._audit = audit
        self._on_failure = on_failure

    def route(self) -> Route:
        return Route(PATH, self._answer, methods=["POST"])

    async def _answer(self, request: Request) -> Response:
        try:
            form, is_admin = await read_form(request), self._is_admin(request)
            if "jti" in form:
                await self._revoke_named(form["jti"], is_admin)
            else:
                await self._revoke(form.get("token", ""), is_admin)
        except TokenRefused as refused:
            if HEADER not in request.headers:  # a wrong key was audited by the door that counts them
                self._on_failure(refused.reason, visit_of(request.scope))
            return told(401, "invalid_client", refused.sentence)
        except BadInput as wrong:
            return told(400, "invalid_request", wrong.sentence)
        except WellsourcedError as problem:
            return challenges.not_now(problem)
        return Response(status_code=200, headers=challenges.NO_STORE)

    def _is_admin(self, request: Request) -> bool:
        if HEADER not in request.headers:
            return False
        if not holds_key(request, self._settings, self._audit):
            raise TokenRefused("admin_key_invalid", "The key in X-Admin-Key is not the admin key.")
        return True

    async def _revoke_named(self, jti: str, is_admin: bool) -> None:
        if not is_admin:
            raise TokenRefused("admin_key_missing", "Revoking by jti needs the admin key in the header X-Admin-Key.")
        if not 0 < len(jti) <= LONGEST_JTI:
            raise BadInput(f"jti must have 1 to {LONGEST_JTI} characters.")
        await self._tokens.revoke(named(jti), time.time() + TEN_YEARS)

    async def _revoke(self, token: str, is_admin: bool) -> None:
        """A token that is not good anyway needs no revoking, and RFC 7009 (2.2) wants that to be no error."""
        if not token:
            raise BadInput("Send the token to be revoked as the form field token.")
        try:
            if is_admin:
                parts = take_apart(token)
                ends = moment(parts.claims, "exp") or time.time()
                await self._tokens.revoke(token_id(parts), ends + CLOCK_SKEW)
            else:
                signed_in = await self._tokens.verify(token)
                await self._tokens.revoke(signed_in.token_id, signed_in.gone_at)
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


def told(status: int, error: str, sentence: str) -> Response:
    return JSONResponse({"error": error, "error_description": sentence}, status, headers=challenges.NO_STORE)
