"""What a caller is told who may not come in: the challenge in the header, a sentence in the body (RFC 6750, 9728)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from starlette.responses import JSONResponse

from wellsourced.errors import WellsourcedError

NO_STORE = {"Cache-Control": "no-store"}
USUAL_WAIT = 10


def no_token(metadata: str, scopes: Sequence[str]) -> JSONResponse:
    """Without `error`, since nothing was wrong: the caller has not tried yet."""
    sentence = "Sign in first: send a token of this server's issuer as Authorization: Bearer. The header says where."
    return denied(401, "sign_in_required", sentence, challenge(metadata, scopes))


def bad_token(sentence: str, metadata: str, scopes: Sequence[str]) -> JSONResponse:
    told = challenge(metadata, scopes, error="invalid_token", error_description=sentence)
    return denied(401, "invalid_token", sentence, told)


def too_little(metadata: str, scopes: Sequence[str]) -> JSONResponse:
    sentence = "The token is good, but not for this: it lacks a scope. The header says which to ask for."
    told = challenge(metadata, scopes, error="insufficient_scope", error_description=sentence)
    return denied(403, "insufficient_scope", sentence, told)


def not_now(problem: WellsourcedError) -> JSONResponse:
    """Nobody can say whether the token is good. That is not the caller's fault, and a new token would not help."""
    wait = math.ceil(problem.retry_after or problem.default_wait or USUAL_WAIT)
    sentence = "Sign-in cannot be checked at the moment; your token may be fine. Try again shortly."
    body = {"error": "temporarily_unavailable", "error_description": sentence}
    return JSONResponse(body, 503, headers={**NO_STORE, "Retry-After": str(wait)})


def denied(status: int, error: str, sentence: str, told: str) -> JSONResponse:
    body = {"error": error, "error_description": sentence}
    return JSONResponse(body, status, headers={**NO_STORE, "WWW-Authenticate": told})


def challenge(metadata: str, scopes: Sequence[str], **error: str) -> str:
    parts = {**error, "resource_metadata": metadata, "scope": " ".join(scopes)}
    return "Bearer " + ", ".join(f'{name}="{quotable(value)}"' for name, value in parts.items() if value)


def quotable(text: str) -> str:
    """What RFC 6750 (3) lets stand between quotes."""
    return "".join(character for character in text if " " <= character <= "~" and character not in '"\\')
