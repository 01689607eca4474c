"""CSL-JSON with everything real files do to it."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.citations.formats.bibliography import read_bibliography
from wellsourced.citations.reference import Name
from wellsourced.errors import BadInput
from wellsourced.text.partial_dates import PartialDate

DATES = [
    ({"date-parts": [[2011, 5, 25]]}, PartialDate(2011, 5, 25)),
    ({"date-parts": [["2011", "5"], [2012]]}, PartialDate(2011, 5)),
    ({"date-parts": [2011, 5]}, PartialDate(2011, 5)),
    ({"date-parts": [[None]]}, None),
    ({"date-parts": [[-44, 3, 15]]}, PartialDate(-44, 3, 15)),
    ({"raw": "2012-05"}, PartialDate(2012, 5)),
    ({"literal": "im Mai 2012"}, PartialDate(2012, 5)),
    ({"year": 2012, "month": "7"}, PartialDate(2012, 7)),
    ({"date-parts": [[2017]], "season": 4, "circa": True}, PartialDate(2017)),
    ("2012-13-40", PartialDate(2012)),
    (2012, PartialDate(2012)),
    ("12 mars 2010", PartialDate(2010, 3, 12)),
    ("2010年5月3日", PartialDate(2010, 5, 3)),
    (["x"], None),
    (True, None),
]


@pytest.mark.parametrize(("issued", "expected"), DATES)
def test_dates(issued: object, expected: PartialDate | None) -> None:
    (entry,) = read_bibliography(json.dumps([{"title": "x", "issued": issued}])).entries
    assert entry.date == expected and entry.year == (expected.year if expected else None)


@pytest.mark.parametrize(
    ("author", "expected"),
    [
        ([{"family": "Doe", "given": "J."}], (Name(family="Doe", given="J."),)),
        ([{"family": "von und zum Jones", "given": "R"}], (Name(family="Jones", given="R", particle="von und zum"),)),
        (
            [{"family": "Gogh", "given": "V", "non-dropping-particle": "van"}],
            (Name(family="Gogh", given="V", particle="van"),),
        ),
        (
            [{"family": "Beethoven", "given": "L", "dropping-particle": "van"}],
            (Name(family="Beethoven", given="L van"),),
        ),
        ([{"literal": "World Health Organization"}], (Name(literal="World Health Organization"),)),
        ("Doe, Jane; Roe, John", (Name(family="Doe", given="Jane"), Name(family="Roe", given="John"))),
        ([None, 5, {"given": "Plato"}, "A. Doe"], (Name(literal="Plato"), Name(family="Doe", given="A."))),
        ({"family": "Doe"}, (Name(family="Doe"),)),
    ],
)
def test_names(author: object, expected: tuple[Name, ...]) -> None:
    (entry,) = read_bibliography(json.dumps({"title": "x", "author": author})).entries
    assert entry.authors == expected


def test_one_odd_item_loses_nothing_else() -> None:
    items = [
        {"id": 3, "title": "One <i>x</i> &amp; y", "volume": 7, "page": "1-9", "DOI": "https://doi.org/10.1000/ABC"},
        5,
        {},
        {"title": ["Two"], "type": 9},
    ]
    read = read_bibliography(json.dumps(items))
    one, two = read.entries
    assert (one.key, one.title, one.volume, one.pages, one.doi) == ("3", "One x & y", "7", "1–9", "10.1000/abc")
    assert two.title == "Two" and [number for number, _ in read.problems] == [2, 3]


def test_damaged_json_is_salvaged() -> None:
    text = '[{"type": "book", "title": "One"}, {"title": }, {"type": "book", "title": "Three"}, {"type": "bo'
    read = read_bibliography(text)
    assert [entry.title for entry in read.entries] == ["One", "Three"] and "not valid JSON" in read.problems[0][1]
    lines = read_bibliography('{"title": "One"}\n{"title": "Two"}')
    assert [entry.title for entry in lines.entries] == ["One", "Two"]


def test_wrapped_lists_and_single_objects() -> None:
    assert read_bibliography('{"references": [{"title": "x"}, {"title": "y"}]}').entries[1].title == "y"
    assert read_bibliography('\ufeff {"title": "x", "xtra": {"a": 1}}').entries[0].extra["xtra"] == '{"a": 1}'


def test_what_is_no_bibliography_is_refused() -> None:
    with pytest.raises(BadInput, match="neither CSL-JSON nor RIS nor BibTeX"):
        read_bibliography("Just words.")
    with pytest.raises(BadInput, match="most that is read"):
        read_bibliography("x" * 5_000_001)
    with pytest.raises(BadInput, match="csl-json, ris, bibtex"):
        read_bibliography("x", "endnote")  # type: ignore[arg-type]


@pytest.mark.parametrize("unit", ["[", '{"a":', '{"a":1', '{"title":"x"},', "9" * 50])
def test_hostile_documents_cost_little(unit: str) -> None:
    begun = time.thread_time()
    read_bibliography("[" + unit * (200_000 // len(unit)), "csl-json")
    assert time.thread_time() - begun < 5


MEMBERS = ["title", "author", "issued", "date-parts", "DOI", "page", "family", "custom", "keyword", "note", "id"]
scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(MEMBERS), inner, max_size=4),
    max_leaves=12,
)


@given(values)
def test_never_fails(value: object) -> None:
    read_bibliography(json.dumps([value]), "csl-json")
