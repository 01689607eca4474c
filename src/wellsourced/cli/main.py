"""The command line. `--help` and `--version` answer without loading the rest of the house."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from wellsourced import __version__
from wellsourced.cli.lazy import LazyGroup
from wellsourced.errors import WellsourcedError

LATER = {
    "audit": "Check every entry of a bibliography.",
    "audit-log": "Check that no line of the audit log was changed or taken away.",
    "cite": "Cite pages and bibliography files in a style.",
    "completion": "Print the completion script of a shell.",
    "demo": "Do a whole research job on a sample web: no key, no network.",
    "doctor": "Say what is configured, what is missing and what fixes it.",
    "lenses": "List the lenses that searches can be narrowed to.",
    "library": "Keep documents in a searchable library.",
    "news": "Search recent news.",
    "papers": "Search scholarly papers.",
    "providers": "List the providers and what each needs.",
    "read": "Read a page or document as clean text.",
    "search": "Search the web.",
    "session": "List, show and export research sessions.",
    "verify": "Check that a citation exists and says what is claimed.",
}
"""Commands with a module of their own, which is imported when they run."""

PIPE_CLOSED = 128 + 13


@click.group(cls=LazyGroup, later=LATER, context_settings={"help_option_names": ["-h", "--help"]})
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
            from wellsourced.parent_watch import end_with_input

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
        outcome = cli.main(list(arguments), prog_name="wellsourced", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as problem:
        problem.show()
        return problem.exit_code
    except click.exceptions.Abort:
        return 130
    except SystemExit as ended:  # click's own end: with 1 for a closed pipe, with 0 after completion
        return leave_output(PIPE_CLOSED) if ended.code else 0
    except BrokenPipeError:
        return leave_output(PIPE_CLOSED)
    except WellsourcedError as problem:
        return complained(problem)
    except OSError as problem:
        place = f" ({problem.filename})" if problem.filename else ""
        click.echo(f"The system refused: {problem.strerror or problem}{place}.", err=True)
        return leave_output(1)
    return outcome if isinstance(outcome, int) else 0


def complained(problem: WellsourcedError) -> int:
    """What the house itself refused, in its own words."""
    from wellsourced.cli.output import tell
    from wellsourced.cli.run_tool import BY_KIND, FAILED

    tell(problem.sentence)
    return BY_KIND.get(problem.kind, FAILED)


def open_closed_streams() -> None:
    """A process may be started without stdout or stderr; what is written there then goes nowhere."""
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def leave_output(status: int) -> int:
    """Nobody can read our output; nothing more may be written, not even at the end of the process."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status
