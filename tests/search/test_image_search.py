"""image_search through all layers, against the loopback internet."""

from __future__ import annotations

import json
from typing import Any

from tests.app import call, content, error
from tests.loopback.run import Internet

JSON = {"content-type": "application/json"}
EMPTY: dict[str, Any] = {
    name: [] for name in ("answers", "corrections", "infoboxes", "suggestions", "unresponsive_engines")
}


def pictures(internet: Internet, *pages: str) -> None:
    results = [
        {
            "url": page,
            "title": f"Picture {number}",
            "content": "",
            "engine": "bing images",
            "img_src": f"https://cdn.example/{number}.jpg",
            "thumbnail_src": f"https://cdn.example/{number}-small.jpg",
            "resolution": "1200 x 800",
        }
        for number, page in enumerate(pages)
    ]
    internet.control("/searxng", status=200, headers=JSON, body=json.dumps({"query": "q", "results": results, **EMPTY}))


def test_the_link_is_the_picture_and_the_context_its_page(environment: dict[str, str], internet: Internet) -> None:
    pictures(internet, "https://museum.example/owl", "https://zoo.example/owl")
    found = content(call(environment, "image_search", query="owls"))
    first = found["images"][0]
    assert (first["link"], first["contextLink"]) == ("https://cdn.example/0.jpg", "https://museum.example/owl")
    assert first["displayLink"] == "museum.example"
    assert found["resultCount"] == 2


def test_filters_an_engine_has_no_control_for_are_told(environment: dict[str, str], internet: Internet) -> None:
    pictures(internet, "https://museum.example/owl")
    found = content(call(environment, "image_search", query="owls", size="large", dominant_color="blue"))
    assert found["filtersNotApplied"] == ["dominant_color", "size"]


def test_a_lens_holds_for_the_page_a_picture_stands_on(environment: dict[str, str], internet: Internet) -> None:
    pictures(internet, "https://evil.example/arxiv.org", "https://arxiv.org/abs/1")
    found = content(call(environment, "image_search", query="owls", lens="academic"))
    assert [image["contextLink"] for image in found["images"]] == ["https://arxiv.org/abs/1"]


def test_without_an_engine_for_images_commons_is_asked(environment: dict[str, str], internet: Internet) -> None:
    del environment["SEARXNG_URL"]
    found = content(call(environment, "image_search", query="owls", size="large"))
    first = found["images"][0]
    assert (first["licence"], first["credit"], first["width"]) == ("CC BY 4.0", "A. Reef", 9)
    assert "Asked instead: Wikimedia Commons." in found["notes"][-1] and found["filtersNotApplied"] == ["size"]
    assert "author named" in found["attribution"][0]
    internet.control("/open/web/commons", status=429)
    assert error(call(environment, "image_search", query="other owls"))["kind"] == "rate_limited"


def test_nothing_found_has_hints_in_a_fixed_order(environment: dict[str, str]) -> None:
    hints = content(call(environment, "image_search", query="nothing", size="large", file_type="png"))["hints"]
    assert [action["parameter"] for action in hints["suggestedActions"]] == ["size", "file_type", "provider"]
