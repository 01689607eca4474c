"""`wellsourced receipt`: whether a quotation, its page and its time belong together, checked without any server."""

from __future__ import annotations

from pathlib import Path

import click

from wellsourced.cli import options
from wellsourced.cli.output import open_screen, print_message, write_json
from wellsourced.cli.run_tool import FAILED, OK, with_app


@click.group()
def command() -> None:
    """Check the receipts of quotations."""


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--wacz", type=click.Path(path_type=Path), help="The project's WACZ file, to check the pages as well.")
@options.as_json
def verify(file: Path, wacz: Path | None, as_json: bool) -> int:
    """Check a receipt (.json), a chain of them (.jsonl) or all of a WACZ file.

    The exit status is 0 when all of it holds, and 1 when something was changed, left out or does not belong together.
    """
    from wellsourced.projects.verify_receipt import verify_receipts

    found = verify_receipts(file, wacz)
    if as_json:
        fields = {"holding": found.holding, "problems": found.problems, "notes": found.notes}
        write_json({"ok": not found.problems, **fields})
    else:
        for sentence in found.problems or found.holding:
            open_screen().line(sentence)
        for note in found.notes:
            print_message(f"Note: {note}")
    return FAILED if found.problems else OK


@command.command()
def key() -> int:
    """Print the public key of this instance, to be published where others can compare it."""
    from wellsourced.projects.receipts import fingerprint

    public = with_app(lambda app: app.services.projects.signing_key()).public
    open_screen().line(public)
    print_message(f"Fingerprint: {fingerprint(public)}")
    return OK
