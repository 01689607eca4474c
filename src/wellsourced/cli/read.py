"""`wellsourced read`: scrape_page on the command line. stdout has the content alone, so that it can be piped on."""

from __future__ import annotations

import click

from wellsourced.cli import options
from wellsourced.cli.output import Screen, TerminalScreen, tell
from wellsourced.cli.run_tool import Content, ask


@click.command()
@click.argument("url")
@click.option("--raw", is_flag=True, help="The bytes as served, decoded, instead of clean text.")
@click.option("--query", help="Only the passages that matter for this, best first.")
@click.option("--section", help="Read from this heading on.")
@click.option("--offset", type=int, help="Read on from this character.")
@click.option("--max-length", type=int, help="Most bytes of content (default 50000).")
@options.session
@options.as_json
def command(
    url: str,
    raw: bool,
    query: str | None,
    section: str | None,
    offset: int | None,
    max_length: int | None,
    session_id: str | None,
    as_json: bool,
) -> int:
    """Read a page or document as clean text."""
    arguments = {
        "url": url,
        "mode": "raw" if raw else None,
        "query": query,
        "section": section,
        "offset": offset,
        "max_length": max_length,
        "sessionId": session_id,
    }
    return ask("scrape_page", arguments, show, as_json=as_json)


def show(content: Content, screen: Screen) -> None:
    if content.get("raw"):
        screen.line(content["content"].rstrip("\n"))
    else:
        if isinstance(screen, TerminalScreen):
            introduce(content, screen)
        screen.markdown(content["content"])
    if content.get("nextOffset") is not None:
        tell(f"There is more: read on with --offset {content['nextOffset']}.")
    elif content["truncated"]:
        tell("There is more: ask for it with a larger --max-length.")


def introduce(content: Content, screen: Screen) -> None:
    told = content.get("metadata") or {}
    screen.heading(told.get("title") or content["url"])
    kind = content["sourceType"].replace("_", " ").replace("unknown", "")
    details = [told.get("author"), told.get("site"), told.get("date"), kind, f"authority: {content['authorityTier']}"]
    screen.line(" · ".join(part for part in details if part))
    if status := content.get("retractionStatus"):
        screen.line(f"This work has a notice against it: {status['kind']}.")
    screen.line(content.get("finalUrl") or content["url"])
    screen.line()
