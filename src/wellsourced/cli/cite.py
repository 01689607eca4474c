"""`wellsourced cite`: reads pages and bibliography files, and writes them in one style.

The sources of a session go through format_bibliography. Files do not: they keep all their fields (volume, pages,
publisher), which the sources of that tool have no place for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from wellsourced.cli import options
from wellsourced.cli.files import read_text
from wellsourced.cli.output import Screen, open_screen, print_message, write_json
from wellsourced.cli.run_tool import NOTHING_FOUND, OK, Content, call_tool, report_failure, run_tool, with_app

if TYPE_CHECKING:
    from wellsourced.app import Application
    from wellsourced.citations.reference import Reference
    from wellsourced.failed_call import ToolFailed

STYLES = (
    "apa", "mla", "chicago", "chicago-notes", "harvard", "ieee", "vancouver", "ama", "acm", "nature", "bibtex",
    "biblatex", "ris", "csl-json",
)  # fmt: skip


@click.command()
@click.argument("works", nargs=-1, metavar="FILE|URL...")
@click.option("--style", type=click.Choice(STYLES), default="apa", show_default=True, help="How to write them.")
@click.option("--session", "session_id", help="Cite the sources of this research session instead.")
@click.option("--csl", type=click.Path(exists=True, dir_okay=False), help="Your own .csl file, instead of --style.")
@options.as_json
def command(works: tuple[str, ...], style: str, session_id: str | None, csl: str | None, as_json: bool) -> int:
    """Cite pages and bibliography files in a style.

    Each FILE is BibTeX, RIS or CSL-JSON (- is stdin); each URL is read for its author, title and date.
    A style of your own (--csl) needs the extra `wellsourced[csl]`.
    """
    if bool(works) == bool(session_id):
        raise click.UsageError("Name files or addresses to cite, or a --session; one of the two.")
    if session_id:
        return run_tool(
            "format_bibliography", {"sessionId": session_id, "style": style}, show_bibliography, as_json=as_json
        )
    references: list[Reference] = []
    for work in works:
        if not is_address(work):
            references += read_references(work)
    failures = cite_pages([work for work in works if is_address(work)], references)
    statuses = [report_failure(problem, as_json=as_json) for problem in failures]
    written = write_references(references, style, csl, as_json=as_json) if references else NOTHING_FOUND
    return max(statuses) if statuses else written


def is_address(work: str) -> bool:
    return work.lower().startswith(("http://", "https://"))


def read_references(name: str) -> Sequence[Reference]:
    from wellsourced.citations.formats.bibliography import read_bibliography
    from wellsourced.errors import BadInput

    try:
        read = read_bibliography(read_text(name))
    except BadInput as problem:
        raise click.UsageError(problem.sentence) from None
    for sentence in read.complaints:
        print_message(f"{name}: {sentence}")
    if not read.entries:
        print_message(f"{name} holds no entry that could be read.")
    return read.entries


def cite_pages(addresses: Sequence[str], references: list[Reference]) -> list[ToolFailed]:
    """Add a reference for each page that can be read; the others come back as failures."""
    if not addresses:
        return []

    async def read_all(app: Application) -> list[ToolFailed]:
        outcomes = [await cite_page(app, address) for address in addresses]
        references.extend(outcome for outcome in outcomes if not isinstance(outcome, Exception))
        return [outcome for outcome in outcomes if isinstance(outcome, Exception)]

    return with_app(read_all)


async def cite_page(app: Application, address: str) -> Reference | ToolFailed:
    import json

    from wellsourced.citations.webpage_citation import page_reference
    from wellsourced.failed_call import failure_from_answer

    answer = await call_tool(app, "scrape_page", {"url": address, "mode": "preview"})
    if answer.is_error:
        return failure_from_answer("scrape_page", answer)
    content = json.loads(answer.body)
    url, metadata = content["citation"]["url"], content["citation"]["metadata"]
    title, author, site, date = (metadata[name] for name in ("title", "author", "site", "date"))
    return page_reference(url, title, author, site, date, doi=content.get("detectedDoi") or "")


def write_references(references: Sequence[Reference], style: str, csl: str | None, *, as_json: bool) -> int:
    from wellsourced.citations.styles.bibliography import distinct_references, format_bibliography

    text = format_with_csl(references, csl) if csl else format_bibliography(references, style)  # type: ignore[arg-type]
    content = {"style": csl or style, "entryCount": len(distinct_references(references)), "bibliography": text}
    if as_json:
        write_json(content)
    else:
        show_bibliography(content, open_screen())
    return OK


def format_with_csl(references: Sequence[Reference], csl: str) -> str:
    from wellsourced.citations.styles.own_csl import format_with_style_file
    from wellsourced.errors import BadInput

    try:
        return format_with_style_file(references, csl)
    except BadInput as problem:
        raise click.UsageError(problem.sentence) from None


def show_bibliography(content: Content, screen: Screen) -> None:
    screen.line(content["bibliography"])
