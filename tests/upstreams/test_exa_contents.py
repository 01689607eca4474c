"""Exa's text of pages: recorded answers, pages that failed inside an answer that did not."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, reply
from tests.upstreams.recorded import recorded
from wellsourced.errors import (
    Blocked,
    ContentEmpty,
    KeyRejected,
    NotFound,
    OutOfCredit,
    UpstreamChanged,
    UpstreamUnavailable,
    WellsourcedError,
)
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import exa
from wellsourced.upstreams.types.answers import PageContents

ACCESS = Access({"EXA_API_KEY": "k3y"}, datetime(2026, 11, 15, tzinfo=UTC))
URL = "https://arxiv.org/abs/2307.06435"
ROW = {
    "url": URL,
    "title": "A &amp; B",
    "author": "A. Writer",
    "publishedDate": "2023-07-12T00:00:00.000Z",
    "text": "T",
}


def read(answer: Reply) -> Any:
    return converse(exa.contents(URL, ACCESS), answer)


@pytest.mark.parametrize(("name", "length"), [("contents_arxiv.json", 3000), ("contents_max_characters.json", 900)])
def test_recorded_contents(shared: Path, name: str, length: int) -> None:
    (request,), found = read(recorded(shared, f"exa/{name}"))
    assert (request.method, request.path, request.headers["x-api-key"]) == ("POST", "/contents", "k3y")
    assert json.loads(request.body) == {"urls": [URL], "text": {"maxCharacters": 200_000}}
    assert (found.source, found.url) == ("cached", URL)
    assert found.title == "A Comprehensive Overview of Large Language Models"
    assert found.markdown.startswith("# Computer Science > Computation and Language\n\n**arXiv:2307.06435** (cs)")
    assert len(found.markdown) > length
    assert found.author == "", "a line about the submission is nobody's name"


@pytest.mark.parametrize(("stated", "source"), [("crawled", "crawled"), ("cached", "cached"), (None, "cached")])
def test_a_page_in_full(stated: str | None, source: str) -> None:
    status = {"id": URL, "status": "success", **({"source": stated} if stated else {})}
    assert read(reply({"results": [ROW], "statuses": [status]}))[1] == PageContents(
        url=URL, markdown="T", source=source, title="A & B", author="A. Writer", date="2023-07-12"
    )


def failed(**error: Any) -> dict[str, Any]:
    return {"results": [], "statuses": [{"id": URL, "status": "error", "error": error}]}


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (failed(tag="CRAWL_NOT_FOUND", httpStatusCode=404), NotFound),
        (failed(tag="CRAWL_UNKNOWN_ERROR", httpStatusCode=410), NotFound),
        (failed(tag="SOURCE_NOT_AVAILABLE", httpStatusCode=403), Blocked),
        (failed(tag="CRAWL_LIVECRAWL_TIMEOUT", httpStatusCode=408), UpstreamUnavailable),
        ({"results": [ROW], "statuses": [{"status": "error", "error": None}]}, UpstreamUnavailable),
        ({"results": [{**ROW, "text": " \n"}], "statuses": []}, ContentEmpty),
        ({"results": [{**ROW, "text": None}]}, UpstreamChanged),
        ({"results": [], "statuses": []}, UpstreamChanged),
        ({"results": {}}, UpstreamChanged),
    ],
)
def test_a_page_that_failed_is_an_error_of_its_kind(body: Any, kind: type[WellsourcedError]) -> None:
    with pytest.raises(kind) as raised:
        read(reply(body))
    assert type(raised.value) is kind


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, {"error": "x-api-key header is invalid"}, KeyRejected),
        (402, {"error": "Out of credits"}, OutOfCredit),
        (500, "oops", UpstreamUnavailable),
    ],
)
def test_refusals(status: int, body: object, kind: type[WellsourcedError]) -> None:
    with pytest.raises(kind):
        read(reply(body, status))
