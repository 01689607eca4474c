"""`wellsourced audit-log`: whether the audit log is as it was written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from wellsourced.cli import options
from wellsourced.cli.output import screen, tell, working, write_json
from wellsourced.cli.run_tool import FAILED, MISUSED, OK
from wellsourced.text.counting import counted

if TYPE_CHECKING:
    from wellsourced.storage.audit.verdict import AuditReport


@click.group()
def command() -> None:
    """Check that no line of the audit log was changed or taken away."""


@command.command()
@click.argument("path", required=False, type=click.Path(path_type=Path))
@options.as_json
def verify(path: Path | None, as_json: bool) -> int:
    """Follow the chain of hashes through the audit log.

    PATH is the current file (AUDIT_OUTPUT_PATH if not given); rotated ones beside it are read as well. The exit status
    is 0 when every line is whole, 1 when something was changed or is missing, 2 when there is nothing to check.
    """
    from wellsourced.app import configuration, storage
    from wellsourced.settings import from_environment
    from wellsourced.storage.audit.verify import verify as verify_log

    settings = from_environment(configuration.declared_settings())
    path = path or configuration.path_or_none(settings, "AUDIT_OUTPUT_PATH")
    if path is None:
        tell("Which log? Give its path, or set AUDIT_OUTPUT_PATH.")
        return MISUSED
    safe = storage.open_store(settings)
    try:
        with working(f"Reading {path} …"):
            verdict = verify_log(path, safe.seal if safe else None)
    except OSError as problem:
        tell(f"The audit log {path} cannot be read: {problem.strerror or problem}.")
        return MISUSED
    show(verdict, as_json=as_json)
    return OK if verdict.is_whole else FAILED


def show(verdict: AuditReport, *, as_json: bool) -> None:
    if as_json:
        write_json(verdict.as_json())
        return
    out = screen()
    out.table(("where", "what"), [(found.place, found.told) for found in verdict.findings])
    if verdict.further:
        out.line(f"… and {verdict.further} more.")
    out.line(summary(verdict))
    for note in verdict.noted:
        tell(f"The log notes: {note}")
    if not verdict.is_sealed:
        tell("The head is not sealed, for want of a house key: whoever can write the log could have remade both.")


def summary(verdict: AuditReport) -> str:
    where = f"{counted(verdict.lines, 'line')} in {counted(len(verdict.files), 'file')}"
    if verdict.is_whole:
        return f"All {where} are whole."
    return f"{counted(len(verdict.findings) + verdict.further, 'break')} in {where}."
