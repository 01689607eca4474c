"""`wellsourced audit-log`: whether the audit log is as it was written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from wellsourced.cli import options
from wellsourced.cli.output import open_screen, print_message, show_progress, write_json
from wellsourced.cli.run_tool import FAILED, MISUSED, OK
from wellsourced.text.amounts import format_count

if TYPE_CHECKING:
    from wellsourced.storage.audit.verify import AuditReport


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
    from wellsourced.storage.audit.verify import verify_audit_log as verify_log

    settings = from_environment(configuration.declared_settings())
    path = path or configuration.path_or_none(settings, "AUDIT_OUTPUT_PATH")
    if path is None:
        print_message("Which log? Give its path, or set AUDIT_OUTPUT_PATH.")
        return MISUSED
    disk = storage.open_storage(settings)
    try:
        with show_progress(f"Reading {path} …"):
            report = verify_log(path, disk.sealer if disk.has_key else None)
    except OSError as problem:
        print_message(f"The audit log {path} cannot be read: {problem.strerror or problem}.")
        return MISUSED
    show_audit_report(report, as_json=as_json)
    return OK if report.is_whole else FAILED


def show_audit_report(report: AuditReport, *, as_json: bool) -> None:
    if as_json:
        write_json(report.as_json())
        return
    out = open_screen()
    out.table(("where", "what"), [(finding.place, finding.message) for finding in report.findings])
    if report.further:
        out.line(f"… and {report.further} more.")
    out.line(summarize_audit_report(report))
    for note in report.noted:
        print_message(f"The log notes: {note}")
    if not report.is_sealed:
        print_message("The head is not sealed, for want of a key: whoever can write the log could have remade both.")


def summarize_audit_report(report: AuditReport) -> str:
    where = f"{format_count(report.lines, 'line')} in {format_count(len(report.files), 'file')}"
    if report.is_whole:
        return f"All {where} are whole."
    return f"{format_count(len(report.findings) + report.further, 'break')} in {where}."
