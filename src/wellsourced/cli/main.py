"""The command line. `--help` and `--version` answer without loading the rest of the house."""

from __future__ import annotations

from collections.abc import Sequence

import click

from wellsourced import __version__


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="wellsourced")
def cli() -> None:
    """Real, checkable sources for AI assistants.

    Without arguments, and with an MCP client on stdin, this is the MCP server.
    """


@cli.command()
@click.option("--http", is_flag=True, help="Serve MCP over HTTP instead of stdio.")
@click.option("--host", help="Address to listen on (HOST; default 127.0.0.1).")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on (PORT; default 8765).")
def serve(http: bool, host: str | None, port: int | None) -> int:
    """Run the MCP server."""
    if http or host or port:
        from wellsourced.server.http import serve as serve_http

        return serve_http(host, port)
    from wellsourced.server.stdio import serve as serve_stdio

    return serve_stdio()


def run(arguments: Sequence[str]) -> int:
    """Exit status: 0 done, 1 failed, 2 the command or a setting was not understood."""
    try:
        outcome = cli.main(list(arguments), prog_name="wellsourced", standalone_mode=False)
    except click.ClickException as problem:
        problem.show()
        return problem.exit_code
    except click.exceptions.Abort:
        return 130
    return outcome if isinstance(outcome, int) else 0
