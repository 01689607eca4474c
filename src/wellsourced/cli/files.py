"""Files named on the command line: bounded, decoded, and a sentence when they cannot be read."""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path
from typing import IO

import click

# Far more than the largest bibliography; a wrong file must not fill the memory.
LARGEST = 20 * 1024 * 1024


def read_text(name: str) -> str:
    """The text of a bibliography file, or of stdin for `-`."""
    from wellsourced.citations.formats.bibliography import decode_bibliography

    data = read_bytes(name)
    if len(data) > LARGEST:
        raise click.UsageError(f"{name} has more than {LARGEST // 2**20} MB, the most that is read.")
    if not data.strip():
        raise click.UsageError(f"{'stdin' if name == '-' else name} is empty; a bibliography was expected.")
    return decode_bibliography(data)


def read_bytes(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(LARGEST + 1)  # one more than allowed, to notice that there is more
    try:
        with Path(name).open("rb") as file:
            return file.read(LARGEST + 1)
    except OSError as problem:
        raise click.UsageError(f"{name} cannot be read: {problem.strerror or problem}.") from None


def write_text(name: str, text: str) -> None:
    write_file(name, io.BytesIO(text.encode("utf-8")))


def write_file(name: str, content: IO[bytes]) -> None:
    try:
        with Path(name).open("wb") as file:
            shutil.copyfileobj(content, file)
    except OSError as problem:
        raise click.UsageError(f"{name} cannot be written: {problem.strerror or problem}.") from None
