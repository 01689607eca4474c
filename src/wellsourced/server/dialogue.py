"""The requests that need the house: tool calls, resources, prompts, completions. Both transports speak through here."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping
from typing import Any

from wellsourced.desk import Desk
from wellsourced.errors import BadInput
from wellsourced.model.answer import Answer, encode
from wellsourced.model.identity import Identity
from wellsourced.research.call import Progress, no_progress
from wellsourced.server import prompts
from wellsourced.server.completions import complete
from wellsourced.server.listings import Listings
from wellsourced.server.resources import read
from wellsourced.server.rpc import INVALID_PARAMS, METHOD_NOT_FOUND, RESOURCE_NOT_FOUND, ProtocolError

INLINE = "wellsourced/inline"
JSON = "application/json"
QUIET_SECONDS = 0.2


class Dialogue:
    def __init__(self, desk: Desk, listings: Listings) -> None:
        self.desk = desk
        self.listings = listings
        self._expects_reading = False

    async def call_tool(
        self,
        params: Mapping[str, Any],
        *,
        identity: Identity | None = None,
        progress: Progress | None = None,
        request_id: str = "",
        source_ip: str = "",
    ) -> Answer:
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not self.listings.offers(name):
            raise ProtocolError(INVALID_PARAMS, f"Unknown tool: {name}")
        if not isinstance(arguments, dict | None):
            raise ProtocolError(INVALID_PARAMS, "arguments must be a JSON object.")
        meta = params.get("_meta") or {}
        answer = await self.desk.call(
            name,
            arguments or {},
            identity=identity,
            progress=progress or no_progress,
            inline=meta.get(INLINE) is True,
            request_id=request_id or uuid.uuid4().hex,
            source_ip=source_ip,
        )
        self._expect_reading()
        return answer

    def _expect_reading(self) -> None:
        """After the first call, once its answer is out: the next one may well be a page."""
        if not self._expects_reading:
            self._expects_reading = True
            loop = asyncio.get_running_loop()
            loop.call_later(QUIET_SECONDS, loop.run_in_executor, None, self.desk.get_ready_to_read)

    async def handle(
        self, method: str, params: Mapping[str, Any], *, identity: Identity | None = None, is_modern: bool = False
    ) -> dict[str, Any]:
        match method:
            case "resources/read":
                return await self._read(params, identity or self.desk.local_user, is_modern)
            case "prompts/get":
                return self._prompt(params)
            case "completion/complete":
                return self._complete(params)
            case _:
                raise ProtocolError(METHOD_NOT_FOUND, "Method not found", method)

    async def _read(self, params: Mapping[str, Any], identity: Identity, is_modern: bool) -> dict[str, Any]:
        uri = params.get("uri")
        if not isinstance(uri, str):
            raise ProtocolError(INVALID_PARAMS, "resources/read needs a uri.")
        body = await read(self.desk, uri, identity)
        if body is None:
            code = INVALID_PARAMS if is_modern else RESOURCE_NOT_FOUND
            raise ProtocolError(code, f"Resource not found, or no longer kept: {uri}", {"uri": uri})
        text = body.decode() if isinstance(body, bytes) else encode(body).decode()
        return {"contents": [{"uri": uri, "mimeType": JSON, "text": text}]}

    def _prompt(self, params: Mapping[str, Any]) -> dict[str, Any]:
        name, arguments = params.get("name"), params.get("arguments") or {}
        if not isinstance(name, str) or not isinstance(arguments, dict):
            raise ProtocolError(INVALID_PARAMS, "prompts/get needs a name and, where given, an object of arguments.")
        try:
            return prompts.render(name, arguments)
        except BadInput as error:
            raise ProtocolError(INVALID_PARAMS, error.sentence) from None

    def _complete(self, params: Mapping[str, Any]) -> dict[str, Any]:
        argument = params.get("argument")
        if not isinstance(argument, dict) or not isinstance(argument.get("name"), str):
            raise ProtocolError(INVALID_PARAMS, "completion/complete needs an argument with a name and a value.")
        reference = params.get("ref")
        prompt = reference.get("name") if isinstance(reference, dict) else None
        return {"completion": complete(self.desk, prompt, argument["name"], str(argument.get("value", "")))}
