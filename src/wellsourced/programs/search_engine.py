"""One query to a search engine, through the provider in `upstreams/`, and its rows as the contract's results.

The provider yields the request, to which a program adds its paging. A successful answer is read here by the contract's
own mapping, which accepts more than the provider does; any other goes back to the provider, which knows what its
engine means by it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from wellsourced.errors import Blocked, KeyRejected, NetworkFailed, OutOfCredit, RateLimited, WellsourcedError
from wellsourced.programs.program import API_ERROR, AUTH_INVALID, NETWORK_ERROR, RATE_LIMIT, ProgramError
from wellsourced.programs.request_fields import is_wanted

if TYPE_CHECKING:
    from wellsourced.http_exchange import Reply, Request
    from wellsourced.upstreams.types.search import WebQuery

SECONDS = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchEngine:
    """`quota` is the sentence for a spent quota; `values` are the provider's own variables."""

    provider: str
    title: str
    quota: str
    values: Mapping[str, str]


def query_engine(engine: SearchEngine, query: WebQuery, paging: Mapping[str, str]) -> dict[str, Any]:
    """Return the engine's answer as an object; raise ProgramError with the code of the failure."""
    try:
        return asyncio.run(_send_query(engine, query, paging))
    except (RateLimited, OutOfCredit):
        raise ProgramError(engine.quota, RATE_LIMIT) from None
    except (KeyRejected, Blocked) as problem:
        raise ProgramError(
            f"{engine.title} did not accept the API key: {_masked_sentence(problem, engine)}", AUTH_INVALID
        ) from None
    except NetworkFailed as problem:
        raise ProgramError(f"Search failed: {_masked_sentence(problem, engine)}", NETWORK_ERROR) from None
    except WellsourcedError as problem:
        raise ProgramError(
            f"{engine.title} answered with an error: {_masked_sentence(problem, engine)}", API_ERROR
        ) from None


async def _send_query(engine: SearchEngine, query: WebQuery, paging: Mapping[str, str]) -> dict[str, Any]:
    from wellsourced import __version__
    from wellsourced.net.client import HttpClient
    from wellsourced.net.guard import AddressGuard
    from wellsourced.upstream_client.client import access_for

    connection, conversation = _connect(engine)
    steps = conversation(query, access_for(connection))
    client = HttpClient(AddressGuard(), user_agent=f"wellsourced/{__version__}")
    try:
        request = _add_paging(next(steps), paging)
        reply: Reply = await connection.send(client, request, time.monotonic() + SECONDS)
    finally:
        await client.close()
    if reply.status >= 300:
        _raise_refusal(steps, reply)
    body = reply.json()
    if not isinstance(body, dict):
        raise WellsourcedError("its answer is not a JSON object")
    return body


def _connect(engine: SearchEngine) -> tuple[Any, Callable[..., Any]]:
    """The connection to the engine, at the operator's own address where one is set (BRAVE_BASE_URL, …)."""
    import importlib

    from wellsourced.net.circuit_breaker import CircuitBreaker
    from wellsourced.settings import Settings
    from wellsourced.upstream_client.connection import UpstreamConnection
    from wellsourced.upstreams import UpstreamModule

    module = importlib.import_module(f"wellsourced.upstreams.{engine.provider}")
    entry = UpstreamModule.of(module)
    declared = list(entry.settings())
    settings = Settings({**os.environ, **engine.values}, declared)
    if settings.problems:
        raise ProgramError(settings.problems[0], API_ERROR)
    return UpstreamConnection(entry.provider, declared, settings, CircuitBreaker()), module.web


def _add_paging(request: Request, paging: Mapping[str, str]) -> Request:
    kept = tuple((name, value) for name, value in request.params if name not in paging)
    return replace(request, params=kept + tuple(paging.items()))


def _raise_refusal(steps: Any, reply: Reply) -> None:
    """Let the provider raise what an unsuccessful answer means."""
    # An engine answers in JSON: a web page comes from a proxy on the way, and says nothing of the key.
    if reply.status == 403 and reply.body.lstrip()[:1] == b"<":
        raise WellsourcedError("HTTP 403 with a web page: something between here and the engine refuses the request")
    with contextlib.suppress(StopIteration):
        steps.send(reply)
    raise WellsourcedError(f"HTTP {reply.status}: {reply.summary}")


def _masked_sentence(problem: WellsourcedError, engine: SearchEngine) -> str:
    """The sentence without the key, which Google takes in the address."""
    from wellsourced.text.masker import Masker

    return Masker(list(engine.values.values())).mask(problem.sentence.rstrip(".")) + "."


def result_rows(body: Any, name: str, signs: Sequence[str] = ()) -> list[Any]:
    """Return the rows. Engines leave the list out when there are none; `signs` are in their answer even then."""
    if isinstance(body, dict) and body.get(name) is None and any(sign in body for sign in signs):
        return []
    rows = body.get(name) if isinstance(body, dict) else None
    if not isinstance(rows, list):
        raise ProgramError(f"The answer was not understood: {name} is not a list.", API_ERROR)
    return rows


def select_results(
    rows: Sequence[Any], url: str, snippet: str, most: int, allowed: Sequence[str], blocked: Sequence[str]
) -> dict[str, Any]:
    """Return at most `most` results, each address once, within the domains; skip rows without title or address."""
    results: dict[str, dict[str, str]] = {}
    for row in rows:
        result = _result(row, url, snippet) if isinstance(row, dict) else None
        if result and is_wanted(result["url"], allowed, blocked):
            results.setdefault(result["url"], result)
    if rows and not any(isinstance(row, dict) and row.get(url) for row in rows):
        raise ProgramError("The answer was not understood: its results have no addresses.", API_ERROR)
    selected = list(results.values())[:most]
    return {"results": selected, "count": len(selected)}


def _result(row: Mapping[str, Any], url: str, snippet: str) -> dict[str, str] | None:
    from wellsourced.text.plain_text import strip_markup

    address, title, excerpt = row.get(url), row.get("title"), row.get(snippet)
    if not isinstance(address, str) or not address.startswith(("http://", "https://")) or not isinstance(title, str):
        return None
    shown = strip_markup(title)
    return (
        {"title": shown, "url": address, "snippet": strip_markup(excerpt) if isinstance(excerpt, str) else ""}
        if shown
        else None
    )
