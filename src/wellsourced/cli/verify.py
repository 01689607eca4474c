"""`wellsourced verify`: verify_citation on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from wellsourced.cli import options
from wellsourced.cli.output import Screen
from wellsourced.cli.run_tool import FAILED, NOTHING_FOUND, OK, Content, run_tool

SHOWN = (
    ("matchConfidence", "Match"),
    ("titleMatch", "Title"),
    ("detectedDoi", "DOI"),
    ("httpStatus", "HTTP status"),
    ("archivedUrl", "Archived copy"),
    ("claimSupport", "The claim is"),
    ("claimNote", "Of the claim"),
    ("quotation", "The quotation"),
    ("claimSourceUrl", "Read at"),
    ("authenticityCaveat", "Mind"),
)
STANCES = {"states": " (says so)", "differs": " (says otherwise)"}
STANDING = {True: "Exists", False: "Not found", None: "Nobody could tell"}


@click.command()
@click.argument("citation", nargs=-1, required=True)
@click.option("--claim", help="What the source is cited for.")
@click.option("--quote", help="Words quoted from the source.")
@options.as_json
def command(citation: tuple[str, ...], claim: str | None, quote: str | None, as_json: bool) -> int:
    """Check that a citation exists and says what is claimed.

    CITATION is a DOI, an address or a whole reference. The exit status is 3 when it is not found, and 1 when nobody
    could tell.
    """
    arguments = {"citation": " ".join(citation), "claim": claim, "quote": quote}
    return run_tool("verify_citation", arguments, show_verification, as_json=as_json, status=existence_status)


def existence_status(content: Content) -> int:
    return {True: OK, False: NOTHING_FOUND, None: FAILED}[content["exists"]]


def show_verification(content: Content, screen: Screen) -> None:
    record = content.get("matchedRecord") or {}
    screen.heading(f"{STANDING[content['exists']]}: {record.get('title') or content['input']}")
    if status := content.get("retractionStatus"):
        screen.line(f"Notice against it: {status['kind']} {status.get('date') or ''}".rstrip())
    for label, value in verification_rows(content):
        screen.line(f"{label}: {value}")
    sentences = content.get("claimEvidence") or ()
    for sentence, stance in zip(sentences, content.get("claimStances") or [""] * len(sentences), strict=True):
        screen.line(f"  “{sentence}”{STANCES.get(stance, '')}")
    for standing in content.get("sourceStanding") or ():
        screen.line(f"Its standing: {standing['note']}")
    for difference in content.get("claimDifferences") or ():
        screen.line(difference_line(difference))
    if content.get("contrastSignal") and not content.get("claimDifferences"):
        screen.line("A sentence of it speaks against the claim, or denies something: read it yourself.")


def difference_line(difference: Content) -> str:
    """Both wordings, or the one that stands alone."""
    sides = (("the claim", difference["claim"]), ("the source", difference["source"]))
    said = ", ".join(f"{who} says “{wording}”" for who, wording in sides if wording)
    return f"Differs ({difference['kind']}): {said}."


def verification_rows(content: Content) -> Iterator[tuple[str, str]]:
    for part in (content.get("matchedRecord") or {}, content.get("possibleMatch") or {}):
        if part.get("url"):
            yield ("Record" if part is content.get("matchedRecord") else "Perhaps meant"), str(part["url"])
    for name, label in SHOWN:
        if content.get(name) is not None:
            yield label, format_value(content[name])
    yield from (("Differs", str(difference)) for difference in content.get("differences") or ())
    for check in content.get("fieldChecks") or ():
        yield check["field"].capitalize(), field_line(check)
    for said in content["provenance"]:
        source, _, finding = said.partition(": ")
        yield source, finding


def field_line(check: Content) -> str:
    """A field as cited, beside as recorded."""
    beside = f" | record: {check['recorded']}" if check.get("recorded") and check["result"] != "match" else ""
    note = f" ({check['note']})" if check.get("note") and check.get("grade") in {None, "variant"} else ""
    is_variant = check["result"] == "differs" and check.get("grade") == "variant"
    said = "variant" if is_variant else format_value(check["result"])
    return f"{said}: {check['cited']}{beside}{note}"


def format_value(value: Any) -> str:
    """`not_checked` is written for programs."""
    return value.replace("_", " ") if isinstance(value, str) and value.replace("_", "").isalpha() else str(value)
