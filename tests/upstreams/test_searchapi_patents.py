"""SearchAPI's patents, after the documented sample."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from tests.upstreams.recorded import recorded
from wellsourced.errors import KeyRejected, UpstreamChanged
from wellsourced.upstream import Access
from wellsourced.upstreams.searchapi import patents
from wellsourced.upstreams.types.patent import PatentQuery

ACCESS = Access({"SEARCHAPI_API_KEY": "key"})


def test_filters_are_sent_and_years_are_years_of_filing() -> None:
    query = PatentQuery(assignee="Example, Inc.", cpc="g06f 3/01", office="US", year_from=2015, year_to=2016)
    request = first_request(patents(query, ACCESS))
    sent = dict(request.params)
    assert sent["q"] == "* CPC=G06F3/01" and sent["assignee"] == "Example" and sent["country"] == "US"
    assert sent["after"] == "filing:20150101" and sent["before"] == "filing:20161231"
    assert "key" not in sent.values() and request.headers["Authorization"] == "Bearer key"


def test_documented_answer(shared: Path) -> None:
    answer = recorded(shared, "searchapi/google_patents.documented.json")
    (patent,) = converse(patents(PatentQuery(text="video", count=5), ACCESS), answer)[1].items
    assert patent.number == "US10165245B2" and patent.abstract == "Text fragment with marks"
    assert (patent.priority, patent.filed, patent.granted) == ("2012-07-06", "2013-07-03", "2018-12-25")
    assert patent.status == "Active" and patent.pdf


def test_articles_are_left_out_and_an_application_is_not_granted() -> None:
    rows = [
        {"title": "An article", "scholar_id": "1"},
        {"title": "T", "patent_id": "patent/US20230418876A1/en", "grant_date": "2024-01-01"},
    ]
    (patent,) = converse(patents(PatentQuery(text="x"), ACCESS), reply({"organic_results": rows}))[1].items
    assert patent.number == "US20230418876A1" and patent.granted is None
    assert patent.url == "https://patents.google.com/patent/US20230418876A1/en"


def test_what_is_no_answer_is_told_apart(shared: Path) -> None:
    assert (
        converse(patents(PatentQuery(text="x"), ACCESS), reply({"error": "Google didn't return any results"}))[1].items
        == ()
    )
    with pytest.raises(UpstreamChanged):
        converse(patents(PatentQuery(text="x"), ACCESS), reply({"organic_results": [{"title": "T"}]}))
    with pytest.raises(KeyRejected):
        converse(patents(PatentQuery(text="x"), ACCESS), recorded(shared, "searchapi/error_401.documented.json", 401))
