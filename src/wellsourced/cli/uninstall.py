"""`wellsourced uninstall CLIENT`: takes the entry out of a client's configuration."""

from __future__ import annotations

import click

from wellsourced.cli.install import client_argument
from wellsourced.cli.install.clients import CLIENTS
from wellsourced.cli.output import open_screen
from wellsourced.cli.run_tool import OK


@click.command()
@client_argument
def command(client: str) -> int:
    """Take Wellsourced out of the configuration of an MCP client.

    What else stands in the file stays, and a copy of it is kept beside it. Keys in the file of keys stay, too.
    """
    from wellsourced.cli.install.files import remove_server

    for line in remove_server(CLIENTS[client]):
        open_screen().line(line)
    return OK
