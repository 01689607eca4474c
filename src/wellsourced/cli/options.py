"""Options that several commands take, and what the shell completes them with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import click

Decorator: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]


def complete_lens(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    from wellsourced.search.lenses import Lenses

    return [name for name in Lenses.load().names() if name.startswith(begun)]


def complete_engine(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    from wellsourced.upstreams import all_upstreams

    return [name for name in ("all", *all_upstreams()) if name.startswith(begun)]


def joined_words(context: click.Context, parameter: click.Parameter, words: tuple[str, ...]) -> str:
    return " ".join(words)


# The same option means the same everywhere; each is declared once, and named after the argument of the tools.
as_json: Decorator = click.option("--json", "as_json", is_flag=True, help="The answer as JSON, on one line.")
engine: Decorator = click.option(
    "--engine", "provider", shell_complete=complete_engine, help="Ask only this provider; 'all' asks and merges all."
)
lens: Decorator = click.option("--lens", shell_complete=complete_lens, help="Search only the sites of this lens.")
num: Decorator = click.option("-n", "--num", "num_results", type=int, help="How many results.")
query: Decorator = click.argument("query", nargs=-1, required=True, callback=joined_words)
session: Decorator = click.option("--session", "sessionId", help="Research session to record the sources in.")


def newest(help: str) -> Decorator:
    return click.option("--newest", "sort_by", flag_value="date", help=help)
