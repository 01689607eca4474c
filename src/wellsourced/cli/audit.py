"""`wellsourced audit`: audit_bibliography on the command line."""

from __future__ import annotations

from collections.abc import Iterator

import click

from wellsourced.cli import options
from wellsourced.cli.files import read_text
from wellsourced.cli.output import Screen, print_message
from wellsourced.cli.run_tool import FAILED, OK, UNCHECKED, Content, run_tool
from wellsourced.cli.verify import field_line

FORMATS = ("auto", "csl-json", "ris", "bibtex", "endnote-xml", "text")
WRONG = frozenset({"retracted", "not_found", "mismatch", "mischaracterized", "dead_link"})
SUMMED = {"deadLink": "dead link", "notFound": "not found"}
STANDING = {True: "yes", False: "no", None: "unknown"}


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--format", type=click.Choice(FORMATS), help="What FILE is; recognised by its content if not given.")
@click.option(
    "--strict",
    is_flag=True,
    help="Exit with 1 when an entry is retracted, dead, not found, mixed up or misused, or was left out; with 5 when "
    "one could not be checked.",
)
@options.as_json
def command(file: str, format: str | None, strict: bool, as_json: bool) -> int:
    """Check every entry of a bibliography.

    FILE is BibTeX, RIS, CSL-JSON, EndNote XML or a list of references as text; - reads it from stdin.
    """
    arguments = {"bibliography": read_text(file), "format": format}
    return run_tool(
        "audit_bibliography",
        arguments,
        show_entries,
        as_json=as_json,
        status=strict_status if strict else lambda content: OK,
    )


def strict_status(content: Content) -> int:
    """Entries that were left out may be wrong too; one that nobody could check is neither right nor wrong."""
    flags = {flag for entry in content["entries"] for flag in entry["flags"]}
    if flags & WRONG or content.get("skipped"):
        return FAILED
    return UNCHECKED if "unchecked" in flags else OK


def show_entries(content: Content, screen: Screen) -> None:
    screen.table(("#", "found", "flags", "work", "why"), [table_row(entry) for entry in content["entries"]])
    for entry in content["entries"]:
        for line in entry_lines(entry):
            screen.line(line)
    summary = content["summary"]
    screen.line(", ".join(f"{SUMMED.get(name, name)} {count}" for name, count in summary.items()))
    for note in (*(content.get("unreadable") or ()), content.get("skippedNote") or ""):
        if note:
            print_message(f"Note: {note}")


def table_row(entry: Content) -> tuple[str, ...]:
    """People count from one, as their list does; programs from zero."""
    named = entry.get("title") or entry.get("doi") or entry.get("url") or ""
    named = f"[{entry['key']}] {named}" if entry.get("key") else named
    flags = ", ".join(entry["flags"]) or "ok"
    return (str(entry["index"] + 1), STANDING[entry["exists"]], flags, named, entry.get("reason") or "")


def entry_lines(entry: Content) -> Iterator[str]:
    """The fields that are not as recorded, each as cited beside as recorded, and the entry that is the same work."""
    number = entry["index"] + 1
    if entry.get("duplicateOf") is not None:
        yield f"{number}: the same work as entry {entry['duplicateOf'] + 1}"
    for check in entry.get("fieldChecks") or ():
        if check["result"] == "differs":
            yield f"{number} {check['field']}: {field_line(check)}"
