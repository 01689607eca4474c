"""The research job, step by step: which tool is called with what, why, and how its answer is described."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wellsourced.demo import descriptions
from wellsourced.demo.sample_web import FOLDER, with_port

if TYPE_CHECKING:
    from wellsourced.demo.run import ToolExchange

QUESTION = "Do moss roofs keep beehives cooler in summer?"
RETRACTED = (
    "Vespertine, L. (2018). Six degrees cooler: moss roofs and the summer survival of bee colonies. Annals of Urban "
    "Apiculture, 4(2), 77-91. doi:10.5072/aua.2018.0044"
)
FABRICATED = (
    "Halloway, P., & Strand, I. (2024). Bryophyte canopies and heat stress in managed colonies: a meta-analysis of 63 "
    "trials. Journal of Hive Climate, 15(2), 88-104. doi:10.5072/jhc.2024.9917"
)
KEPT_QUOTE = "A moss roof cools a hive on hot days by about two degrees."
GAP = "Does a moss roof still cool the hive where the nights stay warm? Every trial was made where nights are cool."
SUMMARY = (
    "A moss roof keeps the brood nest about two degrees cooler on hot days (Tamsin and Quarrender 2021, forty hives) "
    "and does nothing on others. The six degrees of the news come from one retracted paper, printed twice."
)


@dataclass(slots=True)
class DemoState:
    """What the steps share: where the sample web is, and the session that the first step began."""

    port: int
    session: str = ""

    def page(self, address: str) -> str:
        return with_port(address, self.port)

    def in_session(self, **arguments: Any) -> dict[str, Any]:
        return {**arguments, "sessionId": self.session}


@dataclass(frozen=True, slots=True)
class DemoStep:
    title: str
    asked: str
    tool: str
    arguments: Callable[[DemoState], Mapping[str, Any]]
    describe: Callable[[ToolExchange], descriptions.Description]


STEPS = (
    DemoStep(
        "Begin a research trail",
        f"A session for the question “{QUESTION}”",
        "sequential_search",
        lambda state: {
            "searchStep": "Find out who has measured it, and who only repeats it.",
            "stepNumber": 1,
            "nextStepNeeded": True,
            "researchGoal": QUESTION,
            "totalStepsEstimate": 3,
        },
        descriptions.describe_new_session,
    ),
    DemoStep(
        "Search the web",
        "The question itself, put to the search engine.",
        "web_search",
        lambda state: state.in_session(query=QUESTION),
        descriptions.describe_results,
    ),
    DemoStep(
        "Read a paper",
        "The article at hive-climate.example, and of it the passage on how much cooler it gets.",
        "scrape_page",
        lambda state: state.in_session(
            url=state.page("http://hive-climate.example/articles/moss-roofs"), query="how much cooler on hot days"
        ),
        descriptions.describe_page,
    ),
    DemoStep(
        "Keep a quotation that lasts",
        f"The sentence “{KEPT_QUOTE}”, captured for a project and given a receipt.",
        "scrape_page",
        lambda state: state.in_session(
            url=state.page("http://hive-climate.example/articles/moss-roofs"), quote=KEPT_QUOTE, project="Moss roofs"
        ),
        descriptions.describe_receipt,
    ),
    DemoStep(
        "Meet a wall",
        "A review at beekeepers-review.example, which lets no program in.",
        "scrape_page",
        lambda state: state.in_session(url=state.page("http://beekeepers-review.example/issues/41/moss-roofs")),
        descriptions.describe_error,
    ),
    DemoStep(
        "Be sent where nobody may go",
        "An address on this very machine, such as a page could smuggle into an assistant's work.",
        "scrape_page",
        lambda state: {"url": f"http://127.0.0.1:{state.port}/"},
        descriptions.describe_error,
    ),
    DemoStep(
        "Read all results side by side",
        "Every hit in one call, held against the claim that moss keeps a hive six degrees cooler.",
        "search_and_scrape",
        lambda state: state.in_session(
            query=QUESTION, num_results=5, claim="A moss roof keeps a beehive six degrees cooler in summer."
        ),
        descriptions.describe_sources,
    ),
    DemoStep(
        "Check the paper behind the news",
        f"Whether this may be cited: {RETRACTED}",
        "verify_citation",
        lambda state: {"citation": RETRACTED},
        descriptions.describe_verification,
    ),
    DemoStep(
        "Check a reference out of an assistant's draft",
        f"Whether this may be cited: {FABRICATED}",
        "verify_citation",
        lambda state: {"citation": FABRICATED},
        descriptions.describe_verification,
    ),
    DemoStep(
        "Audit a whole bibliography",
        "A BibTeX file with four entries, all of which look right.",
        "audit_bibliography",
        lambda state: {"bibliography": (FOLDER / "references.bib").read_text("utf-8")},
        descriptions.describe_audit,
    ),
    DemoStep(
        "Note what is still unknown",
        f"A second step for the trail, with a gap: {GAP}",
        "sequential_search",
        lambda state: state.in_session(
            searchStep="Weigh the sources: one field trial and one note from practice agree, the news has no ground.",
            stepNumber=2,
            nextStepNeeded=True,
            confidence="medium",
            rejectedApproaches=["Rely on the 2018 figure of six degrees: the paper was retracted."],
            knowledgeGap=GAP,
        ),
        descriptions.describe_session_step,
    ),
    DemoStep(
        "Close the trail",
        "A last step with the summary.",
        "sequential_search",
        lambda state: state.in_session(
            searchStep="Answer the question with what holds.",
            stepNumber=3,
            nextStepNeeded=False,
            confidence="medium",
            sessionSummary=SUMMARY,
        ),
        descriptions.describe_session_step,
    ),
    DemoStep(
        "Export the report",
        "The whole trail as a document.",
        "research_export",
        lambda state: state.in_session(format="markdown"),
        descriptions.describe_export,
    ),
)
