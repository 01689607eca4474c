"""`wellsourced read`: scrape_page on the command line. stdout has the content alone, so that it can be piped on."""

from __future__ import annotations

from typing import Any

import click

from wellsourced.cli import options
from wellsourced.cli.output import Screen, TerminalScreen, print_message
from wellsourced.cli.run_tool import Content, run_tool


@click.command()
@click.argument("url")
@click.option("--raw", "mode", flag_value="raw", help="The bytes as served, decoded, instead of clean text.")
@click.option("--query", help="Only the passages that matter for this, best first.")
@click.option("--section", help="Read from this heading on.")
@click.option("--offset", type=int, help="Read on from this character.")
@click.option("--max-length", type=int, help="Most bytes of content (default 50000).")
@options.session
@options.as_json
def command(as_json: bool, **arguments: Any) -> int:
    """Read a page or document as clean text."""
    return run_tool("scrape_page", arguments, show_page, as_json=as_json)


def show_page(content: Content, screen: Screen) -> None:
    if content.get("raw"):
        screen.line(content["content"].rstrip("\n"))
    else:
        if isinstance(screen, TerminalScreen):
            show_page_header(content, screen)
        screen.markdown(content["content"])
    if content.get("nextOffset") is not None:
        print_message(f"There is more: read on with --offset {content['nextOffset']}.")
    elif content["truncated"]:
        print_message("There is more: ask for it with a larger --max-length.")


def show_page_header(content: Content, screen: Screen) -> None:
    metadata = content.get("metadata") or {}
    screen.heading(metadata.get("title") or content["url"])
    kind = content["sourceType"].replace("_", " ").replace("unknown", "")
    known = [metadata.get(name) for name in ("author", "site", "date")]
    details = [*known, kind, f"authority: {content['authorityTier']}"]
    screen.line(" · ".join(part for part in details if part))
    if status := content.get("retractionStatus"):
        screen.line(f"This work has a notice against it: {status['kind']}.")
    screen.line(content.get("finalUrl") or content["url"])
    screen.line()
