"""`wellsourced install CLIENT` and `uninstall CLIENT`: the client's own configuration file, edited in place.

`clients.py` says where each client keeps its servers and in which form; the `*_text.py` modules change one entry of a
file and leave every other character as it is.
"""

from __future__ import annotations

import click

from wellsourced.cli.install.clients import CLIENTS
from wellsourced.cli.output import open_screen
from wellsourced.cli.run_tool import OK

client_argument = click.argument("client", type=click.Choice(sorted(CLIENTS)))


@click.command()
@client_argument
@click.option("--print", "only_print", is_flag=True, help="Show what would be written, and write nothing.")
def command(client: str, only_print: bool) -> int:
    """Write Wellsourced into the configuration of an MCP client.

    Settings of this shell go along; keys among them go into a file that only you can read, never into the
    configuration. What stands in the file stays, and a copy is kept beside it. Running it again updates the entry.
    """
    from wellsourced.app.configuration import declared_settings
    from wellsourced.cli.doctor import installation_for_client
    from wellsourced.cli.install.files import add_server
    from wellsourced.settings import from_environment

    own = installation_for_client(from_environment(declared_settings()))
    for line in add_server(CLIENTS[client], own, only_print=only_print):
        open_screen().line(line)
    return OK
