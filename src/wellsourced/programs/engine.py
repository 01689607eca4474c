"""One question to a search engine: the house's provider asks and understands refusals, the contract reads the answer.

The provider's conversation yields the request, to which a program adds its paging. An answer that succeeded is read
here by the contract's own mapping, which is more forgiving than the house's; any other goes back to the provider,
which knows what its engine means by it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from wellsourced.errors import Blocked, KeyRejected, NetworkFailed, OutOfCredit, RateLimited, WellsourcedError
from wellsourced.programs.program_error import API_ERROR, AUTH_INVALID, NETWORK_ERROR, RATE_LIMIT, Failure

if TYPE_CHECKING:
    from wellsourced.http_exchange import Reply, Request
    from wellsourced.upstreams.types.search import WebQuery

SECONDS = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """`quota` is the sentence for a spent quota; `values` are the provider's own variables."""

    provider: str
    title: str
    quota: str
    values: Mapping[str, str]


def ask(engine: Engine, query: WebQuery, paging: Mapping[str, str]) -> dict[str, Any]:
    """The engine's answer as an object, or a failure with its code."""
    try:
        return asyncio.run(_ask(engine, query, paging))
    except (RateLimited, OutOfCredit):
        raise Failure(engine.quota, RATE_LIMIT) from None
    except (KeyRejected, Blocked) as problem:
        raise Failure(f"{engine.title} did not accept the API key: {_told(problem, engine)}", AUTH_INVALID) from None
    except NetworkFailed as problem:
        raise Failure(f"Search failed: {_told(problem, engine)}", NETWORK_ERROR) from None
    except WellsourcedError as problem:
        raise Failure(f"{engine.title} answered with an error: {_told(problem, engine)}", API_ERROR) from None


async def _ask(engine: Engine, query: WebQuery, paging: Mapping[str, str]) -> dict[str, Any]:
    from wellsourced import __version__
    from wellsourced.net.client import Client
    from wellsourced.net.guard import Guard
    from wellsourced.upstream_client.client import access_of

    line, conversation = _line(engine)
    steps = conversation(query, access_of(line))
    client = Client(Guard(), user_agent=f"wellsourced/{__version__}")
    try:
        request = _paged(next(steps), paging)
        reply: Reply = await line.send(client, request, time.monotonic() + SECONDS)
    finally:
        await client.close()
    if reply.status >= 300:
        _refused(steps, reply)
    body = reply.json()
    if not isinstance(body, dict):
        raise WellsourcedError("its answer is not a JSON object")
    return body


def _line(engine: Engine) -> tuple[Any, Callable[..., Any]]:
    """The line to the engine, with the operator's own address where one is set (BRAVE_BASE_URL, …)."""
    import importlib

    from wellsourced.net.circuit_breaker import CircuitBreaker
    from wellsourced.settings import Settings
    from wellsourced.upstream_client.connection import UpstreamConnection
    from wellsourced.upstreams import Entry

    module = importlib.import_module(f"wellsourced.upstreams.{engine.provider}")
    entry = Entry(module.PROVIDER, module)
    declared = list(entry.settings())
    settings = Settings({**os.environ, **engine.values}, declared)
    if settings.problems:
        raise Failure(settings.problems[0], API_ERROR)
    return UpstreamConnection(entry.provider, declared, settings, CircuitBreaker()), module.web


def _paged(request: Request, paging: Mapping[str, str]) -> Request:
    kept = tuple((name, value) for name, value in request.params if name not in paging)
    return replace(request, params=kept + tuple(paging.items()))


def _refused(steps: Any, reply: Reply) -> None:
    """Let the provider say what an unsuccessful answer means; a page that forbids is a wall, not a wrong key."""
    if reply.status == 403 and reply.body.lstrip()[:1] == b"<":
        raise WellsourcedError("HTTP 403 with a web page: something between here and the engine refuses the request")
    with contextlib.suppress(StopIteration):
        steps.send(reply)
    raise WellsourcedError(f"HTTP {reply.status}: {reply.summary}")


def _told(problem: WellsourcedError, engine: Engine) -> str:
    """The sentence without the key, which Google takes in the address."""
    from wellsourced.text.masker import Masker

    return Masker(list(engine.values.values())).mask(problem.sentence.rstrip(".")) + "."
