"""`wellsourced lenses`: the named sets of sites that a search can be narrowed to."""

from __future__ import annotations

from pathlib import Path

import click

from wellsourced.cli import options
from wellsourced.cli.output import open_screen, print_message, write_json
from wellsourced.cli.run_tool import MISUSED, OK


@click.command()
@options.as_json
def command(as_json: bool) -> int:
    """List the lenses that searches can be narrowed to."""
    from wellsourced.app import configuration
    from wellsourced.search.lenses import Lenses
    from wellsourced.settings import from_environment

    settings = from_environment(configuration.declared_settings())
    lenses = Lenses.load(configuration.path_or_none(settings, "CUSTOM_LENSES_PATH"), Path("lenses"))
    catalogue = lenses.catalogue()
    if as_json:
        write_json({"lenses": catalogue})
    else:
        rows = [(str(lens["name"]), str(lens["domainCount"]), str(lens["description"])) for lens in catalogue]
        open_screen().table(("lens", "sites", "what for"), rows)
    for problem in lenses.problems:
        print_message(problem)
    return MISUSED if lenses.problems else OK
