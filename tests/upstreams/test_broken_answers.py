"""Answers that are damaged, provider by provider: an error, never a silent nothing, and never another exception.

`KeyError` and `TypeError` count as errors: the upstream client reports them as an upstream that changed.
"""

from __future__ import annotations

import copy
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.upstreams.conversation import converse, reply
from wellsourced.errors import WellsourcedError
from wellsourced.upstream import Access
from wellsourced.upstreams import brave, exa, google, searchapi, serper, tavily
from wellsourced.upstreams.types.search import ImageQuery, NewsQuery, ResultSet, WebQuery

ACCESS = Access({}, datetime(2026, 11, 15, 12, 0, tzinfo=UTC))
EXPECTED = (WellsourcedError, KeyError, TypeError)
MODULES = {"brave": brave, "google": google, "serper": serper, "searchapi": searchapi, "tavily": tavily, "exa": exa}
QUERIES = {"web": WebQuery, "news": NewsQuery, "images": ImageQuery}

RECORDED = [
    ("brave.web", "brave/web_hello_world.json", ("web", "results")),
    ("brave.web", "brave/web_laravel.json", ("web", "results")),
    ("brave.web", "brave/web_semantic_kernel.json", ("web", "results")),
    ("brave.web", "brave/web_blue_tack_minimal.json", ("web",)),
    ("brave.images", "brave/images_hello_world.json", ("results",)),
    ("brave.news", "brave/news_hello_world.json", ("results",)),
    ("google.web", "google-cse/web_poker_page1.json", ("items",)),
    ("google.web", "google-cse/web_semantic_kernel.json", ("items",)),
    ("google.web", "google-cse/web_wine_quoted_three_results.json", ("items",)),
    ("google.images", "google-cse/image_cats_one_item.json", ("items",)),
    ("serper.web", "serper/search_apple_2025.json", ("organic",)),
    ("serper.images", "serper/images_lion_2025.json", ("images",)),
    ("serper.news", "serper/news_tesla_2025.json", ("news",)),
    ("serper.news", "serper/news_tesla_last_hour_2025.json", ("news",)),
    ("searchapi.web", "searchapi/google_ceo_microsoft_2023.json", ("organic_results",)),
    ("searchapi.images", "searchapi/google_images.documented.json", ("images",)),
    ("searchapi.news", "searchapi/google_news.documented.json", ("organic_results",)),
    ("tavily.web", "tavily/search_basic_pydantic_ai.json", ("results",)),
    ("tavily.web", "tavily/search_answer_images_raw_content.json", ("results",)),
    ("tavily.web", "tavily/search_include_domains.json", ("results",)),
    ("tavily.web", "tavily/search_site_filter.json", ("results",)),
    ("exa.web", "exa/search_auto.json", ("results",)),
    ("exa.web", "exa/search_highlights.json", ("results",)),
    ("exa.web", "exa/search_summary.json", ("results",)),
    ("exa.web", "exa/search_text_html_tags.json", ("results",)),
    ("exa.web", "exa/search_include_domains.json", ("results",)),
    ("exa.web", "exa/search_additional_queries.json", ("results",)),
    ("exa.web", "exa/search_deep_reasoning.json", ("results",)),
]
GONE = object()
NOT_A_LIST = [GONE, None, {}, "", "words", 0, 5, True, [None], ["words"], [{}], [[]]]

PAGE = {"title": "T", "url": "https://a.example/", "description": "D", "page_age": "2026-01-02", "age": "3 days ago"}
LINK = {"title": "T", "link": "https://a.example/", "snippet": "Jan 2, 2026 ... S", "date": "3 days ago", "source": "S"}
DECLARED = {"pagemap": {"metatags": [{"og:site_name": "N", "date": "2026-01-02"}], "article": [{"datepublished": "x"}]}}
GOOGLE = {"queries": {"nextPage": [{"startIndex": 6}]}, "searchInformation": {"totalResults": "9"}}
SMALL: dict[str, dict[str, Any]] = {
    "brave.web": {
        "type": "search",
        "query": {"more_results_available": True},
        "mixed": {"main": [{"type": "web"}]},
        "web": {"results": [PAGE | {"extra_snippets": ["E"]}]},
    },
    "brave.news": {"type": "news", "query": {}, "results": [PAGE]},
    "brave.images": {
        "results": [
            PAGE | {"thumbnail": {"src": "https://t.example/"}, "properties": {"url": "https://p.example/", "width": 1}}
        ]
    },
    "google.web": GOOGLE | {"items": [LINK | DECLARED]},
    "google.news": GOOGLE | {"items": [LINK | DECLARED]},
    "google.images": GOOGLE
    | {
        "items": [
            LINK | {"image": {"contextLink": "https://c.example/", "width": 1, "thumbnailLink": "https://t.example/"}}
        ]
    },
    "serper.web": {"organic": [LINK]},
    "serper.news": {"news": [LINK]},
    "serper.images": {"images": [LINK | {"imageUrl": "https://p.example/", "imageWidth": 1}]},
    "searchapi.web": {"search_information": {"total_results": 9}, "organic_results": [LINK]},
    "searchapi.news": {"organic_results": [LINK]},
    "searchapi.images": {
        "images": [
            {
                "title": "T",
                "original": {"link": "https://p.example/", "width": 1},
                "source": {"name": "N", "link": "https://c.example/"},
            }
        ]
    },
    "tavily.web": {"results": [PAGE | {"content": "C", "published_date": "2026-01-02"}]},
    "tavily.news": {"results": [PAGE | {"content": "C", "published_date": "2026-01-02"}]},
    "exa.web": {"results": [PAGE | {"highlights": ["H"], "publishedDate": "2026-01-02"}]},
    "exa.news": {"results": [PAGE | {"summary": "S", "text": "X"}]},
}


