"""Patents held against the question, and grouped by owner."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from wellsourced.scholarly.patent_filters import cluster_by_owner, filter_patents, merge_documents
from wellsourced.scholarly.patents import covers_office, has_enough_words, patent_from_hit, search_url, web_query_text
from wellsourced.upstreams.types.patent import Patent, PatentQuery
from wellsourced.upstreams.types.search import Hit

PATENT = Patent(
    title="T",
    number="US10165245B2",
    url="https://patents.google.com/patent/US10165245B2/en",
    source="epo",
    assignees=("Example, Inc.",),
    inventors=("CROSBY, Andrew",),
    filed="2013-07-03",
    published="2018-12-25",
    granted="2018-12-25",
    cpc=("G06F3/01",),
)

FILTERS: list[tuple[dict[str, Any], dict[str, Any], bool]] = [
    ({"office": "US"}, {}, True),
    ({"office": "EP"}, {}, False),
    ({"year_from": 2013, "year_to": 2013}, {}, True),
    ({"year_from": 2018}, {}, False),
    ({"year_to": 2012}, {}, False),
    ({"year_from": 2019}, {"filed": None}, False),
    ({"year_from": 2015}, {"filed": None}, True),
    ({"assignee": "EXAMPLE LLC"}, {}, True),
    ({"assignee": "Other"}, {}, False),
    ({"assignee": "Other"}, {"assignees": ()}, True),
    ({"inventor": "Andrew Crosby"}, {}, True),
    ({"inventor": "Anna Crosby"}, {}, False),
    ({"cpc": "g06f 3"}, {}, True),
    ({"cpc": "H01L"}, {}, False),
]


@pytest.mark.parametrize(("wish", "about", "stays"), FILTERS)
def test_what_is_known_and_does_not_fit_is_dropped(wish: dict[str, Any], about: dict[str, Any], stays: bool) -> None:
    assert bool(filter_patents([replace(PATENT, **about)], PatentQuery(text="x", **wish))) is stays


def test_application_and_grant_of_one_number_are_one_document() -> None:
    application = replace(PATENT, number="EP2533477A1", granted=None, abstract="Told here alone.")
    grant = replace(PATENT, number="EP2533477B1", abstract=None)
    (document,) = merge_documents([application, grant])
    assert document.number == "EP2533477B1" and document.granted and document.abstract == "Told here alone."


def test_owners_are_grouped_whatever_their_spelling() -> None:
    names = ["Siemens AG", "SIEMENS AKTIENGESELLSCHAFT", "SIEMENS AG", "Example, Inc.", ""]
    patents = [replace(PATENT, number=f"US{n}B2", assignees=(name,) if name else ()) for n, name in enumerate(names)]
    first, *others = cluster_by_owner(patents)
    assert (first.assignee, first.numbers) == ("Siemens", ("US0B2", "US2B2"))
    assert {group.count for group in others} == {1} and len(others) == 2


def test_a_hit_tells_its_number_and_title() -> None:
    hit = Hit(
        title="US10165245B2 - Pre-fill system - Google Patents", url="https://patents.google.com/patent/US10165245B2/en"
    )
    patent = patent_from_hit(hit, "brave")
    assert patent and (patent.number, patent.title, patent.source) == ("US10165245B2", "Pre-fill system", "brave")
    assert patent_from_hit(Hit(title="Google Patents", url="https://patents.google.com/?q=x"), "brave") is None


def test_a_database_of_one_office_is_asked_for_that_office_alone() -> None:
    assert covers_office("uspto", PatentQuery(text="x")) and covers_office("uspto", PatentQuery(text="x", office="US"))
    assert not covers_office("uspto", PatentQuery(text="x", office="EP"))
    assert not has_enough_words("uspto", PatentQuery(cpc="G06F")) and has_enough_words("epo", PatentQuery(cpc="G06F"))
    assert has_enough_words("uspto", PatentQuery(inventor="A Crosby", cpc="G06F"))
    assert not covers_office("uspto", PatentQuery(number="EP1000000A1")) and covers_office(
        "epo", PatentQuery(text="x", office="JP")
    )


def test_the_address_for_people_and_the_words_for_engines() -> None:
    query = PatentQuery(
        text="solar", assignee="Example, Inc.", inventor="A Crosby", office="EP", year_from=2015, cpc="g06f"
    )
    assert search_url(query, "prior_art") == (
        "https://patents.google.com/?q=solar+CPC%3DG06F&assignee=Example&inventor=A+Crosby&country=EP&after=filing%3A20150101"
    )
    assert search_url(PatentQuery(text="US 10,165,245 B2"), "specific").endswith("/patent/US10165245B2/en")
    assert web_query_text(query) == 'solar "Example" "A Crosby" g06f'


def test_where_only_the_first_inventor_is_named_the_filter_is_the_providers() -> None:
    query = PatentQuery(text="x", inventor="Anna Crosby")
    assert filter_patents([replace(PATENT, source="searchapi")], query) and not filter_patents([PATENT], query)
