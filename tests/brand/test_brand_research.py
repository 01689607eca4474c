"""brand_research through all layers, over sites on loopback."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.app import content
from tests.brand.acme import ACME, GUIDE
from tests.brand.brand_sites import Served, Sites, with_brand
from wellsourced.app import Application
from wellsourced.brand.brand_research import TOOL
from wellsourced.brand.research import BrandResearcher
from wellsourced.tool.answer import ToolAnswer

ALWAYS = {
    "identity", "colors", "logos", "typography", "tone_of_voice", "social", "sources", "coverage", "cache_age", "trust",
}  # fmt: skip
SOMETIMES = {
    "brand_portal_text",
    "brand_portal_characters",
    "guidelines_url",
    "brand_portal_resource",
    "suggestion",
    "design_tokens",
}


def ask(environment: dict[str, str], sites: Sites, *calls: dict[str, Any]) -> list[ToolAnswer]:
    async def script(brand: BrandResearcher, app: Application) -> list[ToolAnswer]:
        app.services.__dict__["brand_researcher"] = brand
        return [await app.call("brand_research", arguments) for arguments in calls]

    return with_brand(environment, sites, script)


def test_the_declared_shape_is_the_contracts() -> None:
    declared = TOOL.declaration()
    assert set(declared["outputSchema"]["properties"]) == ALWAYS | SOMETIMES
    assert set(declared["outputSchema"]["required"]) == ALWAYS
    assert set(declared["inputSchema"]["properties"]) == {
        "url", "company_name", "depth", "include_design_tokens", "sessionId",
    }  # fmt: skip
    assert declared["inputSchema"]["properties"]["depth"]["default"] == "standard"
    assert declared["inputSchema"].get("required", []) == []
    assert (TOOL.cache, TOOL.toolset) == (86400, "brand")
    assert declared["annotations"]["readOnlyHint"] is True


def test_a_brand_with_its_sources_and_tokens_on_request(quiet_environment: dict[str, str]) -> None:
    with Sites({**ACME, "acme.example/brand": GUIDE}) as sites:
        url = sites.url("acme.example/")
        plain, tokens = ask(quiet_environment, sites, {"url": url}, {"url": url, "include_design_tokens": True})
        found = content(plain)
        assert found["guidelines_url"] == sites.url("acme.example/brand")
        named = {(each["name"], each["url"]): each["fields"] for each in found["sources"]}
        assert "identity.name" in named["homepage_meta", url]
        assert {"colors.palette", "tone_of_voice"} <= set(named["brand_page", found["guidelines_url"]])
    assert "design_tokens" not in found
    assert found["identity"] == {"name": "Acme", "domain": "acme.example"}
    assert found["colors"]["palette"][0] == {
        "hex": "#E3120B", "name": "Anvil Red", "role": "primary", "brightness": 79.7,
    }  # fmt: skip
    assert found["logos"]["primary"]["url"].endswith("/logo.svg")
    assert found["logos"]["icon"] == {"url": f"{url}touch.png", "format": "png", "width": 180, "height": 180}
    assert found["tone_of_voice"] == {"summary": "Heavy but never loud, like a good tool."}
    assert found["coverage"] == {"colors": "full", "logos": "full", "typography": "full", "tone_of_voice": "found"}
    assert (found["cache_age"], found["trust"]) == (0, "untrusted-external-content")
    assert content(tokens)["design_tokens"] == {
        "color": {
            "brand": {"$type": "color", "$value": "#E3120B"},
            "secondary": {"$type": "color", "$value": "#333A40"},
        },
        "font": {
            "heading": {"$type": "fontFamily", "$value": "Forge Sans"},
            "body": {"$type": "fontFamily", "$value": "Georgia"},
        },
    }


def test_a_second_question_costs_no_request(quiet_environment: dict[str, str]) -> None:
    with Sites({**ACME, "acme.example/brand": GUIDE}) as sites:
        call = {"url": sites.url("acme.example/")}
        first, second, quick = ask(quiet_environment, sites, call, call, {**call, "depth": "quick"})
        assert content(first) == content(second)
        assert second.meta["cached"] is True
        assert "guidelines_url" not in content(quick)
    assert sites.fetched("acme.example/") == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "company_name"),
        ({"url": "  "}, "company_name"),
        ({"url": "not an address"}, "example.com"),
        ({"url": "acme.example", "depth": "deep"}, "quick"),
    ],
)
def test_bad_input_is_told_in_a_sentence(
    quiet_environment: dict[str, str], arguments: dict[str, Any], words: str
) -> None:
    with Sites(ACME) as sites:
        (answer,) = ask(quiet_environment, sites, arguments)
    assert answer.is_error
    assert words in (answer.error_text or "")


def test_a_site_without_anything_is_empty_and_says_what_to_do(quiet_environment: dict[str, str]) -> None:
    bare = Served(b"<html><head></head><body><p>" + b"A page with words but no brand on it. " * 30)
    with Sites({"plain.example/": bare}) as sites:
        (answer,) = ask(quiet_environment, sites, {"url": sites.url("plain.example/")})
    found = content(answer)
    assert found["sources"] == []
    assert found["colors"] == {"palette": []}
    assert set(found["coverage"].values()) == {"none"}
    assert "scrape_page" in found["suggestion"]
    assert json.loads(answer.body)["social"] == {}
