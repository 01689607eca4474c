"""What an administrative request names: in its address, or as a JSON object in its body.

What nobody would read is refused: a slip of the pen must not turn one person into a whole tenant.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request

from wellsourced.errors import BadInput
from wellsourced.http.sign_in.claims import LONGEST_NAME, is_name
from wellsourced.identity import Identity

LONGEST_BODY = 64 * 1024


async def query_of(request: Request, *names: str) -> dict[str, Any]:
    """The address's parameters."""
    if await request.body():
        raise BadInput("A body is not read here; name everything in the address.")
    return parameters(request, names)


def parameters(request: Request, names: Sequence[str]) -> dict[str, Any]:
    """Of two of a name nobody could say which is meant."""
    pairs = request.query_params.multi_items()
    found = dict(pairs)
    if len(found) < len(pairs):
        raise BadInput("A parameter was sent twice.")
    return only(found, names)


def only(given: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    for name in given:
        if name not in names:
            raise BadInput(f"{name[:60]!r} is not understood here; this takes {', '.join(names)}.")
    return given


async def body_of(request: Request, *names: str) -> dict[str, Any]:
    """The JSON object that was sent."""
    body = await request.body()
    if len(body) > LONGEST_BODY:
        raise BadInput(f"The body has {len(body)} bytes; it may have {LONGEST_BODY}.")
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BadInput('The body must be a JSON object, for example {"tenant_id": "acme", "user_id": "ada"}.')
    return only(found, names)


async def named(request: Request, *names: str) -> dict[str, Any]:
    """The address's parameters where there are any, else the body."""
    return await query_of(request, *names) if request.query_params else await body_of(request, *names)


def text(given: dict[str, Any], name: str, *, is_needed: bool = True) -> str:
    """An id or a word, by the rules by which sign-in takes names from a token."""
    value = given.get(name)
    if value is None or value == "":
        if is_needed:
            raise BadInput(f"{name} is required")
        return ""
    if not is_name(value):
        raise BadInput(f"{name} must be a string of 1 to {LONGEST_NAME} printable characters, without blanks around.")
    return str(value)


def flag(given: dict[str, Any], name: str) -> bool:
    value = given.get(name)
    if not isinstance(value, bool):
        raise BadInput(f"{name} is required and must be true or false.")
    return value


def person(given: dict[str, Any]) -> Identity:
    return Identity(text(given, "tenant_id"), text(given, "user_id"))
