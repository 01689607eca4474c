"""`wellsourced news`: news_search on the command line."""

from __future__ import annotations

import click

from wellsourced.cli import options
from wellsourced.cli.output import ListEntry, Screen
from wellsourced.cli.run_tool import Content, run_tool

SINCE = ("hour", "day", "week", "month", "year")


@click.command()
@click.argument("query", nargs=-1, required=True)
@options.engine
@options.lens
@click.option("--site", help="Only this outlet's domain.")
@click.option("--since", type=click.Choice(SINCE), help="How recent; a week unless said otherwise.")
@click.option("--newest", is_flag=True, help="The newest first.")
@options.num
@options.session
@options.as_json
def command(
    query: tuple[str, ...],
    engine: str | None,
    lens: str | None,
    site: str | None,
    since: str | None,
    newest: bool,
    num: int | None,
    session_id: str | None,
    as_json: bool,
) -> int:
    """Search recent news."""
    arguments = {
        "query": " ".join(query),
        "provider": engine,
        "lens": lens,
        "news_source": site,
        "time_range": since,
        "sort_by": "date" if newest else None,
        "num_results": num,
        "sessionId": session_id,
    }
    return run_tool("news_search", arguments, show_articles, as_json=as_json)


def show_articles(content: Content, screen: Screen) -> None:
    screen.entries(
        ListEntry(article["title"], article["url"], describe_article(article), article["snippet"])
        for article in content["articles"]
    )


def describe_article(article: Content) -> str:
    when = (article.get("publishedAt") or "")[:16].replace("T", " ")
    return " · ".join(part for part in (article["source"], when) if part)
