"""Handles the requests that need the application, for both transports: tool calls, resources, prompts, completions."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from wellsourced.app import Application
from wellsourced.errors import BadInput
from wellsourced.identity import Identity
from wellsourced.mcp.json_rpc import INVALID_PARAMS, METHOD_NOT_FOUND, RESOURCE_NOT_FOUND, ProtocolError, meta_of
from wellsourced.mcp.listings import Listings
from wellsourced.mcp.resources import CHOOSABLE_KINDS, read_resource
from wellsourced.tool import registry
from wellsourced.tool.answer import ToolAnswer, encode_json
from wellsourced.tool.call import Progress, new_request_id, no_progress
from wellsourced.upstreams import all_upstreams

INLINE = "wellsourced/inline"
LINKS = "wellsourced/links"
JSON = "application/json"
LONGEST_ECHO = 200
USUAL = frozenset({"web_search", "scrape_page", "search_and_scrape"})
NEEDED_TO_COMPLETE = (
    "completion/complete needs a ref (a ref/prompt with its name, or a ref/resource with its uri) and an argument "
    "with a name and a value."
)


class Dispatcher:
    def __init__(self, app: Application, listings: Listings, *, serves_many: bool = False) -> None:
        self.app = app
        self.listings = listings
        self._unloaded = set(registry.names()) if serves_many else set[str]()
        self._loading_all: asyncio.Future[None] | None = None

    async def call_tool(
        self,
        params: dict[str, Any],
        *,
        identity: Identity | None = None,
        progress: Progress | None = None,
        request_id: str = "",
        source_ip: str = "",
        most_bytes: int = 0,
    ) -> ToolAnswer:
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str):
            raise ProtocolError(INVALID_PARAMS, "tools/call needs the name of a tool.")
        if not self.listings.offers(name):
            raise ProtocolError(INVALID_PARAMS, f"Unknown tool: {name[:LONGEST_ECHO]}")
        if not isinstance(arguments, dict | None):
            raise ProtocolError(INVALID_PARAMS, "arguments must be a JSON object.")
        if name in self._unloaded:
            await self._load(name)
        return await self.app.call(
            name,
            arguments or {},
            identity=identity,
            progress=progress or no_progress,
            inline=meta_of(params).get(INLINE) is True,
            links=meta_of(params).get(LINKS) is True,
            most_bytes=most_bytes,
            request_id=request_id or new_request_id(),
            source_ip=source_ip,
        )

    def get_ready(self) -> asyncio.Future[None]:
        """Load in the background what the first call will need."""
        return asyncio.get_running_loop().run_in_executor(None, self.app.get_ready)

    async def _load(self, name: str) -> None:
        """Where many are served, beside the event loop: the first call of a tool would else keep all others waiting.

        With the first that neither searches nor reads, what all tools need; a server that does nothing else holds less.
        """
        loop = asyncio.get_running_loop()
        if name in USUAL:
            await loop.run_in_executor(None, registry.load, name)
            self._unloaded.discard(name)
            return
        if self._loading_all is None:
            self._loading_all = loop.run_in_executor(None, partial(self.app.get_ready, for_many=True))
        await asyncio.shield(self._loading_all)
        self._unloaded.clear()

    async def handle(
        self, method: str, params: Mapping[str, Any], *, identity: Identity | None = None, is_modern: bool = False
    ) -> dict[str, Any]:
        match method:
            case "resources/read":
                return await self._read_resource(params, identity or self.app.local_user, is_modern)
            case "prompts/get":
                return self._get_prompt(params)
            case "completion/complete":
                return self._complete(params)
            case _:
                raise ProtocolError(METHOD_NOT_FOUND, "Method not found", method)

    async def _read_resource(self, params: Mapping[str, Any], identity: Identity, is_modern: bool) -> dict[str, Any]:
        uri = params.get("uri")
        if not isinstance(uri, str):
            raise ProtocolError(INVALID_PARAMS, "resources/read needs a uri.")
        body = await read_resource(self.app, uri, identity)
        if body is None:
            code = INVALID_PARAMS if is_modern else RESOURCE_NOT_FOUND
            raise ProtocolError(code, f"Resource not found, or no longer kept: {uri[:LONGEST_ECHO]}", {"uri": uri})
        text = body.decode() if isinstance(body, bytes) else encode_json(body).decode()
        return {"contents": [{"uri": uri, "mimeType": JSON, "text": text}]}

    def _get_prompt(self, params: Mapping[str, Any]) -> dict[str, Any]:
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not isinstance(arguments, dict | None):
            raise ProtocolError(INVALID_PARAMS, "prompts/get needs a name and, where given, an object of arguments.")
        from wellsourced.mcp.prompts import render_prompt

        try:
            return render_prompt(name, arguments or {})
        except BadInput as error:
            raise ProtocolError(INVALID_PARAMS, error.sentence) from None

    def _complete(self, params: Mapping[str, Any]) -> dict[str, Any]:
        match params.get("ref"), params.get("argument"):
            case {"type": "ref/prompt", "name": str(prompt)}, {"name": str(name), "value": str(typed)}:
                return {"completion": complete_argument(self.app, prompt, name, typed)}
            case {"type": "ref/resource", "uri": str()}, {"name": str(name), "value": str(typed)}:
                return {"completion": complete_argument(self.app, None, name, typed)}
        raise ProtocolError(INVALID_PARAMS, NEEDED_TO_COMPLETE)


MOST_VALUES = 100


def complete_argument(app: Application, prompt: str | None, argument: str, typed: str) -> dict[str, Any]:
    """Values that start with what was typed, case-insensitively, sorted."""
    values = sorted({value for value in known_values(app, prompt, argument) if value.lower().startswith(typed.lower())})
    return {"values": values[:MOST_VALUES], "total": len(values), "hasMore": len(values) > MOST_VALUES}


def known_values(app: Application, prompt: str | None, argument: str) -> Iterable[str]:
    if argument == "lens":
        return app.services.lenses.names()
    if argument == "provider":
        return [*choosable_providers(app), "all"]
    from wellsourced.mcp.prompts import PROMPTS

    if prompt in PROMPTS:
        own = (known.choices for known in PROMPTS[prompt].arguments if known.name == argument)
        return next(own, ())
    return enum_values(argument)


def choosable_providers(app: Application) -> Iterable[str]:
    """The configured providers that can be chosen in some tool."""
    configured = (provider for provider, _ in app.services.upstreams.states())
    return (
        provider.public_name
        for provider in configured
        if all_upstreams()[provider.name].offers & CHOOSABLE_KINDS.keys()
    )


def enum_values(argument: str) -> set[str]:
    """The values any tool accepts for an argument of this name."""
    values: set[str] = set()
    for tool in registry.all_tools():
        schema = tool.declaration()["inputSchema"]["properties"].get(argument, {})
        values.update(schema.get("enum", ()))
    return values
