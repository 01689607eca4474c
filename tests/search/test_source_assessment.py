"""Sources are given best first, and of two copies the better one keeps the text."""

from __future__ import annotations

from wellsourced.evidence.reputation import ReputationTable
from wellsourced.pages.attempts import Reading
from wellsourced.pages.page import Page
from wellsourced.search.source_assessment import Gathered, Question, judge_sources, weigh
from wellsourced.upstreams.types.search import Hit

REPORT = "\n\n".join(
    f"The tide in the harbour rose by {metres} metres after the storm, as the gauges at the old pier told the crew."
    for metres in range(2, 12)
)
QUESTION = Question("harbour tide storm", "The tide rose by 5 metres.", ReputationTable({}))


def source(url: str, text: str) -> Gathered:
    page = Page(url=url, markdown=text, plain=text)
    return weigh(Hit(title="", url=url, snippet=""), Reading(page=page), QUESTION)


def test_the_best_comes_first_and_keeps_what_others_repeat() -> None:
    off_topic = source("https://one.example/", "Bread is baked from flour.")
    copy = source("https://two.example/", REPORT)
    best = source("https://three.example/", f"Harbour tide and storm surge explained.\n\n{REPORT}\n\nHarbour notes.")
    judged = judge_sources([off_topic, copy, best], without_repeats=True, relevant_only=False)
    assert [each.scores.overall for each in judged] == sorted((each.scores.overall for each in judged), reverse=True)
    assert judged[-1].gathered is off_topic and judged[-1].scores.overall < judged[0].scores.overall
    assert judged[1].same_text_as == judged[0].gathered.reading.page.url
    assert judged[0].gathered.evidence is not None
    relevant = judge_sources([off_topic, copy], without_repeats=True, relevant_only=True)
    assert [each.gathered for each in relevant] == [copy]
