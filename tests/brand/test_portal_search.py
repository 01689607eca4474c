"""What a search engine adds: portals elsewhere, and a company known by its name alone."""

from __future__ import annotations

import json

import pytest

from tests.brand.acme import ACME, GUIDE
from tests.brand.brand_sites import Sites, study
from tests.loopback.run import Internet
from wellsourced.brand.types import BrandQuestion
from wellsourced.errors import NotFound


def answer_with(internet: Internet, *hits: tuple[str, str]) -> None:
    results = [{"url": url, "title": title, "content": title, "engine": "bing"} for title, url in hits]
    body = json.dumps({"query": "", "results": results, "unresponsive_engines": []})
    internet.control("/searxng", status=200, body=body, headers={"content-type": "application/json"})


def test_depth_full_also_reads_portals_that_a_search_finds(environment: dict[str, str], internet: Internet) -> None:
    pages = {**ACME, "acme.frontify.com/d/1": GUIDE, "rival.frontify.com/d/2": GUIDE.replace("Anvil", "Rival")}
    with Sites(pages) as sites:
        answer_with(
            internet,
            ("Rival portal", sites.url("rival.frontify.com/d/2")),
            ("Acme portal", sites.url("acme.frontify.com/d/1")),
            ("Acme fans", "https://github.com/fans/acme"),
        )
        found = study(environment, sites, BrandQuestion(url=sites.url("acme.example/"), depth="full"))
        assert found.guidelines_url == sites.url("acme.frontify.com/d/1")
        assert {each.url for each in found.profile.contributions if each.tier == "web_search"} == {found.guidelines_url}
    assert [colour.name for colour in found.profile.palette] == ["Anvil Red", "Iron", "Spark"]
    assert internet.requests("/searxng") == 3
    assert sites.fetched("rival.frontify.com/d/2") == 0


def test_a_search_that_fails_is_told_and_spoils_nothing(environment: dict[str, str], internet: Internet) -> None:
    internet.control("/", status=500, body="down")
    with Sites({**ACME, "acme.example/brand": GUIDE}) as sites:
        found = study(environment, sites, BrandQuestion(url=sites.url("acme.example/"), depth="full"))
    assert found.profile.coverage["colors"] == "full"
    assert "not searched in full" in found.suggestion


def test_a_company_is_found_by_its_name(environment: dict[str, str], internet: Internet) -> None:
    with Sites({**ACME, "news.example/acme": GUIDE}) as sites:
        answer_with(
            internet,
            ("Acme – Wikipedia", "https://en.wikipedia.org/wiki/Acme"),
            ("Acme makes news", sites.url("news.example/acme")),
            ("Anvils", sites.url("acme.example/products")),
        )
        found = study(environment, sites, BrandQuestion(company_name="Acme", depth="quick"))
        assert found.profile.domain == "acme.example"
        answer_with(internet, ("Acme – Wikipedia", "https://en.wikipedia.org/wiki/Acme"))
        with pytest.raises(NotFound, match="Give its address"):
            study(environment, sites, BrandQuestion(company_name="Acme Anvil Works", depth="quick"))
