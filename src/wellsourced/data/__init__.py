"""Tables and texts that ship with the package: lenses, reputations, words, prompts, scripts.

They are plain files beside this one and are found by this folder: importlib.resources would do the same and
takes thirty milliseconds to import.
"""

from __future__ import annotations

import re
from pathlib import Path

from wellsourced.late_pattern import late_pattern

FOLDER = Path(__file__).resolve().parent
HEADING = late_pattern(r"^(?:-- )?## (.+)\n", re.M)


def read_data(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")


def read_lines(name: str) -> list[str]:
    """The lines that are neither empty nor a comment (`#`)."""
    return [line for line in read_data(name).splitlines() if line and not line.startswith("#")]


def read_sections(name: str) -> dict[str, str]:
    """The parts of a file by the headings above them, `## heading`, or `-- ## heading` in a script."""
    _, *parts = HEADING.split(read_data(name))
    return {heading: text.strip("\n") for heading, text in zip(parts[::2], parts[1::2], strict=True)}
