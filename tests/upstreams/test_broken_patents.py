"""Damaged answers of the patent databases: an error, never a silent nothing, and never an exception of another kind.

The kinds that the upstream client takes for a changed upstream count as errors.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.loopback.upstreams import epo as loopback_epo
from tests.loopback.upstreams import google_patents as loopback_pages
from tests.loopback.upstreams import uspto as loopback_uspto
from tests.upstreams.conversation import converse, reply
from wellsourced.errors import WellsourcedError
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstream_client.client import MISREADINGS
from wellsourced.upstreams import epo, google_patents, lens_org, searchapi, uspto
from wellsourced.upstreams.types.patent import Patent, PatentQuery
from wellsourced.upstreams.types.search import ResultSet

EXPECTED = (WellsourcedError, *MISREADINGS)
TOKEN = reply({"access_token": "t", "expires_in": "1199"})
XML = '<world-patent-data><biblio-search total-result-count="1">{}</biblio-search></world-patent-data>'
LENS_ROW = {
    "jurisdiction": "EP",
    "doc_number": "2471949",
    "kind": "A1",
    "date_published": "2012-07-04",
    "biblio": {"invention_title": [{"text": "T", "lang": "en"}], "parties": {"applicants": [], "inventors": [{}]}},
    "legal_status": {"grant_date": "2013-12-25", "patent_status": "ACTIVE"},
}
SOUND: dict[str, Any] = {
    "uspto": {"count": 1, "patentFileWrapperDataBag": [loopback_uspto.row("tide", 1)]},
    "lens": {"total": 1, "data": [LENS_ROW]},
    "searchapi": {
        "organic_results": [{"title": "T", "publication_number": "US10165245B2", "country_status": {"US": "X"}}]
    },
}
ASK: dict[str, Callable[[Reply], ResultSet[Patent]]] = {
    "uspto": lambda answer: converse(uspto.patents(PatentQuery(text="x"), Access({})), answer)[1],
    "lens": lambda answer: converse(lens_org.patents(PatentQuery(text="x"), Access({})), answer)[1],
    "searchapi": lambda answer: converse(searchapi.patents(PatentQuery(text="x"), Access({})), answer)[1],
    "epo": lambda answer: converse(epo.patents(PatentQuery(text="x"), Access({})), TOKEN, answer)[1],
    "google_patents": lambda answer: converse(
        google_patents.patents(PatentQuery(number="US10165245B2"), Access({})), answer
    )[1],
}
JUNK: list[Any] = [None, "", "words", 0, -1, True, [], [None], [[]], {}, {"a": 1}, "\ud800", "9" * 400]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, child in inner for place in places(child, (*path, key)))]


def damaged(value: Any, path: tuple[Any, ...], junk: Any) -> Any:
    if not path:
        return junk
    whole = copy.deepcopy(value)
    parent = whole
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = junk
    return whole


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_answer_is_read_and_any_damage_to_it_is_survived(name: str) -> None:
    assert len(ASK[name](reply(SOUND[name])).items) == 1
    for path in places(SOUND[name]):
        for junk in JUNK:
            try:
                found = ASK[name](reply(damaged(SOUND[name], path, junk)))
            except EXPECTED:
                continue
            is_told_nothing = junk in (0, []) or path in {("count",), ("total",)}
            assert found.items or is_told_nothing, (path, junk)
            assert all(patent.number and patent.title for patent in found.items)


@pytest.mark.parametrize("name", ASK)
@given(body=st.binary(max_size=200), status=st.sampled_from([200, 302, 400, 401, 403, 410, 429, 500, 503]))
@settings(max_examples=60, deadline=None)
def test_noise_is_never_an_answer(name: str, body: bytes, status: int) -> None:
    with pytest.raises(EXPECTED):
        ASK[name](reply(body, status))


@given(cut=st.integers(0, 3000))
@settings(max_examples=60, deadline=None)
def test_a_page_that_breaks_off_is_an_error_or_tells_the_truth(cut: int) -> None:
    whole = loopback_pages.page("US10165245B2")
    try:
        (patent,) = ASK["google_patents"](reply(whole[:cut])).items
    except EXPECTED:
        return
    assert patent.number == "US10165245B2"


@pytest.mark.parametrize("size", [200_000])
def test_xml_with_many_documents_and_deep_nesting_is_bounded(size: int) -> None:
    deep = XML.format("<a>" * 500 + "</a>" * 500)
    with pytest.raises(EXPECTED):
        ASK["epo"](reply(deep))
    documents = loopback_epo.document("tide", 1) * (size // 1500)
    assert len(ASK["epo"](reply(XML.format(documents))).items) == PatentQuery(text="x").count
