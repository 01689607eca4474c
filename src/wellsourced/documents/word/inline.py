"""The text inside a paragraph: runs, links, fields, notes, formulas, ruby, and changes as if all were accepted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import field

from wellsourced.documents.word.math import formula_latex
from wellsourced.documents.xml import Element, attribute, find_child, local_name
from wellsourced.documents.zip_package import Relation
from wellsourced.late_dataclass import dataclass

DEEPEST = 60
DROPPED = frozenset((
    "del", "moveFrom", "pPr", "rPr", "sdtPr", "sdtEndPr", "instrText", "delText", "delInstrText", "fldData",
    "commentReference", "annotationRef", "footnoteRef", "endnoteRef", "separator", "continuationSeparator",
    "lastRenderedPageBreak", "bookmarkStart", "bookmarkEnd", "commentRangeStart", "commentRangeEnd", "proofErr",
    "object", "pict_data", "rt", "rubyPr", "tblPr", "smartTagPr", "customXmlPr",
))  # fmt: skip
BREAKS = {"br": "\n", "cr": "\n", "tab": " ", "ptab": " ", "noBreakHyphen": "-", "softHyphen": ""}
LINK_FIELD = re.compile(r'\s*HYPERLINK\s+(?:\\[lo]\s+"[^"]*"\s+)*"([^"]{1,2000})"')
UNREADABLE_SIZES = frozenset("01234")
"""Half points."""
RAISED = re.compile(r"[-+\u2212]?\d{1,6}")
LINKABLE = ("http://", "https://", "mailto:")
# Symbol fonts park their characters in the private-use area from U+F020 on. Symbol: the encoding of the PostScript font
# of that name (ISO 32000-1, annex D.5). Wingdings: the signs met in lists and forms.
PRIVATE = 0xF000
SYMBOL = {
    0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2A: "∗", 0x2D: "−", 0x40: "≅", 0x5C: "∴", 0x5E: "⊥",
    **dict(enumerate("ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", 0x41)),
    **dict(enumerate("αβχδεφγηιϕκλμνοπθρστυϖωξψζ", 0x61)),
    **dict(enumerate("ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…", 0xA1)),
    **dict(enumerate("ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑", 0xC0)),
    0xF1: "〉", 0xF2: "∫",
}  # fmt: skip
WINGDINGS = {
    0x4A: "☺", 0x4C: "☹", 0x6C: "●", 0x6E: "■", 0x6F: "□", 0x75: "◆", 0x76: "❖", 0x9F: "•", 0xA7: "▪", 0xA8: "□",
    0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
FONTS = {"symbol": SYMBOL, "wingdings": WINGDINGS}


@dataclass()
class WordInline:
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
            name = local_name(item)
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
            chosen = (
                find_child(item, "Choice") if find_child(item, "Choice") is not None else find_child(item, "Fallback")
            )
            yield from self._pieces(chosen, depth) if chosen is not None else ()
        elif name == "txbxContent":
            self.boxes.append(item)
        elif name in {"relIds", "chart"}:
            self.diagrams.append(attribute(item, "dm" if name == "relIds" else "id") or "")
        else:
            yield from self._pieces(item, depth)

    def _note(self, item: Element, depth: int) -> str:
        return self.notes(local_name(item).removesuffix("Reference"), attribute(item, "id") or "")

    def _link(self, item: Element, depth: int) -> str:
        inner = "".join(piece for piece in self._pieces(item, depth) if isinstance(piece, str))
        target = self.relations.get(attribute(item, "id") or "")
        anchor = attribute(item, "anchor")
        address = target.target if target and target.external else ""
        return link(inner, f"{address}#{anchor}" if address and anchor else address)

    def _ruby(self, item: Element, depth: int) -> str:
        """The base text with its reading in brackets."""
        base = find_child(item, "rubyBase")
        over = find_child(item, "rt")
        plain = [
            "".join(piece for piece in self._pieces(part, depth) if isinstance(piece, str)) if part is not None else ""
            for part in (base, over)
        ]
        return f"{plain[0]}({plain[1]})" if plain[1] else plain[0]

    @staticmethod
    def _is_hidden(run: Element) -> bool:
        """Formatted as hidden, or set so small that nobody can read it."""
        mark, size = find_child(run, "rPr", "vanish"), find_child(run, "rPr", "sz")
        if mark is not None and attribute(mark, "val") not in {"0", "false", "off"}:
            return True
        return size is not None and attribute(size, "val") in UNREADABLE_SIZES


def _is_power(run: Element) -> bool:
    """A raised number: 10 to the 5 is not 105."""
    height, text = find_child(run, "rPr", "vertAlign"), find_child(run, "t")
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
    if local_name(item) == "instrText":
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
        match = LINK_FIELD.match("".join(instruction))
        if match:
            parts[start:] = [link("".join(parts[start:]), match.group(1))]


def _formula(item: Element) -> str:
    written = " ".join(formula_latex(item).split())
    if not written:
        return ""
    return f"\n$${written}$$\n" if local_name(item) == "oMathPara" else f"${written}$"


def _alternative_text(item: Element) -> str:
    description = " ".join((attribute(item, "descr") or "").split())
    return f"[Image: {description}]" if description else ""


READABLE: dict[str, Callable[[WordInline, Element, int], str]] = {
    "t": lambda inline, item, depth: item.text or "",
    "sym": lambda inline, item, depth: symbol_text(attribute(item, "font") or "", attribute(item, "char") or ""),
    "docPr": lambda inline, item, depth: _alternative_text(item),
    "oMath": lambda inline, item, depth: _formula(item),
    "oMathPara": lambda inline, item, depth: _formula(item),
    "hyperlink": WordInline._link,
    "ruby": WordInline._ruby,
    "footnoteReference": WordInline._note,
    "endnoteReference": WordInline._note,
}


def symbol_text(font: str, code: str) -> str:
    """The character behind a hexadecimal code of a font; nothing where the font's own signs are not known."""
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    if PRIVATE <= number <= PRIVATE + 0xFF:
        number -= PRIVATE
        known = FONTS.get(font.strip().lower(), {0xB7: "•"} | WINGDINGS)
        return known.get(number, chr(number) if known is SYMBOL and 0x20 <= number < 0x7F else "")
    return chr(number) if 0 < number < 0xD800 else ""
