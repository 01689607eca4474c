"""verify_recommendation through all layers; every flag can be reached."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.app import call, content
from tests.loopback.run import Internet
from wellsourced.recommendations.conflicts_of_interest import find_conflict

BIOS = [
    ("Shopify: best for small shops", "Jane is a product marketer at Shopify.", "employment"),
    ("Shopify", "CEO, Shopify", "employment"),
    ("Zendesk", "Zendesk engineer since 2014", "employment"),
    ("Personio", "Uwe arbeitet bei Personio in München", "employment"),
    ("Acme CRM", "advisor to Acme and father of two", "equity"),
    ("Acme CRM", "Her research is funded by Acme.", "funding"),
    ("Acme CRM", "Bob writes about software and bought Acme once.", None),
    ("Best tools for teams", "Bob works at the best company", None),
    ("Slack", "At slack water the boats wait", None),
    ("Notion", "Ann teaches at Stanford and likes the notion of order", None),
    ("Apple Music", "Kim works at Spotify", None),
    ("Acme CRM", "Bob has never worked at Acme and takes no money", None),
    ("Acme CRM", "Ann interviewed the founder of Acme in 2019", None),
    ("Monday.com", "Product manager @ monday.com", "employment"),
    ("1Password", "Ann works at 1Password", "employment"),
    ("Oxford Dictionary", "Professor at Oxford University", None),
]


@pytest.mark.parametrize(("title", "bio", "stake"), BIOS)
def test_stakes_are_seen_in_the_author_s_own_words(title: str, bio: str, stake: str | None) -> None:
    found = find_conflict(title, None, bio)
    assert (found.stake if found else None) == stake


@pytest.fixture
def reading(environment: dict[str, str], tmp_path: Path) -> dict[str, str]:
    table = tmp_path / "reputation.json"
    table.write_text('{"domains": {"mill.example": {"tier": "low", "note": "A content mill."}}}')
    return {**environment, "ALLOW_PRIVATE_IPS": "true", "REPUTATION_PATH": str(table)}


def look(environment: dict[str, str], *items: dict[str, str], **more: Any) -> dict[str, Any]:
    return content(call(environment, "verify_recommendation", recommendations=list(items), **more))


def test_links_and_standing(reading: dict[str, str], internet: Internet) -> None:
    found = look(
        reading,
        {"title": "Tide tables", "url": f"{internet.base}/site/alpha/tides"},
        {"title": "Old tables", "url": f"{internet.base}/site/alpha/gone"},
        {"title": "No address", "author": "Ann", "authorBio": "Ann is a writer."},
    )
    live, dead, bare = found["recommendations"]
    assert (live["linkLive"], live["httpStatus"], live["flags"]) == (True, 200, ["unknown_reputation"])
    assert (dead["linkLive"], dead["flags"]) == (False, ["dead_link", "unknown_reputation"])
    assert len(dead["reasons"]) == 2
    assert bare == {"title": "No address", "author": "Ann", "flags": []}
    assert (found["itemCount"], "aggregateFlags" in found) == (3, False)


def test_stakes_and_self_praise(reading: dict[str, str]) -> None:
    reading = {**reading, "ALLOWED_DOMAINS": "127.0.0.1"}
    found = look(
        reading,
        {"title": "Brightmill", "url": "https://brightmill.example/best", "authorBio": "Head of Growth at Brightmill"},
        {"title": "Other", "url": "https://mill.example/b"},
        {"title": "Third", "url": "https://brightmill.example/best"},
    )
    first, second, third = found["recommendations"]
    assert first["flags"] == ["conflict_of_interest", "self_promotion", "unknown_reputation"]
    stake = first["conflictOfInterest"]
    assert (stake["detected"], stake["citedEntityName"], stake["conflictType"]) == (True, "Brightmill", "employment")
    praise = first["selfPromotionSignal"]
    assert (praise["detected"], praise["brandToken"]) == (True, "brightmill")
    assert second["flags"] == ["low_reputation"]
    assert second["domainReputation"]["note"] == "A content mill."
    assert third["flags"] == ["unknown_reputation"]
    own_pages = look(
        reading, *({"title": name, "url": f"https://{name.lower()}.example/"} for name in ("Ab12", "Brim", "Cord"))
    )
    assert all("self_promotion" not in item["flags"] for item in own_pages["recommendations"])


def hits(*snippets: str) -> str:
    """An answer of SearXNG on hosts of the lenses."""
    import json

    results = [
        {
            "url": f"https://{host}/a{number}",
            "title": snippet[:40],
            "content": snippet,
            "engine": "bing",
            "engines": ["bing"],
        }
        for number, snippet in enumerate(snippets)
        for host in ("arstechnica.com", "reuters.com")
    ]
    return json.dumps({"query": "", "results": results, "answers": [], "corrections": [], "infoboxes": [],
                       "suggestions": [], "unresponsive_engines": []})  # fmt: skip


def test_other_voices(reading: dict[str, str], internet: Internet) -> None:
    reading = {**reading, "SEARCH_PROVIDER": "searxng"}
    agreeing = "Brightmill is the best invoicing app for small bakeries, our test of twelve invoicing apps found."
    internet.control("/searxng", status=200, body=hits(agreeing), headers={"content-type": "application/json"})
    item, claim = {"title": "Brightmill"}, "best invoicing app for small bakeries"
    found = look(reading, item, claim=claim, numCorroborationResults=2)
    voices = found["recommendations"][0]["corroborationSearches"]
    assert [voice["lens"] for voice in voices] == ["journalism", "tech"]
    assert sum(voice["agreeCount"] for voice in voices) > 0 and "aggregateFlags" not in found
    internet.control(
        "/searxng", status=200, body=hits("Rain is expected."), headers={"content-type": "application/json"}
    )
    silent = look(reading, item, claim=f"{claim} today")
    assert silent["aggregateFlags"] == ["no_independent_corroboration"]


def test_a_search_that_fails_accuses_nobody(reading: dict[str, str], internet: Internet) -> None:
    for prefix in ("/searxng", "/duckduckgo", "/open"):
        internet.control(prefix, status=500, body="down")
    found = look({**reading, "SEARCH_PROVIDER": "searxng"}, {"title": "Brightmill"}, claim="best app")
    assert "aggregateFlags" not in found and "corroborationSearches" not in found["recommendations"][0]


def test_too_many_are_refused_in_words(reading: dict[str, str]) -> None:
    answer = call(reading, "verify_recommendation", recommendations=[{"title": "x"}] * 101)
    assert answer.is_error and "100" in answer.text
