"""Which of the works that a search brings is the one that was cited."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wellsourced.citations.candidate_search import rate_candidate, search_words
from wellsourced.citations.parse.citation import parse_citation
from wellsourced.citations.reference import Name, Reference
from wellsourced.upstreams.types.paper import Author, Paper

BOOK = Paper(
    title="Annals of the harbour", url="https://a.org", source="crossref", type="book", isbn="9780306406157", year=1999
)


def test_an_isbn_counts_in_every_spelling_of_it() -> None:
    for written in ("978-0-306-40615-7 (hbk)", "0-306-40615-2", "ISBN 0306406152, 080442957X"):
        cited = Reference(type="book", title="The harbour, its annals", isbn=written)
        assert rate_candidate(cited, BOOK, free_text=False).is_meant, written
    assert not rate_candidate(Reference(title="Tides", isbn="0-8044-2957-X"), BOOK, free_text=False).is_meant


def test_a_citation_holds_no_operators() -> None:
    cited = Reference(raw="Doe J. Attention is NOT explanation -a reply to X-ray AND others")
    assert search_words(cited, with_names=False) == "Doe J. Attention is not explanation a reply to X-ray and others"
    titled = Reference(title="Tides", authors=(Name(family="Doe", given="J."),), year=1999)
    assert search_words(titled, with_names=True) == "tides Doe 1999"


def test_another_chapter_of_the_same_book_is_not_the_one_cited() -> None:
    cited = Reference(type="chapter", title="Dredging before the age of steam", isbn="9780306406157")
    chapter = replace(BOOK, type="book-chapter", title="Pilots and their unions")
    assert not rate_candidate(cited, chapter, free_text=False).is_meant


def test_a_translated_title_is_made_up_for_by_everything_else() -> None:
    record = Paper(
        title="Zur Elektrodynamik bewegter Körper",
        url="https://a.org",
        source="crossref",
        author_names=(Author(family="Einstein", given="A."),),
        journal="Annalen der Physik",
        year=1905,
        pages="891-921",
    )
    cited = Reference(
        title="On the electrodynamics of moving bodies",
        authors=(Name(family="Einstein", given="Albert"),),
        container="Ann. Phys.",
        year=1905,
        pages="891–921",
    )
    assert rate_candidate(cited, record, free_text=False).is_meant
    assert not rate_candidate(replace(cited, pages="1–9"), record, free_text=False).is_meant


@pytest.mark.parametrize(
    ("text", "record"),
    [
        (
            "Zhang Q. Depression in hive keepers. J Bees. 2015;3:1-9.",
            Paper(title="Depression", url="https://example.org/", source="crossref", year=2011),
        ),
        (
            "Moreau, L. (2019). Tidal power: lessons from the Breton coast. Energy Notes, 4, 11–19.",
            Paper(
                title="Tidal power: a field guide for engineers",
                url="https://example.org/",
                source="crossref",
                authors=("Greta Lind",),
                year=1998,
                journal="Power Engineering",
            ),
        ),
        (
            "Osei, K. (2021). Introduction. Journal of Wells, 2, 1–4.",
            Paper(
                title="Introduction",
                url="https://example.org/",
                source="crossref",
                authors=("Paul Verne",),
                year=2021,
                journal="Glass Studies",
            ),
        ),
        (
            "Patel, R. (2016). Long-term storage of grain in sealed earthen silos. Agron. Lett., 7, 80–92.",
            Paper(
                title="Long-term storage of grain in sealed earthen silos",
                url="https://example.org/",
                source="crossref",
                authors=("Ana Ferreira",),
                year=2003,
                journal="Journal of Stored Products",
            ),
        ),
    ],
)
def test_a_title_alone_does_not_confirm_an_invented_reference(text: str, record: Paper) -> None:
    rated = rate_candidate(parse_citation(text).reference, record, free_text=True)
    assert not rated.is_meant and rated.confidence != "high"
