"""The text inside a paragraph: runs, links, fields, notes, formulas, ruby, and changes as if all were accepted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from wellsourced.documents.word.math import latex
from wellsourced.documents.word.symbols import symbol
from wellsourced.documents.xml import Element, attribute, child, local
from wellsourced.documents.zip_package import Relation

DEEPEST = 60
DROPPED = frozenset(
    [
        "del",
        "moveFrom",
        "pPr",
        "rPr",
        "sdtPr",
        "sdtEndPr",
        "instrText",
        "delText",
        "delInstrText",
        "fldData",
        "commentReference",
        "annotationRef",
        "footnoteRef",
        "endnoteRef",
        "separator",
        "continuationSeparator",
        "lastRenderedPageBreak",
        "bookmarkStart",
        "bookmarkEnd",
        "commentRangeStart",
        "commentRangeEnd",
        "proofErr",
        "object",
        "pict_data",
        "rt",
        "rubyPr",
        "tblPr",
        "smartTagPr",
        "customXmlPr",
    ]
)
BREAKS = {"br": "\n", "cr": "\n", "tab": " ", "ptab": " ", "noBreakHyphen": "-", "softHyphen": ""}
LINK_FIELD = re.compile(r'\s*HYPERLINK\s+(?:\\[lo]\s+"[^"]*"\s+)*"([^"]{1,2000})"')
UNREADABLE_SIZES = frozenset("01234")
"""Half points."""
RAISED = re.compile(r"[-+\u2212]?\d{1,6}")
LINKABLE = ("http://", "https://", "mailto:")


@dataclass
class Inline:
    """What runs may refer to, and what is found inside them besides text."""

    relations: dict[str, Relation] = field(default_factory=dict)
    boxes: list[Element] = field(default_factory=list)
    diagrams: list[str] = field(default_factory=list)
    notes: Callable[[str, str], str] = lambda kind, key: ""
    hidden_runs: int = 0

    def text(self, paragraph: Element) -> str:
        """The paragraph as markdown text; text boxes and diagrams in it are put aside in `boxes`, `diagrams`."""
        parts: list[str] = []
        fields: list[tuple[int, list[str]]] = []
        for piece in self._pieces(paragraph, 0):
            if isinstance(piece, str):
                parts.append(piece)
            else:
                _field_step(piece, parts, fields)
        return "".join(parts)

    def _pieces(self, parent: Element, depth: int) -> Iterator[str | Element]:
        """Strings, and the field marks between which they stand."""
        if depth > DEEPEST:
            return
        for item in parent:
            name = local(item)
            if name in {"fldChar", "instrText"}:
                yield item
            elif name == "r" and self._is_hidden(item):
                self.hidden_runs += 1
            elif name == "r" and _is_power(item):
                yield "^" + "".join(piece for piece in self._piece(item, name, depth + 1) if isinstance(piece, str))
            elif name not in DROPPED:
                yield from self._piece(item, name, depth + 1)

    def _piece(self, item: Element, name: str, depth: int) -> Iterator[str | Element]:
        if name in BREAKS:
            yield BREAKS[name]
        elif name in READABLE:
            yield READABLE[name](self, item, depth)
        elif name == "AlternateContent":
            chosen = child(item, "Choice") if child(item, "Choice") is not None else child(item, "Fallback")
            yield from self._pieces(chosen, depth) if chosen is not None else ()
        elif name == "txbxContent":
            self.boxes.append(item)
        elif name in {"relIds", "chart"}:
            self.diagrams.append(attribute(item, "dm" if name == "relIds" else "id") or "")
        else:
            yield from self._pieces(item, depth)

    def _note(self, item: Element, depth: int) -> str:
        return self.notes(local(item).removesuffix("Reference"), attribute(item, "id") or "")

    def _link(self, item: Element, depth: int) -> str:
        inner = "".join(piece for piece in self._pieces(item, depth) if isinstance(piece, str))
        target = self.relations.get(attribute(item, "id") or "")
        anchor = attribute(item, "anchor")
        address = target.target if target and target.external else ""
        return link(inner, f"{address}#{anchor}" if address and anchor else address)

    def _ruby(self, item: Element, depth: int) -> str:
        """The base text with its reading in brackets."""
        base = child(item, "rubyBase")
        over = child(item, "rt")
        plain = [
            "".join(piece for piece in self._pieces(part, depth) if isinstance(piece, str)) if part is not None else ""
            for part in (base, over)
        ]
        return f"{plain[0]}({plain[1]})" if plain[1] else plain[0]

    @staticmethod
    def _is_hidden(run: Element) -> bool:
        """Formatted as hidden, or set so small that nobody can read it."""
        mark, size = child(run, "rPr", "vanish"), child(run, "rPr", "sz")
        if mark is not None and attribute(mark, "val") not in {"0", "false", "off"}:
            return True
        return size is not None and attribute(size, "val") in UNREADABLE_SIZES


def _is_power(run: Element) -> bool:
    """A raised number: 10 to the 5 is not 105."""
    height, text = child(run, "rPr", "vertAlign"), child(run, "t")
    raised = height is not None and attribute(height, "val") == "superscript"
    return raised and text is not None and bool(RAISED.fullmatch(text.text or ""))


def link(text: str, address: str) -> str:
    """A markdown link where there is somewhere to go; the text alone otherwise."""
    if not address.startswith(LINKABLE) or not text.strip():
        return text
    lead, trail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    safe = address.replace(" ", "%20").replace("(", "%28").replace(")", "%29")
    return f"{lead}[{text.strip()}]({safe}){trail}"


def _field_step(item: Element, parts: list[str], fields: list[tuple[int, list[str]]]) -> None:
    """Fields open, say what they are, show a result and close; only links need more than the result.

    What other fields show in between, before the result, is part of the question.
    """
    if local(item) == "instrText":
        if fields:
            fields[-1][1].append(item.text or "")
        return
    kind = attribute(item, "fldCharType")
    if kind == "begin":
        fields.append((len(parts), []))
    elif kind == "separate" and fields:
        del parts[fields[-1][0] :]
    elif kind == "end" and fields:
        start, instruction = fields.pop()
        found = LINK_FIELD.match("".join(instruction))
        if found:
            parts[start:] = [link("".join(parts[start:]), found.group(1))]


def _formula(item: Element) -> str:
    written = " ".join(latex(item).split())
    if not written:
        return ""
    return f"\n$${written}$$\n" if local(item) == "oMathPara" else f"${written}$"


def _alternative_text(item: Element) -> str:
    description = " ".join((attribute(item, "descr") or "").split())
    return f"[Image: {description}]" if description else ""


READABLE: dict[str, Callable[[Inline, Element, int], str]] = {
    "t": lambda inline, item, depth: item.text or "",
    "sym": lambda inline, item, depth: symbol(attribute(item, "font") or "", attribute(item, "char") or ""),
    "docPr": lambda inline, item, depth: _alternative_text(item),
    "oMath": lambda inline, item, depth: _formula(item),
    "oMathPara": lambda inline, item, depth: _formula(item),
    "hyperlink": Inline._link,
    "ruby": Inline._ruby,
    "footnoteReference": Inline._note,
    "endnoteReference": Inline._note,
}
