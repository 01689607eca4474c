"""`wellsourced providers`: who can be asked, for what, and what each needs."""

from __future__ import annotations

import click

from wellsourced.cli import options
from wellsourced.cli.asking import OK, Content
from wellsourced.cli.screen import screen, write_json


@click.command()
@click.option("--configured", is_flag=True, help="Only those that are ready to be asked.")
@options.as_json
def command(configured: bool, as_json: bool) -> int:
    """List the providers and what each needs."""
    told = [provider for provider in listing() if provider["configured"] or not configured]
    if as_json:
        write_json({"providers": told})
        return OK
    from wellsourced.providers import catalogue

    words = {name: entry.in_words for name, entry in catalogue().items()}
    rows = [(row["name"], row["title"], words[row["name"]], state(row)) for row in told]
    screen().table(("name", "provider", "offers", "state"), rows)
    return OK


def listing() -> list[Content]:
    from wellsourced import providers, wiring
    from wellsourced.net.breaker import Breaker
    from wellsourced.research.line import Line
    from wellsourced.settings import from_environment

    settings = from_environment(wiring.declared_settings())
    told = []
    for name, entry in providers.catalogue().items():
        missing = Line(entry.provider, entry.settings(), settings, Breaker()).missing
        told.append(
            {
                "name": name,
                "title": entry.provider.title,
                "offers": sorted(entry.offers),
                "configured": not missing,
                "missing": missing,
                "about": entry.provider.about,
            }
        )
    return told


def state(provider: Content) -> str:
    return "ready" if provider["configured"] else f"set {' and '.join(provider['missing'])}"
