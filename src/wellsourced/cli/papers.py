"""`wellsourced papers`: academic_search on the command line."""

from __future__ import annotations

from typing import Any

import click

from wellsourced.cli import options
from wellsourced.cli.output import ListEntry, Screen
from wellsourced.cli.run_tool import Content, run_tool
from wellsourced.text.amounts import format_count

SHOWN_AUTHORS = 4


@click.command()
@options.query
@options.engine
@options.lens
@click.option("--from", "year_from", type=int, metavar="YEAR", help="Published in or after this year.")
@click.option("--to", "year_to", type=int, metavar="YEAR", help="Published in or before this year.")
@click.option("--open", "open_access", is_flag=True, default=None, help="Only papers that are free to read.")
@options.newest("The newest of the relevant first.")
@options.num
@options.session
@options.as_json
def command(as_json: bool, **arguments: Any) -> int:
    """Search scholarly papers."""
    return run_tool("academic_search", arguments, show_papers, as_json=as_json)


def show_papers(content: Content, screen: Screen) -> None:
    screen.entries(
        ListEntry(
            paper_title(paper), paper["url"], describe_paper(paper), paper.get("tldr") or paper.get("abstract") or ""
        )
        for paper in content["papers"]
    )


def paper_title(paper: Content) -> str:
    """The title, with a retraction in front, so that nobody overlooks it."""
    status = paper.get("retractionStatus")
    return f"[{status['kind'].upper()}] {paper['title']}" if status else paper["title"]


def describe_paper(paper: Content) -> str:
    authors = paper.get("authors") or []
    named = ", ".join(authors[:SHOWN_AUTHORS]) + (" et al." if len(authors) > SHOWN_AUTHORS else "")
    year = str(paper.get("year") or "")
    cited = f"cited {format_count(paper['citationCount'], 'time')}" if paper.get("citationCount") is not None else ""
    free = f"free: {paper['pdfUrl']}" if paper.get("pdfUrl") else ""
    return " · ".join(part for part in (named, year, paper.get("journal") or "", cited, free) if part)
