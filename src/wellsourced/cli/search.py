"""`wellsourced search`: web_search on the command line."""

from __future__ import annotations

import click

from wellsourced.cli import options
from wellsourced.cli.output import Entry, Screen
from wellsourced.cli.run_tool import Content, ask

SINCE = ("day", "week", "month", "year")


@click.command()
@click.argument("query", nargs=-1, required=True)
@options.engine
@options.lens
@click.option("--site", "sites", multiple=True, help="Only this domain; may be given several times.")
@click.option("--since", type=click.Choice(SINCE), help="Only pages this recent.")
@options.num
@options.session
@options.as_json
def command(
    query: tuple[str, ...],
    engine: str | None,
    lens: str | None,
    sites: tuple[str, ...],
    since: str | None,
    num: int | None,
    session_id: str | None,
    as_json: bool,
) -> int:
    """Search the web."""
    arguments = {
        "query": " ".join(query),
        "provider": engine,
        "lens": lens,
        "sites": list(sites) or None,
        "time_range": since,
        "num_results": num,
        "sessionId": session_id,
    }
    return ask("web_search", arguments, show, as_json=as_json)


def show(content: Content, screen: Screen) -> None:
    screen.entries(
        Entry(result["title"], result["url"], details(result), result["snippet"]) for result in content["results"]
    )


def details(result: Content) -> str:
    """When it appeared, what its site is known for and who found it, as far as that is known."""
    standing = (result.get("sourceReputation") or {}).get("tier") or ""
    engines = ", ".join(result.get("engines") or ())
    return " · ".join(part for part in ((result.get("publishedAt") or "")[:10], standing, engines) if part)
