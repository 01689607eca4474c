"""The answers of the tools in plain sentences: what came back, and what the tool noticed in it.

Everything told is taken from the answer. An answer that lacks what a scene is about is told as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from wellsourced.demo.event import Exchange

Content: TypeAlias = Mapping[str, Any]
LONGEST_QUOTE = 300


class Told(NamedTuple):
    came_back: str
    noticed: str = ""


def of_content(tell: Callable[[Content], Told]) -> Callable[[Exchange], Told]:
    """For scenes that expect an answer: an error is told as one."""

    def either(exchange: Exchange) -> Told:
        return refused(exchange) if exchange.content is None else tell(exchange.content)

    return either


def refused(exchange: Exchange) -> Told:
    """The sentence of an error, and its kind, which is what an assistant goes by."""
    if exchange.content is not None:
        return Told("An answer, where an error was expected.")
    sentence, _, tail = exchange.error.partition("\n\n")
    try:
        kind = json.loads(tail)["error"]["kind"]
    except (ValueError, LookupError, TypeError):
        return Told(sentence)
    return Told(sentence, KINDS.get(kind, f"The error is of the kind “{kind}”."))


KINDS = {
    "blocked": "The error is of the kind “blocked”: a wall is never taken for an empty page, nor its text for content.",
    "validation": "The address was refused before anything was sent.",
}


@of_content
def begun(content: Content) -> Told:
    return Told(
        f"Session {content['sessionId']}.",
        "Every tool that is given this number records its sources there, and a fresh assistant can take it up again.",
    )


@of_content
def found(content: Content) -> Told:
    rows = [f"{hit['title']} ({hit['displayLink']})" for hit in content["results"]]
    return Told(f"{content['resultCount']} results:{bullets(rows)}", "So far these are titles; nothing has been read.")


@of_content
def read(content: Content) -> Told:
    retraction = content.get("retractionStatus")
    standing = "It was retracted." if retraction else "Nothing was found against it."
    kind = content["sourceType"].replace("_", " ")
    about = f"Kind of source: {kind}; DOI: {content.get('detectedDoi', 'none')}. {standing}"
    return Told(f"“{shortened(content['content'])}”", about)


@of_content
def gathered(content: Content) -> Told:
    copies = [
        f"{host(source['url'])} prints the text of {host(source['sameTextAs'])}"
        for source in content["sources"]
        if source.get("sameTextAs")
    ]
    failures = [f"{host(failure['url'])} is {failure['kind']}" for failure in content.get("scrapeFailures") or ()]
    summary = content["summary"]
    came = f"{summary['urlsScraped']} of {summary['urlsSearched']} pages, {summary['independentSources']} independent."
    return Told(came, bullets([*copies, *failures]))


@of_content
def verified(content: Content) -> Told:
    retraction = content.get("retractionStatus") or {}
    if retraction.get("retracted"):
        when = f" on {retraction['date']}" if retraction.get("date") else ""
        notice = f"; the notice is {retraction['noticeDoi']}" if retraction.get("noticeDoi") else ""
        return Told(f"It exists as cited ({content['verificationStatus']}).", f"It was retracted{when}{notice}.")
    reasons = bullets(content["provenance"])
    if content["exists"] is False:
        return Told("There is no such work; the reference may be invented or mistyped.", reasons)
    return Told(f"{content['verificationStatus'].capitalize()}.", reasons)


@of_content
def audited(content: Content) -> Told:
    summary = content["summary"]
    wrong = [
        f"{', '.join(entry['flags']).replace('_', ' ')}: “{entry['title']}”. {entry.get('reason', '')}".rstrip()
        for entry in content["entries"]
        if entry["flags"]
    ]
    return Told(f"{summary['total']} entries, {summary['ok']} of them in order.", bullets(wrong))


@of_content
def kept(content: Content) -> Told:
    gaps = [gap["description"] for gap in content.get("gaps") or ()]
    state = "complete" if content["isComplete"] else "open"
    came = f"Step {content['currentStep']} is kept; the trail is {state} and has {content['sourceCount']} sources."
    return Told(came, f"Still unknown: {' '.join(gaps)}" if gaps else "")


@of_content
def exported(content: Content) -> Told:
    return Told(
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
