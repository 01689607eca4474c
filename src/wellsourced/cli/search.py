"""`wellsourced search`: web_search on the command line."""

from __future__ import annotations

from typing import Any

import click

from wellsourced.cli import options
from wellsourced.cli.output import ListEntry, Screen
from wellsourced.cli.run_tool import Content, run_tool

SINCE = ("day", "week", "month", "year")


@click.command()
@options.query
@options.engine
@options.lens
@click.option("--site", "sites", multiple=True, help="Only this domain; may be given several times.")
@click.option("--since", "time_range", type=click.Choice(SINCE), help="Only pages this recent.")
@options.num
@options.session
@options.as_json
def command(as_json: bool, **arguments: Any) -> int:
    """Search the web."""
    return run_tool("web_search", arguments, show_results, as_json=as_json)


def show_results(content: Content, screen: Screen) -> None:
    screen.entries(
        ListEntry(result["title"], result["url"], describe_result(result), result["snippet"])
        for result in content["results"]
    )


def describe_result(result: Content) -> str:
    """The date, the reputation of the site and the engines that returned it, as far as they are known."""
    standing = (result.get("sourceReputation") or {}).get("tier") or ""
    engines = ", ".join(result.get("engines") or ())
    return " · ".join(part for part in ((result.get("publishedAt") or "")[:10], standing, engines) if part)
