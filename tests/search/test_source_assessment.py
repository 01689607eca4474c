"""Sources are given best first, and of two copies the better one keeps the text."""

from __future__ import annotations

from wellsourced.evidence.reputation import ReputationTable
from wellsourced.pages.attempts import Reading
from wellsourced.pages.page import Page
from wellsourced.search.source_assessment import ReadSource, SourceQuestion, assess_source, rank_sources
from wellsourced.upstreams.types.search import Hit

REPORT = "\n\n".join(
    f"The tide in the harbour rose by {metres} metres after the storm, as the gauges at the old pier told the crew."
    for metres in range(2, 12)
)
QUESTION = SourceQuestion("harbour tide storm", "The tide rose by 5 metres.", ReputationTable({}))


def source(url: str, text: str) -> ReadSource:
    page = Page(url=url, markdown=text, plain=text)
    return assess_source(Hit(title="", url=url, snippet=""), Reading(page=page), QUESTION)


def test_the_best_comes_first_and_keeps_what_others_repeat() -> None:
    off_topic = source("https://one.example/", "Bread is baked from flour.")
    copy = source("https://two.example/", REPORT)
    best = source("https://three.example/", f"Harbour tide and storm surge explained.\n\n{REPORT}\n\nHarbour notes.")
    ranked = rank_sources([off_topic, copy, best], drop_repeats=True, relevant_only=False)
    assert [each.scores.overall for each in ranked] == sorted((each.scores.overall for each in ranked), reverse=True)
    assert ranked[-1].source is off_topic and ranked[-1].scores.overall < ranked[0].scores.overall
    assert ranked[1].same_text_as == ranked[0].source.reading.page.url
    assert ranked[0].source.evidence is not None
    relevant = rank_sources([off_topic, copy], drop_repeats=True, relevant_only=True)
    assert [each.source for each in relevant] == [copy]
