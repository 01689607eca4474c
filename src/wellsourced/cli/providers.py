"""`wellsourced providers`: who can be asked, for what, and what each needs."""

from __future__ import annotations

import click

from wellsourced.cli import options
from wellsourced.cli.output import open_screen, write_json
from wellsourced.cli.run_tool import OK, Content


@click.command()
@click.option("--configured", is_flag=True, help="Only those that are ready to be asked.")
@options.as_json
def command(configured: bool, as_json: bool) -> int:
    """List the providers and what each needs."""
    providers = [provider for provider in list_providers() if provider["configured"] or not configured]
    if as_json:
        write_json({"providers": providers})
        return OK
    from wellsourced.upstreams import all_upstreams

    words = {name: entry.in_words for name, entry in all_upstreams().items()}
    rows = [(row["name"], row["title"], words[row["name"]], describe_state(row)) for row in providers]
    open_screen().table(("name", "provider", "offers", "state"), rows)
    return OK


def list_providers() -> list[Content]:
    from wellsourced import upstreams
    from wellsourced.app.configuration import declared_settings
    from wellsourced.net.circuit_breaker import CircuitBreaker
    from wellsourced.settings import from_environment
    from wellsourced.upstream_client.connection import UpstreamConnection

    settings = from_environment(declared_settings())
    providers = []
    for name, entry in upstreams.all_upstreams().items():
        missing = UpstreamConnection(entry.provider, entry.settings(), settings, CircuitBreaker()).missing
        providers.append(
            {
                "name": name,
                "title": entry.provider.title,
                "offers": sorted(entry.offers),
                "configured": not missing,
                "missing": missing,
                "about": entry.provider.about,
            }
        )
    return providers


def describe_state(provider: Content) -> str:
    return "ready" if provider["configured"] else f"set {' and '.join(provider['missing'])}"
