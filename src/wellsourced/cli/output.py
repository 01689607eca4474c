"""Where a command writes: readable and coloured on a terminal (`rich` is loaded for that alone), plain in a pipe.

Everything written passes through `strip_control_sequences`; foreign text is never taken for markup.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from wellsourced.cli.control_sequences import escape_control_characters, flatten_line, strip_control_sequences

NARROW = 70


@dataclass(frozen=True, slots=True)
class ListEntry:
    """One search result or document in a list: its title, address, what is known of it, an excerpt."""

    title: str
    link: str = ""
    details: str = ""
    text: str = ""


class Screen:
    """Plain text, for pipes and files."""

    def line(self, text: str = "") -> None:
        write_stdout(strip_control_sequences(text) + "\n")

    def heading(self, text: str) -> None:
        self.line(flatten_line(text))
        self.line()

    def markdown(self, text: str) -> None:
        self.line(text.rstrip("\n"))

    def entries(self, entries: Iterable[ListEntry]) -> None:
        for number, entry in enumerate(entries, 1):
            parts = [flatten_line(part) for part in (entry.link, entry.details, entry.text) if part]
            self.line("\n   ".join([f"{number}. {flatten_line(entry.title)}", *parts]) + "\n")

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Tab-separated, so that cut and awk can read it; the columns are named on a terminal only."""
        for row in rows:
            self.line("\t".join(flatten_line(cell) for cell in row))


class TerminalScreen(Screen):
    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(highlight=False, markup=False, emoji=False)

    def line(self, text: str = "") -> None:
        self._console.print(strip_control_sequences(text), soft_wrap=True)

    def heading(self, text: str) -> None:
        self._console.print(flatten_line(text), style="bold")
        self.line()

    def markdown(self, text: str) -> None:
        from rich.markdown import Markdown

        self._console.print(Markdown(strip_control_sequences(text), hyperlinks=False))

    def entries(self, entries: Iterable[ListEntry]) -> None:
        from rich.padding import Padding
        from rich.text import Text

        for number, entry in enumerate(entries, 1):
            self._console.print(Text.assemble((f"{number}. ", "dim"), (flatten_line(entry.title), "bold")))
            for part, style in ((entry.link, "cyan"), (entry.details, "dim"), (entry.text, "")):
                if part:
                    self._console.print(Padding(Text(flatten_line(part), style), (0, 0, 0, 3)))
            self.line()

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        from rich.box import SIMPLE_HEAD
        from rich.table import Column, Table
        from rich.text import Text

        if self._console.width < NARROW:
            self._records(columns, rows)
            return
        table = Table(*(Column(name, overflow="fold") for name in columns), box=SIMPLE_HEAD)
        for row in rows:
            table.add_row(*(Text(flatten_line(cell)) for cell in row))
        self._console.print(table)

    def _records(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Where columns would be a few letters wide, each cell has a line."""
        for row in rows:
            for name, cell in zip(columns, row, strict=True):
                if cell:
                    self.line(f"{name}: {flatten_line(cell)}" if name else flatten_line(cell))
            self.line()


def open_screen() -> Screen:
    return TerminalScreen() if sys.stdout.isatty() else Screen()


def write_stdout(text: str) -> None:
    """To stdout; a character that the terminal's encoding lacks becomes a question mark."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))


def write_json(body: bytes | dict[str, Any]) -> None:
    """JSON on one line: the bytes of an answer as they are, or data of our own."""
    from wellsourced.tool.answer import encode_json

    text = (body if isinstance(body, bytes) else encode_json(body)).decode("utf-8", "replace")
    write_stdout(escape_control_characters(text) + "\n")


def print_message(sentence: str) -> None:
    """Write a sentence to stderr, for people; stdout is for results alone."""
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(strip_control_sequences(sentence).encode(encoding, "replace").decode(encoding) + "\n")


@contextmanager
def show_progress(message: str) -> Iterator[Any]:
    """Show a spinner on a terminal while something takes time; yields a function that changes its message."""
    if not sys.stderr.isatty():
        yield lambda changed: None
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(flatten_line(message))) as status:
        yield lambda changed: status.update(Text(flatten_line(changed)))
