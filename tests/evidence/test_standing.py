"""How sources stand beside each other: releases and their prints, self-published pages, works that others cite."""

from __future__ import annotations

import pytest

from wellsourced.evidence.standing import compare_pages, page_standings
from wellsourced.pages.page import Page

RELEASE = (
    "The institute has measured the depth of the harbour at Varde and found that it lost forty centimetres since the "
    "dredging ended. Its director said that the loss was larger than anybody had expected before the survey began. "
    "The survey was paid for by the port and took three weeks of work in two boats with six people on board of each."
)
STUDY = "https://doi.org/10.1234/harbour.7"


def page(url: str, text: str, title: str = "A page") -> Page:
    return Page(url=url, markdown=text, plain=text, title=title)


def kinds(pages: list[Page]) -> list[list[str]]:
    found = compare_pages(tuple(pages), True).standings
    return [[standing.kind for standing in standings] for standings in found.of_sources]


def test_a_print_of_a_release_names_it() -> None:
    release = page("https://varde.example/press-releases/harbour", RELEASE)
    prints = page("https://daily.example/news/1", RELEASE + " The paper adds nothing.")
    other = page("https://weekly.example/2", "Nobody knows how deep the harbour at Varde is, says the mayor of Varde.")
    found = compare_pages((release, prints, other), True).standings.of_sources
    assert [standing.kind for standing in found[0]] == ["press_release"]
    assert [(standing.kind, standing.url) for standing in found[1]] == [("print_of_press_release", release.url)]
    assert found[2] == ()


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (page("https://www.prnewswire.com/news/x.html", RELEASE), "press_release"),
        (page("https://a.example/x", f"Pressemitteilung\n\n{RELEASE}"), "press_release"),
        (page("https://a.example/x", f"VARDE, May 2 /PRNewswire/ -- {RELEASE}"), "print_of_press_release"),
        (page("https://somebody.substack.com/p/x", RELEASE), "self_published"),
        (page("https://j.example/x", RELEASE, "RETRACTED: The depth of a harbour"), "retracted"),
    ],
)
def test_what_shows_on_a_page_itself(given: Page, kind: str) -> None:
    assert [standing.kind for standing in page_standings(given)] == [kind]


@pytest.mark.parametrize(
    "text",
    [f"The press release of the port was wrong. {RELEASE}", f"Retracted claims about harbours are here. {RELEASE}"],
)
def test_naming_a_release_or_a_retraction_is_not_being_one(text: str) -> None:
    assert page_standings(page("https://a.example/about-press/x", text)) == ()


def test_the_work_that_several_cite_is_named_with_those_who_cite_it() -> None:
    one = page("https://one.example/a", f"It is [less deep]({STUDY}) now, and [more](https://one.example/b).")
    two = page("https://two.example/a", "The depth fell (doi:10.1234/harbour.7), as a study found.")
    same_house = page("https://m.two.example/b", f"As [we wrote]({STUDY}).")
    study = page("https://doi.org/10.1234/HARBOUR.7", "The depth of the harbour was measured.")
    found = compare_pages((one, two, same_house, study), True).standings
    assert [(work.url, work.cited_by) for work in found.cited] == [(STUDY, (one.url, two.url))]
    assert kinds([one, two, same_house, study]) == [["cites"], ["cites"], [], ["cited_by_others"]]
    assert found.of_sources[0][0].url == STUDY
