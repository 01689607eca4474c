"""One record for each work, and filters that hold."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from wellsourced.scholarly.paper_filters import filter_papers, graver_notice, merge_papers, newest_first
from wellsourced.upstreams.types.paper import Integrity, Paper, PaperIds, PaperQuery

PAPER = Paper(
    title="On Things", url="https://doi.org/10.1/a", source="openalex", doi="10.1/a", year=2020, authors=("A",)
)
FLAG = Integrity(kind="retraction", retracted=True, source="openalex")
NOTICE = replace(FLAG, source="retraction-watch", date="2025-01-01", notice_doi="10.1/n")
CORRECTION = Integrity(kind="correction", retracted=False, source="publisher", date="2024-01-01")


def test_the_same_doi_is_one_work_with_what_both_know() -> None:
    other = replace(PAPER, source="crossref", journal="J", citation_count=3, retraction=NOTICE, ids=PaperIds(pmid="1"))
    (work,) = merge_papers([PAPER, other])
    assert work.source == "openalex" and work.journal == "J" and work.citation_count == 3
    assert work.retraction == NOTICE and work.ids.pmid == "1"


def test_without_a_doi_title_and_year_tell() -> None:
    same = replace(PAPER, doi=None, url="https://x.example/1", title="on things!", source="web", abstract="More.")
    older = replace(same, year=1999, url="https://x.example/2")
    first, second = merge_papers([PAPER, same, older])
    assert first.abstract == "More." and second.year == 1999


def test_two_works_of_one_title_stay_two_unless_one_is_the_preprint() -> None:
    errata = replace(PAPER, doi="10.1/b")
    assert len(merge_papers([PAPER, errata])) == 2
    assert len(merge_papers([PAPER, replace(errata, type="preprint")])) == 1


def test_trial_deposits_are_left_out() -> None:
    assert merge_papers([replace(PAPER, doi="10.5555/12345678")]) == []


def test_the_graver_and_better_documented_mark_wins() -> None:
    assert graver_notice(FLAG, NOTICE) == graver_notice(NOTICE, FLAG) == NOTICE
    assert graver_notice(CORRECTION, FLAG) == FLAG
    assert graver_notice(None, CORRECTION) == CORRECTION and graver_notice(None, None) is None


FILTERS: list[tuple[dict[str, Any], dict[str, Any], set[str], bool]] = [
    ({"text": "things -on"}, {}, set(), True),
    ({"text": "on -things"}, {}, set(), False),
    ({"text": 'on -"no things"'}, {"abstract": "There are no things."}, set(), False),
    ({"year_from": 2019}, {}, set(), True),
    ({"year_from": 2021}, {}, set(), False),
    ({"year_to": 2019}, {}, set(), False),
    ({"year_from": 2019}, {"year": None}, set(), False),
    ({"open_access": True}, {}, set(), False),
    ({"open_access": True}, {"open_access": True}, set(), True),
    ({"pdf_only": True}, {"open_access": True}, set(), False),
    ({"pdf_only": True}, {"pdf_url": "https://x.example/a.pdf"}, set(), True),
    ({"source": "ieee"}, {}, {"source"}, False),
    ({"source": "ieee"}, {}, set(), True),
    ({"source": "ieee"}, {"doi": "10.1109/5.771073"}, {"source"}, True),
    ({"source": "arxiv"}, {"ids": PaperIds(arxiv="2001.00001")}, {"source"}, True),
    ({"source": "springer"}, {"publisher": "Springer Science"}, {"source"}, True),
    ({"source": "nature"}, {"journal": "Signature Studies"}, {"source"}, False),
    ({"full_text": True}, {"ids": PaperIds(pmcid="PMC1")}, {"full_text"}, True),
    ({"full_text": True}, {}, {"full_text"}, False),
]


@pytest.mark.parametrize(("wish", "about", "lost", "stays"), FILTERS)
def test_filters_hold_whatever_the_provider_made_of_them(
    wish: dict[str, Any], about: dict[str, Any], lost: set[str], stays: bool
) -> None:
    query = PaperQuery(**{"text": "things", **wish})
    assert bool(filter_papers([replace(PAPER, **about)], query, frozenset(lost), dated=True)) is stays


def test_by_date_the_newest_come_first_and_the_undated_last() -> None:
    dated = [replace(PAPER, year=None), replace(PAPER, date="2020-05-01"), replace(PAPER, year=2021)]
    assert [paper.date or paper.year for paper in newest_first(dated)] == [2021, "2020-05-01", None]
