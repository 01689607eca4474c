"""One administrative request: what it names, in its query or as a JSON object in its body, and how it is answered.

Whatever would be ignored is refused: a misspelt parameter must not turn one person into a whole tenant.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse

from wellsourced.app import Application
from wellsourced.errors import BadInput
from wellsourced.http.request_context import request_context
from wellsourced.http.sign_in.claims import LONGEST_NAME, is_name
from wellsourced.identity import Identity

NO_STORE = {"Cache-Control": "no-store"}
LONGEST_BODY = 64 * 1024
ADMIN = "admin"
EVERYBODY = "*"


@dataclass(frozen=True, slots=True)
class AdminRequest:
    """A request of somebody who sent the admin key."""

    app: Application
    request: Request

    def write_audit(
        self, event_type: str, identity: Identity | None = None, *, success: bool = True, **metadata: object
    ) -> None:
        """Audit what was done, to whom, from where."""
        known = {name: value for name, value in metadata.items() if value is not None}
        fields: dict[str, Any] = {"identity": identity, "success": success, "metadata": {"actor": ADMIN, **known}}
        request_context(self.request.scope).write_audit(self.app.audit, event_type, **fields)

    async def query(self, *names: str) -> AdminFields:
        """The parameters of the query, none of them twice, since nobody could say which one is meant."""
        if await self.request.body():
            raise BadInput("A body is not read here; name everything in the address.")
        pairs = self.request.query_params.multi_items()
        parameters = dict(pairs)
        if len(parameters) < len(pairs):
            raise BadInput("A parameter was sent twice.")
        return AdminFields(parameters, names)

    async def body(self, *names: str) -> AdminFields:
        """The JSON object that was sent."""
        body = await self.request.body()
        if len(body) > LONGEST_BODY:
            raise BadInput(f"The body has {len(body)} bytes; it may have {LONGEST_BODY}.")
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise BadInput('The body must be a JSON object, for example {"tenant_id": "acme", "user_id": "ada"}.')
        return AdminFields(value, names)

    async def query_or_body(self, *names: str) -> AdminFields:
        return await (self.query(*names) if self.request.query_params else self.body(*names))


class AdminFields:
    """The named values of a request; a name that is not among `allowed` is refused."""

    def __init__(self, values: dict[str, Any], allowed: Sequence[str]) -> None:
        for name in values:
            if name not in allowed:
                raise BadInput(f"{name[:60]!r} is not understood here; this takes {', '.join(allowed)}.")
        self._values = values

    def text(self, name: str) -> str:
        """An id or a word, by the rules by which sign-in takes names from a token."""
        value = self._values.get(name)
        if value is None or value == "":
            raise BadInput(f"{name} is required")
        if not is_name(value):
            raise BadInput(
                f"{name} must be a string of 1 to {LONGEST_NAME} printable characters, without blanks around."
            )
        return str(value)

    def sent_text(self, name: str) -> str | None:
        """None where the name was not sent. A name that was sent without a value is refused: a user_id left empty by
        mistake would else erase a whole tenant."""
        return self.text(name) if name in self._values else None

    def optional_text(self, name: str) -> str | None:
        """None where the name was not sent or its value is empty."""
        return self.text(name) if self._values.get(name) not in (None, "") else None

    def flag(self, name: str) -> bool:
        value = self._values.get(name)
        if not isinstance(value, bool):
            raise BadInput(f"{name} is required and must be true or false.")
        return value

    def person(self) -> Identity:
        return Identity(self.text("tenant_id"), self.text("user_id"))


def json_response(body: dict[str, Any], status: int = 200) -> JSONResponse:
    return JSONResponse(body, status, headers=NO_STORE)


def error_response(status: int, error: str, sentence: str, headers: dict[str, str] | None = None) -> JSONResponse:
    body = {"error": error, "error_description": sentence}
    return JSONResponse(body, status, headers={**NO_STORE, **(headers or {})})
