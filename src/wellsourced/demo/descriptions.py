"""Describes the answers of the tools in plain sentences: what came back, and what the tool noticed in it.

Everything said is taken from the answer, so that the demo cannot claim what the tools did not do.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from wellsourced.demo.run import ToolExchange


Content: TypeAlias = Mapping[str, Any]
LONGEST_QUOTE = 300


class Description(NamedTuple):
    came_back: str
    noticed: str = ""


def expect_content(describe: Callable[[Content], Description]) -> Callable[[ToolExchange], Description]:
    """Decorate a description of a successful answer so that it describes an error, too."""

    def describe_either(exchange: ToolExchange) -> Description:
        return describe_error(exchange) if exchange.content is None else describe(exchange.content)

    return describe_either


def describe_error(exchange: ToolExchange) -> Description:
    """The sentence of an error, and what its kind means: assistants decide by the kind."""
    if exchange.content is not None:
        return Description("An answer, where an error was expected.")
    sentence, _, tail = exchange.error.partition("\n\n")
    try:
        kind = json.loads(tail)["error"]["kind"]
    except (ValueError, LookupError, TypeError):
        return Description(sentence)
    return Description(sentence, ERROR_KINDS.get(kind, f"The error is of the kind “{kind}”."))


ERROR_KINDS = {
    "blocked": "The error is of the kind “blocked”: a wall is never taken for an empty page, nor its text for content.",
    "validation": "The address was refused before anything was sent.",
}


@expect_content
def describe_new_session(content: Content) -> Description:
    return Description(
        f"Session {content['sessionId']}.",
        "Every tool that is given this number records its sources there, and a fresh assistant can take it up again.",
    )


@expect_content
def describe_results(content: Content) -> Description:
    rows = [f"{hit['title']} ({hit['displayLink']})" for hit in content["results"]]
    return Description(
        f"{content['resultCount']} results:{bullets(rows)}", "So far these are titles; nothing has been read."
    )


@expect_content
def describe_page(content: Content) -> Description:
    retraction = content.get("retractionStatus")
    standing = "It was retracted." if retraction else "Nothing was found against it."
    kind = content["sourceType"].replace("_", " ")
    about = f"Kind of source: {kind}; DOI: {content.get('detectedDoi', 'none')}. {standing}"
    return Description(f"“{shortened(content['content'])}”", about)


@expect_content
def describe_receipt(content: Content) -> Description:
    kept = content["projectCapture"]
    came_back = (
        f"Receipt {kept.get('receipt', 'none')} of the project {kept['project']}: {content['quotation']['status']}."
    )
    return Description(
        came_back.replace("_", " "),
        f"Captured {kept['capturedAt']}, digest {kept['digest'][:23]}…: it can be shown and proved without the site.",
    )


@expect_content
def describe_sources(content: Content) -> Description:
    copies = [
        f"{host(source['url'])} prints the text of {host(source['sameTextAs'])}"
        for source in content["sources"]
        if source.get("sameTextAs")
    ]
    failures = [f"{host(failure['url'])} is {failure['kind']}" for failure in content.get("scrapeFailures") or ()]
    summary = content["summary"]
    came_back = (
        f"{summary['urlsScraped']} of {summary['urlsSearched']} pages, {summary['independentSources']} independent."
    )
    return Description(came_back, bullets([*copies, *failures]))


@expect_content
def describe_verification(content: Content) -> Description:
    retraction = content.get("retractionStatus") or {}
    if retraction.get("retracted"):
        when = f" on {retraction['date']}" if retraction.get("date") else ""
        notice = f"; the notice is {retraction['noticeDoi']}" if retraction.get("noticeDoi") else ""
        return Description(f"It exists as cited ({content['verificationStatus']}).", f"It was retracted{when}{notice}.")
    reasons = bullets(content["provenance"])
    if content["exists"] is False:
        return Description("There is no such work; the reference may be invented or mistyped.", reasons)
    return Description(f"{content['verificationStatus'].capitalize()}.", reasons)


@expect_content
def describe_audit(content: Content) -> Description:
    summary = content["summary"]
    wrong = [
        f"{', '.join(entry['flags']).replace('_', ' ')}: “{entry['title']}”. {entry.get('reason', '')}".rstrip()
        for entry in content["entries"]
        if entry["flags"]
    ]
    return Description(f"{summary['total']} entries, {summary['ok']} of them in order.", bullets(wrong))


@expect_content
def describe_session_step(content: Content) -> Description:
    gaps = [gap["description"] for gap in content.get("gaps") or ()]
    state = "complete" if content["isComplete"] else "open"
    came_back = f"Step {content['currentStep']} is kept; the trail is {state} and has {content['sourceCount']} sources."
    return Description(came_back, f"Still unknown: {' '.join(gaps)}" if gaps else "")


@expect_content
def describe_export(content: Content) -> Description:
    return Description(
        f"A report of {content['stepCount']} steps and {content['sourceCount']} sources.",
        "Open questions stand in it beside the findings.",
    )


def host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0].partition(":")[0]


def bullets(rows: Iterable[str]) -> str:
    return "".join(f"\n  - {row}" for row in rows)


def shortened(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST_QUOTE else flat[:LONGEST_QUOTE].rsplit(" ", 1)[0] + " …"
