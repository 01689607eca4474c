"""The command line. `--help` and `--version` answer without importing any command."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

import click

from wellsourced import __version__
from wellsourced.errors import WellsourcedError
from wellsourced.system import write_utf8

# Commands with a module of their own, and their line in `--help`.
COMMANDS = {
    "audit": "Check every entry of a bibliography.",
    "audit-log": "Check that no line of the audit log was changed or taken away.",
    "cite": "Cite pages and bibliography files in a style.",
    "completion": "Print the completion script of a shell.",
    "demo": "Do a whole research job on a sample web: no key, no network.",
    "doctor": "Say what is configured, what is missing and what fixes it.",
    "install": "Write Wellsourced into the configuration of an MCP client.",
    "lenses": "List the lenses that searches can be narrowed to.",
    "library": "Keep documents in a searchable library.",
    "news": "Search recent news.",
    "papers": "Search scholarly papers.",
    "project": "Keep research that lasts: captured pages, receipts, changes.",
    "providers": "List the providers and what each needs.",
    "receipt": "Check the receipts of quotations.",
    "replay": "Read, search and verify from a WACZ file alone.",
    "read": "Read a page or document as clean text.",
    "search": "Search the web.",
    "session": "List, show and export research sessions.",
    "uninstall": "Take Wellsourced out of the configuration of an MCP client.",
    "watch": "Read the cited pages again and say what changed.",
    "verify": "Check that a citation exists and says what is claimed.",
}

# What a shell reports of a process that SIGPIPE ended.
PIPE_CLOSED = 128 + 13


class LazyGroup(click.Group):
    """Imports the module of a command when it runs: the module of that name in this package holds `command`.

    `--help` shows the lines in COMMANDS, so that it needs none of the modules.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*COMMANDS, *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        module = cmd_name.replace("-", "_")
        command: click.Command = importlib.import_module(f"wellsourced.cli.{module}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, self._help_line(ctx, name, formatter)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def _help_line(self, ctx: click.Context, name: str, formatter: click.HelpFormatter) -> str:
        if name in COMMANDS:
            return COMMANDS[name]
        known = super().get_command(ctx, name)
        return known.get_short_help_str(formatter.width) if known else ""


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="wellsourced")
def cli() -> None:
    """Real, checkable sources for AI assistants.

    Without arguments, and with an MCP client on stdin, this is the MCP server.
    """


@cli.command()
@click.option("--http", is_flag=True, help="Serve MCP over HTTP instead of stdio.")
@click.option("--host", help="Address to listen on (HOST; default 127.0.0.1).")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on (PORT; default 8765).")
@click.option("--until-eof", is_flag=True, hidden=True, help="End the HTTP server when stdin ends.")
def serve(http: bool, host: str | None, port: int | None, until_eof: bool) -> int:
    """Run the MCP server."""
    if http or host or port:
        if until_eof:
            from wellsourced.process import end_with_input

            end_with_input()
        from wellsourced.http.server import serve as serve_http

        return serve_http(host, port)
    from wellsourced.mcp.stdio import serve as serve_stdio

    return serve_stdio()


def run(arguments: Sequence[str]) -> int:
    """Exit status: 0 done, 1 failed, 2 the command or a setting was not understood, 3 found nothing, 4 blocked or
    rate-limited."""
    open_closed_streams()
    try:
        # Not standalone: click would end the process itself, with statuses of its own.
        outcome = cli.main(list(arguments), prog_name="wellsourced", standalone_mode=False)
        sys.stdout.flush()  # here, so that a closed pipe is noticed inside this try
    except click.ClickException as problem:
        problem.show()
        return problem.exit_code
    except click.exceptions.Abort:
        return 130
    except SystemExit as ended:  # click's own end: with 1 for a closed pipe, with 0 after completion
        return close_output(PIPE_CLOSED) if ended.code else 0
    except BrokenPipeError:
        return close_output(PIPE_CLOSED)
    except WellsourcedError as problem:
        return report_error(problem)
    except OSError as problem:
        place = f" ({problem.filename})" if problem.filename else ""
        click.echo(f"The system refused: {problem.strerror or problem}{place}.", err=True)
        return close_output(1)
    return outcome if isinstance(outcome, int) else 0


def report_error(problem: WellsourcedError) -> int:
    """Report what was refused outside a tool, such as a wrong setting, in its own words."""
    from wellsourced.cli.output import print_message
    from wellsourced.cli.run_tool import FAILED, STATUS_BY_KIND

    print_message(problem.sentence)
    return STATUS_BY_KIND.get(problem.kind, FAILED)


def open_closed_streams() -> None:
    """A process may be started without stdout or stderr; what is written there then goes nowhere."""
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    write_utf8()


def close_output(status: int) -> int:
    """Nobody can read our output; nothing more may be written, not even at the end of the process."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status
