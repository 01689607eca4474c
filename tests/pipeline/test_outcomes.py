"""Found nothing, could not look, offline: the three are never mixed up, whatever is searched for."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from tests.app import call, content, error, sentence, with_app
from tests.loopback.run import Internet
from wellsourced.app import Application
from wellsourced.app.configuration import declared_settings
from wellsourced.cli.checks.services import check_configured
from wellsourced.identity import Identity
from wellsourced.mcp.resources import read_resource
from wellsourced.settings import Settings

PATENT_KEYS = {
    "EPO_OPS_CONSUMER_KEY": "office-key",
    "EPO_OPS_CONSUMER_SECRET": "office-secret",
    "USPTO_API_KEY": "us-key",
}
DOWN = {"status": 503, "body": "down for maintenance"}
SEARCHES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "web_search": ({"query": "tides"}, ("/searxng", "/brave", "/google", "/exa", "/duckduckgo", "/open")),
    "news_search": ({"query": "tides"}, ("/searxng", "/brave", "/google", "/exa", "/hackernews", "/open")),
    "image_search": ({"query": "tides"}, ("/searxng", "/brave", "/google", "/exa", "/duckduckgo", "/open")),
    "academic_search": (
        {"query": "nothing known"},
        ("/openalex", "/crossref", "/pubmed", "/semanticscholar", "/arxiv", "/open/papers"),
    ),
    "patent_search": ({"query": "nothing known"}, ("/epo", "/uspto")),
    "filing_search": ({"ticker": "QRRY"}, ("/edgar",)),
    "legal_search": ({"query": "tides"}, ("/courtlistener",)),
    "econ_search": ({"query": "kites"}, ("/fred",)),
    "clinical_search": ({"query": "tides"}, ("/clinicaltrials",)),
    "local_search": ({"query": "mill"}, ("/brave",)),
}


@pytest.mark.parametrize("tool", SEARCHES)
def test_when_nobody_could_look_it_is_an_error_with_every_reason(
    keyed_environment: dict[str, str], internet: Internet, tool: str
) -> None:
    arguments, upstreams = SEARCHES[tool]
    for upstream in upstreams:
        internet.control(upstream, **DOWN)
    answer = call({**keyed_environment, **PATENT_KEYS}, tool, **arguments)
    assert answer.is_error, answer.text
    assert error(answer)["kind"] == "upstream_unavailable"
    asked = [upstream for upstream in upstreams if internet.requests(upstream)]
    assert (asked and sentence(answer).count(" failed: ") >= min(len(asked), 2)) or len(asked) == 1, sentence(answer)


def test_when_some_could_not_look_the_answer_says_which(keyed_environment: dict[str, str], internet: Internet) -> None:
    internet.control("/openalex", **DOWN)
    found = content(call(keyed_environment, "academic_search", query="nothing known"))
    assert found["resultCount"] == 0
    assert any("OpenAlex" in note for note in found["notes"])


def test_a_provider_that_is_left_alone_is_named(keyed_environment: dict[str, str], internet: Internet) -> None:
    async def ask_often(app: Application) -> list[dict[str, Any]]:
        return [content(await app.call("web_search", {"query": f"tides {n}"})) for n in range(5)]

    internet.control("/brave", **DOWN)
    environment = {**keyed_environment, "SEARCH_ROUTING": "brave,searxng"}
    answers = with_app(environment, ask_often)
    assert all(any("Brave" in note for note in answer["notes"]) for answer in answers)
    assert "left alone" in answers[-1]["notes"][0]


def test_health_says_how_the_last_real_try_ended(keyed_environment: dict[str, str], internet: Internet) -> None:
    async def look(app: Application) -> dict[str, dict[str, Any]]:
        await app.call("legal_search", {"query": "tides"})
        await app.call("clinical_search", {"query": "tides"})
        view = await read_resource(app, "diagnostics://health", Identity())
        assert isinstance(view, dict) and view["status"] == "degraded"
        return {entry["name"]: entry for entry in view["providers"]}

    internet.control("/courtlistener", status=403, body="Forbidden")
    health = with_app(keyed_environment, look)
    assert health["courtlistener"]["available"] is False
    tried = health["courtlistener"]["lastTry"]
    assert (tried["outcome"], tried["reason"]) == ("blocked", "It refused the request (HTTP 403).")
    assert health["clinicaltrials"]["lastTry"]["outcome"] == "answered"
    assert "lastTry" not in health["fred"]

    async def look_again(app: Application) -> Any:
        return await read_resource(app, "diagnostics://health", Identity())

    later = {entry["name"]: entry for entry in with_app(keyed_environment, look_again)["providers"]}
    assert later["courtlistener"]["lastTry"] == tried, "another process does not know it"
    settings = Settings(keyed_environment, declared_settings())
    told = {result.area: result.message for result in asyncio.run(check_configured(settings))}
    assert f"asked last {tried['at']}: blocked: It refused the request (HTTP 403)." in told["provider courtlistener"]
    assert "it answered" in told["provider clinicaltrials"] and "never asked" in told["provider fred"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("academic_search", {"query": "tides"}), ("web_search", {"query": "tides"}), ("legal_search", {"query": "tides"})],
)
def test_offline_is_said_in_one_sentence(
    quiet_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, tool: str, arguments: dict[str, Any]
) -> None:
    def unknown(*asked: Any, **more: Any) -> Any:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)

    async def ask_often(app: Application) -> list[Any]:
        return [await app.call(tool, arguments) for _ in range(4)]

    for answer in with_app(quiet_environment, ask_often):
        assert sentence(answer).startswith("This machine seems to be offline")
        assert sentence(answer).count(".") == 2 and error(answer)["retryable"] is True


def test_one_unknown_name_is_not_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    from wellsourced.net.connectivity import Connectivity

    async def knows_one(host: str, port: int) -> list[str]:
        if host.endswith("iana.org"):
            return ["192.0.2.1"]
        raise socket.gaierror(socket.EAI_NONAME, "not known")

    assert not asyncio.run(Connectivity(knows_one).seems_offline())