def ask(name: str, body: object) -> ResultSet[Any]:
    provider, kind = name.split(".")
    found: ResultSet[Any] = converse(getattr(MODULES[provider], kind)(QUERIES[kind](text="x"), ACCESS), reply(body))[1]
    return found


def damaged(body: Any, path: tuple[Any, ...], value: object) -> Any:
    """The same with another value in a place, or without it; what leads there is copied, the rest is shared."""
    changed = copy.copy(body)
    if len(path) > 1:
        changed[path[0]] = damaged(body[path[0]], path[1:], value)
    elif value is GONE:
        del changed[path[0]]
    else:
        changed[path[0]] = value
    return changed


@pytest.mark.parametrize(("name", "file", "path"), RECORDED, ids=[file for _, file, _ in RECORDED])
def test_a_recorded_answer_without_its_list(shared: Path, name: str, file: str, path: tuple[str, ...]) -> None:
    body = json.loads((shared / "wire" / file).read_bytes())
    assert ask(name, body).items
    for value in NOT_A_LIST:
        with pytest.raises(EXPECTED):
            ask(name, damaged(body, path, value))


BAD_ROWS: list[Any] = [None, "words", {}, {"title": "T"}, {"url": "/a", "link": "/a", "imageUrl": "/a", "title": "T"}]


@pytest.mark.parametrize("name", SMALL)
def test_one_bad_row_costs_that_row_and_a_missing_title_none(name: str) -> None:
    body = copy.deepcopy(SMALL[name])
    holder = body["web"] if name == "brave.web" else body
    key = next(key for key in ("results", "items", "organic", "news", "images", "organic_results") if key in holder)
    untitled = {member: value for member, value in holder[key][0].items() if member != "title"}
    holder[key] = [*BAD_ROWS, holder[key][0], untitled]
    titled, other = ask(name, body).items
    address = getattr(other, "url", None) or other.context_link
    assert titled.title == "T" and other.title in {address, getattr(other, "link", "")}


@pytest.mark.parametrize("name", SMALL)
def test_the_small_answers_are_understood(name: str) -> None:
    assert len(ask(name, SMALL[name]).items) == 1


def places(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] * bool(path) + [place for step, inner in steps for place in places(inner, (*path, step))]


def is_well_typed(item: Any) -> bool:
    """Whether foreign types stayed outside: every member is of its declared type."""
    texts = {name: getattr(item, name) for name in ("title", "url", "link", "source", "snippet") if hasattr(item, name)}
    links = [getattr(item, name, None) for name in ("thumbnail_link", "context_link")]
    numbers = [getattr(item, name, None) for name in ("width", "height", "file_size")]
    return (
        all(isinstance(text, str) for text in (*texts.values(), *getattr(item, "extra_snippets", ())))
        and all(link is None or isinstance(link, str) for link in links)
        and all(number is None or type(number) is int for number in numbers)
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
TARGETS = st.sampled_from([(name, path) for name, body in SMALL.items() for path in places(body)])


@settings(max_examples=250, deadline=None)
@given(TARGETS, JSON | st.just(GONE))
def test_any_damage_is_an_error_or_an_answer_never_a_silent_nothing(
    target: tuple[str, tuple[Any, ...]], value: object
) -> None:
    name, path = target
    body = damaged(SMALL[name], path, value)
    try:
        found = ask(name, body)
    except EXPECTED:
        return
    assert all(is_well_typed(item) for item in found.items)
    emptied = value == [] or (value is GONE and isinstance(path[-1], int))
    assert found.items or emptied, f"{name} read {body} as nothing found"


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(sorted(SMALL)), JSON)
def test_answers_of_any_other_shape(name: str, body: object) -> None:
    with pytest.raises(EXPECTED):
        ask(name, {"unexpected": body})
    with pytest.raises(EXPECTED):
        ask(name, body)


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(sorted(SMALL)), st.integers(400, 599), JSON | st.binary(max_size=40))
def test_error_answers_of_any_shape(name: str, status: int, body: object) -> None:
    provider, kind = name.split(".")
    steps = getattr(MODULES[provider], kind)(QUERIES[kind](text="x"), ACCESS)
    keys = ("error", "errors", "detail", "message")
    for sent in (body, *({key: body} for key in keys if not isinstance(body, bytes))):
        with pytest.raises(WellsourcedError):
            converse(steps, reply(sent, status))
        steps = getattr(MODULES[provider], kind)(QUERIES[kind](text="x"), ACCESS)
