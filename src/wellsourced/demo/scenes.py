"""The research job, scene by scene: which tool is asked for what, why, and how its answer is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from wellsourced.demo import narration
from wellsourced.demo.event import Exchange
from wellsourced.demo.sample_web import FOLDER, with_port

QUESTION = "Do moss roofs keep beehives cooler in summer?"
RETRACTED = (
    "Vespertine, L. (2018). Six degrees cooler: moss roofs and the summer survival of bee colonies. Annals of Urban "
    "Apiculture, 4(2), 77-91. doi:10.5072/aua.2018.0044"
)
FABRICATED = (
    "Halloway, P., & Strand, I. (2024). Bryophyte canopies and heat stress in managed colonies: a meta-analysis of 63 "
    "trials. Journal of Hive Climate, 15(2), 88-104. doi:10.5072/jhc.2024.9917"
)
GAP = "Does a moss roof still cool the hive where the nights stay warm? Every trial was made where nights are cool."
SUMMARY = (
    "A moss roof keeps the brood nest about two degrees cooler on hot days (Tamsin and Quarrender 2021, forty hives) "
    "and does nothing on others. The six degrees of the news come from one retracted paper, printed twice."
)


@dataclass(slots=True)
class Stage:
    """What the scenes share: where the sample web is, and the session that the first of them began."""

    port: int
    session: str = ""

    def page(self, address: str) -> str:
        return with_port(address, self.port)

    def recorded(self, **arguments: Any) -> dict[str, Any]:
        return {**arguments, "sessionId": self.session}


@dataclass(frozen=True, slots=True)
class Scene:
    title: str
    asked: str
    tool: str
    arguments: Callable[[Stage], Mapping[str, Any]]
    tell: Callable[[Exchange], narration.Told]


SCENES = (
    Scene(
        "Begin a research trail",
        f"A session for the question “{QUESTION}”",
        "sequential_search",
        lambda stage: {
            "searchStep": "Find out who has measured it, and who only repeats it.",
            "stepNumber": 1,
            "nextStepNeeded": True,
            "researchGoal": QUESTION,
            "totalStepsEstimate": 3,
        },
        narration.begun,
    ),
    Scene(
        "Search the web",
        "The question itself, put to the search engine.",
        "web_search",
        lambda stage: stage.recorded(query=QUESTION),
        narration.found,
    ),
    Scene(
        "Read a paper",
        "The article at hive-climate.example, and of it the passage on how much cooler it gets.",
        "scrape_page",
        lambda stage: stage.recorded(
            url=stage.page("http://hive-climate.example/articles/moss-roofs"), query="how much cooler on hot days"
        ),
        narration.read,
    ),
    Scene(
        "Meet a wall",
        "A review at beekeepers-review.example, which lets no program in.",
        "scrape_page",
        lambda stage: stage.recorded(url=stage.page("http://beekeepers-review.example/issues/41/moss-roofs")),
        narration.refused,
    ),
    Scene(
        "Be sent where nobody may go",
        "An address on this very machine, such as a page could smuggle into an assistant's work.",
        "scrape_page",
        lambda stage: {"url": f"http://127.0.0.1:{stage.port}/"},
        narration.refused,
    ),
    Scene(
        "Read all results side by side",
        "Every hit in one call, held against the claim that moss keeps a hive six degrees cooler.",
        "search_and_scrape",
        lambda stage: stage.recorded(
            query=QUESTION, num_results=5, claim="A moss roof keeps a beehive six degrees cooler in summer."
        ),
        narration.gathered,
    ),
    Scene(
        "Check the paper behind the news",
        f"Whether this may be cited: {RETRACTED}",
        "verify_citation",
        lambda stage: {"citation": RETRACTED},
        narration.verified,
    ),
    Scene(
        "Check a reference out of an assistant's draft",
        f"Whether this may be cited: {FABRICATED}",
        "verify_citation",
        lambda stage: {"citation": FABRICATED},
        narration.verified,
    ),
    Scene(
        "Audit a whole bibliography",
        "A BibTeX file with four entries, all of which look right.",
        "audit_bibliography",
        lambda stage: {"bibliography": (FOLDER / "references.bib").read_text("utf-8")},
        narration.audited,
    ),
    Scene(
        "Note what is still unknown",
        f"A second step for the trail, with a gap: {GAP}",
        "sequential_search",
        lambda stage: stage.recorded(
            searchStep="Weigh the sources: one field trial and one note from practice agree, the news has no ground.",
            stepNumber=2,
            nextStepNeeded=True,
            confidence="medium",
            rejectedApproaches=["Rely on the 2018 figure of six degrees: the paper was retracted."],
            knowledgeGap=GAP,
        ),
        narration.kept,
    ),
    Scene(
        "Close the trail",
        "A last step with the summary.",
        "sequential_search",
        lambda stage: stage.recorded(
            searchStep="Answer the question with what holds.",
            stepNumber=3,
            nextStepNeeded=False,
            confidence="medium",
            sessionSummary=SUMMARY,
        ),
        narration.kept,
    ),
    Scene(
        "Export the report",
        "The whole trail as a document.",
        "research_export",
        lambda stage: stage.recorded(format="markdown"),
        narration.exported,
    ),
)
