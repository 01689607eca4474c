"""Sources are given best first, and of two copies the better one keeps the text."""

from __future__ import annotations

from wellsourced.evidence.duplicates import deduplicate_pages
from wellsourced.evidence.reputation import ReputationTable
from wellsourced.pages.attempts import Reading
from wellsourced.pages.page import Page
from wellsourced.search.source_assessment import (
    RankedSource,
    ReadSource,
    SourceQuestion,
    assess_source,
    find_linked_evidence,
    order_sources,
    ranked_source,
)
from wellsourced.search.source_excerpt import PassageRanking
from wellsourced.text.budget import score_passages
from wellsourced.upstreams.types.search import Hit

REPORT = "\n\n".join(
    f"The tide in the harbour rose by {metres} metres after the storm, as the gauges at the old pier told the crew."
    for metres in range(2, 12)
)
QUESTION = SourceQuestion("harbour tide storm", "The tide rose by 5 metres.", ReputationTable({}))


def source(url: str, text: str) -> ReadSource:
    page = Page(url=url, markdown=text, plain=text)
    evidence = find_linked_evidence("The tide rose by 5 metres.", page)
    return assess_source(Hit(title="", url=url, snippet=""), Reading(page=page), QUESTION, evidence)


def rank(read: list[ReadSource], *, relevant_only: bool) -> list[RankedSource]:
    kept = order_sources(read, relevant_only=relevant_only)
    marks = deduplicate_pages([(each.reading.page.url, each.reading.page.markdown) for each in kept], True)
    return [ranked_source(each, mark) for each, mark in zip(kept, marks, strict=True)]


def test_a_long_source_is_ranked_when_it_is_read_and_holds_little_while_others_are_waited_for() -> None:
    """What ranking takes is fifteen times the text; nothing of it is wanted again for the same question."""
    prepared = source("https://one.example/", "\n\n".join([REPORT] * 6)).prepared
    split = prepared.split if prepared else None
    assert split and "words" not in vars(split)
    best = score_passages(split, QUESTION.whole)
    assert len(best) == len(split.passages) and "words" not in vars(split)


def test_the_best_comes_first_and_keeps_what_others_repeat() -> None:
    off_topic = source("https://one.example/", "Bread is baked from flour.")
    copy = source("https://two.example/", REPORT)
    best = source("https://three.example/", f"Harbour tide and storm surge explained.\n\n{REPORT}\n\nHarbour notes.")
    ranked = rank([off_topic, copy, best], relevant_only=False)
    assert [each.scores.overall for each in ranked] == sorted((each.scores.overall for each in ranked), reverse=True)
    assert ranked[-1].source is off_topic and ranked[-1].scores.overall < ranked[0].scores.overall
    assert ranked[1].same_text_as == ranked[0].source.reading.page.url
    assert ranked[0].source.evidence is not None
    relevant = rank([off_topic, copy], relevant_only=True)
    assert [each.source for each in relevant] == [copy]


def test_what_a_document_says_is_linked_on_its_page() -> None:
    text = "[Page 1]\n\nThe pier is old.\n\n[Page 2]\n\nThe tide rose by 5 metres."
    report = Page(url="https://one.example/a.pdf", markdown=text, plain=text, pages=2)
    said = find_linked_evidence("The tide rose by 5 metres.", report).sentences[0]
    assert said.link.startswith("https://one.example/a.pdf#page=2:~:text=The%20tide")
    ranking = PassageRanking(report, text, ((0, len(text)),), "pier", 20_000)
    assert ranking.links([(10, 26)])[0].startswith("https://one.example/a.pdf#page=1:~:text=The%20pier")
