"""`wellsourced news`: news_search on the command line."""

from __future__ import annotations

from typing import Any

import click

from wellsourced.cli import options
from wellsourced.cli.output import ListEntry, Screen
from wellsourced.cli.run_tool import Content, run_tool

SINCE = ("hour", "day", "week", "month", "year")


@click.command()
@options.query
@options.engine
@options.lens
@click.option("--site", "news_source", help="Only this outlet's domain.")
@click.option("--since", "time_range", type=click.Choice(SINCE), help="How recent; a week unless said otherwise.")
@options.newest("The newest first.")
@options.num
@options.session
@options.as_json
def command(as_json: bool, **arguments: Any) -> int:
    """Search recent news."""
    return run_tool("news_search", arguments, show_articles, as_json=as_json)


def show_articles(content: Content, screen: Screen) -> None:
    screen.entries(
        ListEntry(article["title"], article["url"], describe_article(article), article["snippet"])
        for article in content["articles"]
    )


def describe_article(article: Content) -> str:
    when = (article.get("publishedAt") or "")[:16].replace("T", " ")
    return " · ".join(part for part in (article["source"], when) if part)
