"""How large answers are: each tool by default, and with the arguments that make it largest, in the loopback internet.

The figures are kept in sizes.json, from which docs/tools.md is made; `SIZES=record` keeps them anew. An answer may be
smaller than its figure, and larger by a tenth: dates and addresses differ from run to run.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.app import content, with_app
from tests.loopback.run import Internet
from wellsourced.app import Application
from wellsourced.tool.registry import all_tools

KEPT = Path(__file__).with_name("sizes.json")
IS_RECORDING = os.environ.get("SIZES") == "record"
MOST_BY_DEFAULT = 8_000
BYTES_PER_TOKEN = 4
ROUNDED_TO = 50
ENABLED = {"USER_ANALYTICS_ENABLED": "true", "MEMORY_ENABLED": "true", "WORKSPACES_ENABLED": "true"}
READING = {**ENABLED, "STDIO_USER_ID": "anna", "ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}
GOAL = {"searchStep": "How do tides work? " * 20, "reasoning": "because " * 60}
WORK = "@article{{k{n}, title={{Solar panels in the {n}th year of growth}}, author={{Ada Example}}, year={{2020}}}}\n"

USUAL: dict[str, dict[str, Any]] = {
    "image_search": {"query": "solar panels", "provider": "searxng"},
    "citation_graph": {"paper": "10.1000/solar.1"},
    "paper_fulltext": {"identifier": "{base}/site/alpha/long"},
    "format_bibliography": {"sources": [{"title": f"Solar {n}", "url": f"https://e.example/{n}"} for n in range(20)]},
    "econ_search": {"series_id": "KITES"},
    "patent_search": {"query": "solar panels"},
    "filing_search": {"query": "solar panels"},
    "clinical_search": {"query": "solar panels"},
    "verify_citation": {"citation": "Example, A. (2020). Solar panels in the first year of growth."},
    "verify_recommendation": {"recommendations": [{"title": "Acme", "url": "{base}/site/alpha/long"}]},
    "audit_bibliography": {"bibliography": "".join(WORK.format(n=n) for n in range(20))},
    "archive_source": {"url": "https://alpha.example/" + "solar-panels/" * 20},
    "brand_research": {"url": "{base}/site/alpha/long"},
    "fetch": {"id": "{base}/site/alpha/long"},
    "scrape_page": {"url": "{base}/site/alpha/long"},
    "memory_save": {"note": "A note. " * 50},
    "workspace_contribute": {"workspace_id": "room", "note": "A note. " * 50},
    "workspace_read": {"workspace_id": "room"},
    "sequential_search": {**GOAL, "stepNumber": 1, "nextStepNeeded": True},
}
"""What each tool is asked by default, where `query` alone does not do."""

LARGEST: dict[str, dict[str, Any]] = {
    "scrape_page": {"max_length": 100_000, "outline": True},
    "search_and_scrape": {"num_results": 10, "max_length_per_source": 50_000, "total_max_length": 300_000},
    "paper_fulltext": {"max_length": 100_000},
    "research_export": {"format": "html", "inline": True},
    "citation_graph": {"num_results": 25},
    "brand_research": {"depth": "full", "include_design_tokens": True},
    "econ_search": {"series_id": "CPIAUCSL", "num_results": 1000},
}
"""The arguments that make an answer largest; elsewhere it is the most results."""


def arguments(tool: str, base: str, session: str) -> dict[str, Any]:
    properties = next(each for each in all_tools() if each.name == tool).declaration()["inputSchema"]["properties"]
    asked = USUAL.get(tool) or ({"query": "solar panels"} if "query" in properties else {})
    if "sessionId" in properties and tool in {"get_research_session", "research_export"}:
        asked = {"sessionId": session}
    filled: dict[str, Any] = json.loads(json.dumps(asked).replace("{base}", base))
    return filled


def largest(tool: str, usual: dict[str, Any]) -> dict[str, Any]:
    schema = next(each for each in all_tools() if each.name == tool).declaration()["inputSchema"]["properties"]
    most = {name: schema[name]["maximum"] for name in ("num_results", "limit") if "maximum" in schema.get(name, {})}
    return {**usual, **most, **LARGEST.get(tool, {})}


def long_world(internet: Internet) -> None:
    """Every page of the world is long."""
    text = "".join(
        f"<h2>Part {n}</h2><p>On day {n} the solar panels gave {n} units. {'It rained there. ' * 30}</p>"
        for n in range(150)
    )
    for site in ("alpha", "bravo", "charlie", "delta", "echo"):
        body = f"<!doctype html><title>{site}</title><article><h1>{site}</h1>{text.replace('rained', site)}</article>"
        internet.control(f"/site/{site}", status=200, body=body, headers={"content-type": "text/html"})


def many_images(internet: Internet) -> None:
    """For the next two searches the engine has two hundred images."""
    address = internet.base + "/site/alpha/a-rather-long-name-of-a-picture"
    about = {"title": "Solar panels on a roof", "engine": "bing", "resolution": "1024x768", "template": "images.html"}
    found = [{**about, "url": f"{address}-{n}", "img_src": f"{address}-{n}.jpg"} for n in range(200)]
    body = json.dumps({"query": "q", "results": found, "unresponsive_engines": []})
    internet.control("/searxng", status=200, body=body, headers={"content-type": "application/json"}, times=2)


async def long_session(app: Application) -> str:
    """A session of sixty steps that has searched along the way."""
    first = content(await app.call("sequential_search", {**GOAL, "stepNumber": 1, "nextStepNeeded": True}))
    session: str = first["sessionId"]
    for number in range(2, 61):
        step = {**GOAL, "stepNumber": number, "nextStepNeeded": True, "sessionId": session}
        await app.call("sequential_search", step)
    for topic in ("solar panels", "wind power", "tidal power", "hydrogen", "storage"):
        await app.call("web_search", {"query": topic, "num_results": 10, "sessionId": session})
    return session


@pytest.mark.usefixtures("public_loopback")
def test_no_default_answer_is_large_and_the_sizes_are_those_that_are_documented(
    keyed_environment: dict[str, str], internet: Internet
) -> None:
    long_world(internet)
    sizes: dict[str, dict[str, int]] = {}

    async def script(app: Application) -> None:
        session = await long_session(app)
        for tool in all_tools():
            if tool.name == "image_search":
                many_images(internet)
            usual = arguments(tool.name, internet.base, session)
            sizes[tool.name] = {
                name: tokens(await app.call(tool.name, asked))
                for name, asked in (("default", usual), ("largest", largest(tool.name, usual)))
            }

    with_app({**keyed_environment, **READING}, script)
    if IS_RECORDING:
        KEPT.write_text(json.dumps(sizes, indent=2) + "\n", "utf-8")
    kept: dict[str, dict[str, int]] = json.loads(KEPT.read_text("utf-8"))
    too_large = {name: size["default"] for name, size in sizes.items() if size["default"] > MOST_BY_DEFAULT}
    assert not too_large
    grown = {
        f"{name} {which}": (size, kept.get(name, {}).get(which))
        for name, both in sizes.items()
        for which, size in both.items()
        if size > 1.1 * kept.get(name, {}).get(which, 0) + ROUNDED_TO
    }
    assert not grown, "docs/tools.md says otherwise; run this test with SIZES=record, then `make generate`"


def tokens(answer: Any) -> int:
    """Of the answer that a model is shown, rounded up."""
    assert not answer.is_error, answer.text
    size = len(answer.text.encode()) / BYTES_PER_TOKEN
    return -(-int(size) // ROUNDED_TO) * ROUNDED_TO
