"""What an empty answer suggests can be done here and now: each suggestion is followed, and the call is accepted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.app import content, with_app
from tests.loopback.run import Internet
from wellsourced.app import Application

PATENT_KEYS = {"EPO_OPS_CONSUMER_KEY": "office-key", "EPO_OPS_CONSUMER_SECRET": "office-secret"}
JSON = {"content-type": "application/json"}
NO_RESULTS = json.dumps(
    {"query": "q", "results": [], "answers": [], "corrections": [], "infoboxes": [], "suggestions": []}
)
EMPTY: dict[str, list[dict[str, Any]]] = {
    "web_search": [{"query": "nothing"}, {"query": "nothing", "site": "a.example", "time_range": "day"}],
    "news_search": [
        {"query": "nothing"},
        {"query": "nothing", "time_range": "year"},
        {"query": "nothing", "date_from": "2024-01-01", "date_to": "2024-02-01", "provider": "searxng"},
    ],
    "image_search": [{"query": "nothing"}, {"query": "nothing", "size": "large"}],
    "search_and_scrape": [{"query": "nothing"}],
    "academic_search": [{"query": "nothing"}, {"query": "nothing", "year_from": 2001, "source": "all"}],
    "patent_search": [
        {"query": "nothing"},
        {"assignee": "nothing"},
        {"query": "nothing", "assignee": "nothing", "patent_office": "EP"},
        {"query": "tides", "patent_office": "EP", "provider": "uspto"},
    ],
    "filing_search": [{"query": "nothing"}, {"query": "nothing", "form_type": "10-K"}],
    "legal_search": [{"query": "nothing"}, {"query": "nothing", "jurisdiction": "scotus"}],
    "econ_search": [
        {"query": "nothing"},
        {"query": "nothing", "provider": "worldbank"},
        {"series_id": "IMF.RES,WEO,9.0.0/XXX.NGDP_RPCH.A"},
        {"series_id": "agr_sheep_m", "date_from": "2090"},
    ],
    "clinical_search": [{"query": "nothing"}, {"condition": "nothing"}, {"condition": "nothing", "phase": "PHASE3"}],
    "local_search": [{"query": "nothing"}, {"query": "nothing", "near": "Oslo", "radius": 10}],
}
CASES = [(tool, arguments) for tool, several in EMPTY.items() for arguments in several]


@pytest.mark.parametrize(("tool", "arguments"), CASES, ids=[f"{tool}-{n}" for n, (tool, _) in enumerate(CASES)])
def test_every_suggestion_leads_to_another_call_that_is_accepted(
    keyed_environment: dict[str, str], internet: Internet, tool: str, arguments: dict[str, Any]
) -> None:
    async def follow(app: Application) -> list[dict[str, Any]]:
        found = content(await app.call(tool, arguments))
        actions: list[dict[str, Any]] = found["hints"]["suggestedActions"]
        for action in actions:
            changed = followed(arguments, action)
            assert changed != arguments, action
            content(await app.call(tool, changed))
        return actions

    environment = {**keyed_environment, **PATENT_KEYS, "USPTO_API_KEY": "us-key"}
    if tool in ("image_search", "news_search"):  # of the imitated engines, SearXNG alone has them
        environment["SEARCH_ROUTING"] = "searxng"
        environment |= {"BRAVE_API_KEY": "", "EXA_API_KEY": ""}
        internet.control("/searxng", status=200, headers=JSON, body=NO_RESULTS)
    assert with_app(environment, follow)


CUT: dict[str, dict[str, Any]] = {
    "web_search": {"query": "tides"},
    "academic_search": {"query": "tides"},
    "citation_graph": {"paper": "10.1000/tides.1"},
    "filing_search": {"ticker": "QRRY"},
    "legal_search": {"query": "tides"},
    "clinical_search": {"query": "tides"},
    "local_search": {"query": "mill", "near": "Oslo", "provider": "brave"},
    "econ_search": {"query": "fish", "provider": "worldbank"},
}


@pytest.mark.parametrize("tool", CUT)
def test_a_list_that_is_cut_says_so_and_how_to_get_more(keyed_environment: dict[str, str], tool: str) -> None:
    async def ask(app: Application) -> tuple[dict[str, Any], dict[str, Any]]:
        one, several = ({**CUT[tool], "num_results": count} for count in (1, 3))
        return content(await app.call(tool, one)), content(await app.call(tool, several))

    cut, longer = with_app(keyed_environment, ask)
    assert "num_results gives up to" in cut["more"], cut
    assert len(json.dumps(longer)) > len(json.dumps(cut))


def followed(arguments: dict[str, Any], action: dict[str, Any]) -> dict[str, Any]:
    """The arguments after what the suggestion says."""
    name = action["parameter"]
    if action["action"] == "remove_filter":
        return {key: value for key, value in arguments.items() if key != name}
    if action["action"] == "search_by_words":
        return {"query": "tides"}
    if action["action"] == "broaden_query":
        asked = "query" if "query" in arguments else next(iter(arguments))
        return {**arguments, asked: "tides"}
    return {**arguments, name: action.get("value", "Oslo")}
