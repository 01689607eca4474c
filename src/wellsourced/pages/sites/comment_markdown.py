"""Small pieces of markup, such as a comment, as markdown: paragraphs, links, emphasis, lists, quotes and code.

Whole pages are the HTML reader's work; this is for the few tags that sites allow their users. The pattern for tags
is possessive and stops at the next `<`, so the time is linear whatever the text; the standard library's parser is
not used because an unclosed quotation mark makes it quadratic.
"""

from __future__ import annotations

import html
import re

from wellsourced.text.plain_text import LONG_NUMBER, visible

LONGEST = 60_000
TAG = re.compile(
    r"""<(/?)([a-zA-Z][a-zA-Z0-9-]*+)((?:[^<>"']++|"[^"<]{0,2000}+"|'[^'<]{0,2000}+')*+)>|<!--.{0,5000}?-->""", re.S
)
HREF = re.compile(r"""\bhref\s*=\s*(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"'>]{1,2000}))""", re.I)
BLOCKS = frozenset({"p", "div", "ul", "ol", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "table", "tr", "section"})
MARKS = {"i": "*", "em": "*", "b": "**", "strong": "**", "code": "`", "del": "~~", "s": "~~"}
UNSEEN = frozenset({"script", "style", "template", "svg"})


def fragment_markdown(markup: str) -> str:
    """Markdown of the fragment; markup that is cut off or wrong gives whatever text it holds."""
    writer = _Writer()
    position, text = 0, markup[:LONGEST]
    for tag in TAG.finditer(text):
        writer.write(text[position : tag.start()])
        position = tag.end()
        if tag[2]:
            (writer.close if tag[1] else writer.open)(tag[2].lower(), tag[3])
    writer.write(text[position:])
    return writer.finish()


class _Writer:
    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._line = ""
        self._links: list[tuple[str, int]] = []
        self._code = False
        self._quoted = 0
        self._unseen = 0

    def open(self, tag: str, attributes: str) -> None:
        if tag in UNSEEN:
            self._unseen += 1
        elif tag == "pre":
            self._end_block()
            self._code = True
        elif tag == "br":
            self._line = f"{self._line.rstrip(' ')}\n"
        elif tag == "li":
            self._end_block()
            self._line = "- "
        elif tag in BLOCKS:
            self._end_block()
            self._quoted += tag == "blockquote"
        elif tag == "a":
            found = HREF.search(attributes)
            self._links.append(
                (_decoded("".join(part or "" for part in found.groups())) if found else "", len(self._line))
            )
        else:
            self._mark(tag)

    def close(self, tag: str, attributes: str) -> None:
        if tag in UNSEEN:
            self._unseen = max(0, self._unseen - 1)
        elif tag == "pre":
            self._end_code()
        elif tag in BLOCKS or tag == "li":
            self._end_block()
            self._quoted = max(0, self._quoted - (tag == "blockquote"))
        elif tag == "a" and self._links:
            self._end_link(*self._links.pop())
        else:
            self._mark(tag)

    def write(self, data: str) -> None:
        if not self._unseen:
            text = _decoded(data)
            self._line += text if self._code else _spaced(text)

    def _mark(self, tag: str) -> None:
        if not self._code:
            self._line += MARKS.get(tag, "")

    def _end_link(self, target: str, start: int) -> None:
        shown = self._line[start:].strip()
        is_web = target.startswith(("http://", "https://"))
        if is_web and shown:
            shown = target if shown.rstrip(".… ") in target else f"[{shown}]({target})"
        self._line = self._line[:start] + shown

    def _end_code(self) -> None:
        code, self._line, self._code = self._line.strip("\n"), "", False
        self._links.clear()
        self._add(f"```\n{code}\n```" if code.strip() else "")

    def _end_block(self) -> None:
        if self._code:
            return
        line, self._line = self._line.strip(), ""
        self._links.clear()
        self._add("" if line == "-" else line)

    def _add(self, block: str) -> None:
        if block and self._quoted:
            block = "\n".join(f"> {line}" for line in block.split("\n"))
        if block:
            self._blocks.append(visible(block))

    def finish(self) -> str:
        if self._code:
            self._end_code()
        self._end_block()
        parts, before = [], ""
        for block in self._blocks:
            is_tight = block.startswith("- ") and before.startswith("- ")
            parts += ["\n" if is_tight else "\n\n" if before else "", block]
            before = block
        return "".join(parts)


def _decoded(text: str) -> str:
    """Entities read; a number of thousands of digits, which names no character, is dropped first."""
    return html.unescape(LONG_NUMBER.sub("", text)) if "&" in text else text


def _spaced(text: str) -> str:
    """Single spaces within, and one on each side where the text had one: words around a tag must not run together."""
    words = " ".join(text.split())
    if not words:
        return " " if text else ""
    return f"{' ' if text[0].isspace() else ''}{words}{' ' if text[-1].isspace() else ''}"
