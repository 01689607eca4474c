"""`wellsourced watch`: what became of the quotations, citations and links of a project."""

from __future__ import annotations

import time

import click

from wellsourced.cli.files import write_text
from wellsourced.cli.output import open_screen, print_message, write_json
from wellsourced.cli.project import project_name, with_project
from wellsourced.cli.run_tool import FAILED, OK

WATCH_SECONDS = 1800.0


@click.command()
@project_name
@click.option(
    "--format", "format", type=click.Choice(("markdown", "html", "json", "atom")), default="markdown", show_default=True
)
@click.option("-o", "--output", help="File to write instead of stdout.")
def command(project: str, format: str, output: str | None) -> int:
    """Read the cited pages again and say what changed.

    The exit status is 1 where a quotation changed, moved or is gone, a work was retracted or a link is dead; else 0.
    """
    from wellsourced.projects.report import DRIFT_FORMATS
    from wellsourced.projects.watch import QUIET

    report = with_project(project, lambda projects, known: projects.watch(known, time.monotonic() + WATCH_SECONDS))
    if format == "json":
        text = report.model_dump_json(by_alias=True, exclude_none=True)
    else:
        text = DRIFT_FORMATS[format][0](report)
    if output:
        write_text(output, text)
        print_message(f"Written to {output}.")
    elif format == "json":
        write_json(text.encode())
    else:
        open_screen().markdown(text) if format == "markdown" else open_screen().line(text)
    return FAILED if set(report.counts) - QUIET else OK
