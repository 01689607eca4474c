"""The responses to a caller who is not let in: a challenge in the header, a sentence in the body (RFC 6750, 9728)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from starlette.responses import JSONResponse

from wellsourced.errors import WellsourcedError

NO_STORE = {"Cache-Control": "no-store"}
USUAL_WAIT = 10


def token_missing(metadata: str, scopes: Sequence[str]) -> JSONResponse:
    """Without `error`, since nothing was wrong: the caller has not tried yet."""
    sentence = "Sign in first: send a token of this server's issuer as Authorization: Bearer. The header says where."
    return denied(401, "sign_in_required", sentence, challenge(metadata, scopes))


def token_invalid(sentence: str, metadata: str, scopes: Sequence[str]) -> JSONResponse:
    header = challenge(metadata, scopes, error="invalid_token", error_description=sentence)
    return denied(401, "invalid_token", sentence, header)


def scope_missing(metadata: str, scopes: Sequence[str]) -> JSONResponse:
    sentence = "The token is good, but not for this: it lacks a scope. The header says which to ask for."
    header = challenge(metadata, scopes, error="insufficient_scope", error_description=sentence)
    return denied(403, "insufficient_scope", sentence, header)


def sign_in_unavailable(problem: WellsourcedError) -> JSONResponse:
    """The token could not be checked. That is not the caller's fault, and a new token would not help."""
    wait = math.ceil(problem.retry_after or problem.default_wait or USUAL_WAIT)
    sentence = "Sign-in cannot be checked at the moment; your token may be fine. Try again shortly."
    body = {"error": "temporarily_unavailable", "error_description": sentence}
    return JSONResponse(body, 503, headers={**NO_STORE, "Retry-After": str(wait)})


def denied(status: int, error: str, sentence: str, header: str) -> JSONResponse:
    body = {"error": error, "error_description": sentence}
    return JSONResponse(body, status, headers={**NO_STORE, "WWW-Authenticate": header})


def challenge(metadata: str, scopes: Sequence[str], **error: str) -> str:
    parts = {**error, "resource_metadata": metadata, "scope": " ".join(scopes)}
    return "Bearer " + ", ".join(f'{name}="{quotable_text(value)}"' for name, value in parts.items() if value)


def quotable_text(text: str) -> str:
    """The characters that RFC 6750 (3) allows between quotes."""
    return "".join(character for character in text if " " <= character <= "~" and character not in '"\\')
