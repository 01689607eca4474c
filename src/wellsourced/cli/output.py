"""Where a command writes: readable and coloured on a terminal (`rich` is loaded for that alone), plain in a pipe.

Everything written passes through `harmless`; foreign text is never taken for markup.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from wellsourced.cli.terminal_text import harmless, harmless_json, one_line

NARROW = 70


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that was found: its title, where it is, what is known of it, what it says."""

    title: str
    link: str = ""
    details: str = ""
    text: str = ""


class Screen:
    """Plain text, for pipes and files."""

    def line(self, text: str = "") -> None:
        write(harmless(text) + "\n")

    def heading(self, text: str) -> None:
        self.line(one_line(text))
        self.line()

    def markdown(self, text: str) -> None:
        self.line(text.rstrip("\n"))

    def entries(self, entries: Iterable[Entry]) -> None:
        for number, entry in enumerate(entries, 1):
            parts = [one_line(part) for part in (entry.link, entry.details, entry.text) if part]
            self.line("\n   ".join([f"{number}. {one_line(entry.title)}", *parts]) + "\n")

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Tab-separated, so that cut and awk can read it; the columns are named on a terminal only."""
        for row in rows:
            self.line("\t".join(one_line(cell) for cell in row))


class TerminalScreen(Screen):
    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(highlight=False, markup=False, emoji=False)

    def line(self, text: str = "") -> None:
        self._console.print(harmless(text), soft_wrap=True)

    def heading(self, text: str) -> None:
        self._console.print(one_line(text), style="bold")
        self.line()

    def markdown(self, text: str) -> None:
        from rich.markdown import Markdown

        self._console.print(Markdown(harmless(text), hyperlinks=False))

    def entries(self, entries: Iterable[Entry]) -> None:
        from rich.padding import Padding
        from rich.text import Text

        for number, entry in enumerate(entries, 1):
            self._console.print(Text.assemble((f"{number}. ", "dim"), (one_line(entry.title), "bold")))
            for part, style in ((entry.link, "cyan"), (entry.details, "dim"), (entry.text, "")):
                if part:
                    self._console.print(Padding(Text(one_line(part), style), (0, 0, 0, 3)))
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
            table.add_row(*(Text(one_line(cell)) for cell in row))
        self._console.print(table)

    def _records(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Where columns would be a few letters wide, each cell has a line."""
        for row in rows:
            for name, cell in zip(columns, row, strict=True):
                if cell:
                    self.line(f"{name}: {one_line(cell)}" if name else one_line(cell))
            self.line()


def screen() -> Screen:
    return TerminalScreen() if sys.stdout.isatty() else Screen()


def write(text: str) -> None:
    """To stdout; a character that the terminal's encoding lacks becomes a question mark."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))


def write_json(body: bytes | dict[str, Any]) -> None:
    """JSON on one line: the bytes of an answer as they are, or data of our own."""
    from wellsourced.tool.result import encode

    text = (body if isinstance(body, bytes) else encode(body)).decode("utf-8", "replace")
    write(harmless_json(text) + "\n")


def tell(sentence: str) -> None:
    """To stderr, for people."""
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(harmless(sentence).encode(encoding, "replace").decode(encoding) + "\n")


@contextmanager
def working(what: str) -> Iterator[Any]:
    """A sign of life on stderr while something takes time; nothing where nobody watches."""
    if not sys.stderr.isatty():
        yield _silent
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(one_line(what))) as status:
        yield lambda message: status.update(Text(one_line(message)))


def _silent(message: str) -> None:
    pass
