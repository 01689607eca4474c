"""Citations beside records: real records written in every style are never objected to, exchanged ones always."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.providers.conversation import converse, reply
from wellsourced.errors import WellsourcedError
from wellsourced.model.paper import Paper, PaperId
from wellsourced.model.provider import Access
from wellsourced.providers import crossref
from wellsourced.research.checking.agreement import agree
from wellsourced.research.checking.recognise import of_reference, recognise
from wellsourced.research.scholar.paper_reference import reference_of, title_of
from wellsourced.research.scholar.title_words import exchanged
from wellsourced.text.citations.bibliography import read_bibliography
from wellsourced.text.citations.styles import Style, format_bibliography
from wellsourced.text.citations.webpage import page_reference

FOR_PEOPLE: tuple[Style, ...] = ("apa", "mla", "chicago", "ieee", "vancouver")
FOR_PROGRAMS: tuple[Style, ...] = ("bibtex", "ris", "csl-json")
PAPER = Paper(
    title="Groundwater recharge under changing land use in semi-arid catchments",
    url="https://doi.org/10.99041/recharge",
    source="crossref",
    doi="10.99041/recharge",
    authors=("Tesfaye Haile", "Mary Okoth"),
    year=2018,
    journal="Journal of Hydrology",
    volume="581",
    pages="124-139",
    type="journal-article",
)


def recorded_papers(shared: Path) -> Iterator[Paper]:
    for path in sorted((shared / "wire" / "crossref").glob("*.json")):
        message = json.loads(path.read_bytes()).get("message")
        items = message.get("items", [message]) if isinstance(message, dict) else []
        for item in items:
            answer = reply({"status": "ok", "message-type": "work", "message": item})
            try:
                doi = str(item.get("DOI"))
                paper = converse(crossref.record(PaperId("doi", doi), Access({})), answer)[1]
            except (WellsourcedError, KeyError):
                continue
            if title_of(paper):
                yield paper


def test_real_records_in_every_style_are_not_objected_to(shared: Path) -> None:
    count = 0
    for paper in recorded_papers(shared):
        for style in FOR_PEOPLE:
            citation = recognise(format_bibliography([reference_of(paper)], style))
            found = agree(citation.reference, paper, free_text=True)
            assert (citation.work, found.differences) == (PaperId("doi", paper.doi or ""), ()), (style, paper.title)
        for style in FOR_PROGRAMS:
            for entry in read_bibliography(format_bibliography([reference_of(paper)], style)).entries:
                found = agree(entry, paper, free_text=False)
                assert (found.differences, found.title_match) == ((), "match"), (style, paper.title)
        count += 1
    assert count > 30


def test_the_identifier_of_another_work_is_always_seen(shared: Path) -> None:
    papers = list({paper.doi: paper for paper in recorded_papers(shared)}.values())
    for number, paper in enumerate(papers):
        other = papers[(number + 5) % len(papers)]
        cited = of_reference(replace(reference_of(paper), doi=other.doi)).reference
        assert agree(cited, other, free_text=False).disagrees, (paper.title, other.title)


HONEST = [
    ("Haile, T.; Okoth, M.", "Groundwater Recharge Under Changing Land Use in Semi-Arid Catchments", "2018"),
    ("Haile et al.", "Groundwater recharge under changing land use in semiarid catchments", "2019"),
    ("Okoth, Mary; Haile, Tesfaye", "Groundwater recharge under changing land use…", "2018"),
    ("", "GROUNDWATER RECHARGE UNDER CHANGING LAND USE IN SEMI-ARID CATCHMENTS", ""),
    ("Hydrology Working Group", "Ground-water recharge under changing land-use in semi-arid catchments", "2017"),
    ("Haile, T.", "地下水补给与土地利用变化", "2018"),
    ("Haile, Tesfaye", "Recharge des nappes et changement d'usage des sols dans les bassins semi-arides", "2018"),
]
FALSE = [
    ("Haile, T.; Okoth, M.", "Groundwater recharge under changing land use in tropical catchments", "2018"),
    ("Haile, T.; Okoth, M.", "Groundwater recharge under changing land use in semi-arid catchments", "2011"),
    ("Lindqvist, Maria; Okoth, M.", "Groundwater recharge under changing land use in semi-arid catchments", "2018"),
    ("Haile, T.; Okoth, M.", "Household saving and the age of retirement in Norway", "2018"),
    ("", "Groundwater recharge not under changing land use in semi-arid catchments", ""),
]


@pytest.mark.parametrize(("authors", "title", "year"), HONEST)
def test_honest_ways_of_citing(authors: str, title: str, year: str) -> None:
    assert agree(page_reference("", title, authors, "", year), PAPER, free_text=False).differences == ()


@pytest.mark.parametrize(("authors", "title", "year"), FALSE)
def test_what_positively_differs(authors: str, title: str, year: str) -> None:
    assert len(agree(page_reference("", title, authors, "", year), PAPER, free_text=False).differences) == 1


NOT_TITLES = [
    "10.99041/recharge",
    "see Haile 2018 for details, doi:10.99041/recharge",
    "Haile et al. 2018 https://doi.org/10.99041/recharge",
    "J. Hydrol. 581, 124 (2018) 10.99041/recharge",
    "[12] 10.99041/recharge",
    "the study (Haile and Okoth 2018, 10.99041/recharge) says so",
]


@pytest.mark.parametrize("text", NOT_TITLES)
def test_words_around_an_identifier_are_not_taken_for_a_title(text: str) -> None:
    found = agree(recognise(text).reference, PAPER, free_text=True)
    assert (found.differences, found.title_match) == ((), "not_checked")


WORDS = [
    ("Vaccines cause allergic reactions", "Vaccines do not cause allergic reactions", True),
    ("Hypertension in pregnancy", "Hypotension in pregnancy", True),
    ("Report of 2018 on climate", "Report of 2019 on climate", True),
    ("3D printing of bone", "Three-dimensional printing of bone", False),
    ("PTSD in veterans of two wars", "Post-traumatic stress disorder in veterans of two wars", False),
    ("Zur Groesse der Baeume im Wald", "Zur Größe der Bäume im Wald", False),
    ("Recieving signals from pulsars", "Receiving signals from pulsars", False),
    ("Effects of caffeine on sleep", "Effects of caffeine on sleep: a review of trials", False),
]


@pytest.mark.parametrize(("cited", "recorded", "is_exchanged"), WORDS)
def test_exchanged_words(cited: str, recorded: str, is_exchanged: bool) -> None:
    assert (exchanged(cited, recorded) is not None) is is_exchanged
