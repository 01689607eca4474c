"""The text of one slide's shapes: titles, bullets, tables, groups, diagrams, charts and alternative texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from itertools import groupby

from wellsourced.documents.chart_table import chart_table
from wellsourced.documents.word.inline import RAISED, link
from wellsourced.documents.word.math import formula_latex
from wellsourced.documents.xml import Element, attribute, find_child, local_name, text_of
from wellsourced.documents.zip_package import Relation, ZipPackage
from wellsourced.late_dataclass import dataclass
from wellsourced.text.markdown_table import pipe_table

DEEPEST = 12
TITLES = frozenset({"title", "ctrTitle"})
FURNITURE = frozenset({"dt", "ftr", "hdr", "sldNum", "sldImg"})
BULLETED = frozenset({"body", "obj", None})


@dataclass()
class SlideShapes:
    """A walk over a slide's shape tree."""

    package: ZipPackage
    relations: dict[str, Relation]
    title: str = ""
    blocks: list[str] = field(default_factory=list)

    def walk(self, tree: Element | None, depth: int = 0) -> None:
        for item in tree if tree is not None and depth < DEEPEST else ():
            name = local_name(item)
            if name == "sp":
                self._shape(item)
            elif name == "graphicFrame":
                self._frame(item)
            elif name == "pic":
                self._picture(item)
            elif name == "AlternateContent":
                chosen = (
                    find_child(item, "Choice")
                    if find_child(item, "Choice") is not None
                    else find_child(item, "Fallback")
                )
                self.walk(chosen, depth + 1)
            elif name in {"grpSp", "Choice", "Fallback"}:
                self.walk(item, depth + 1)

    def _shape(self, item: Element) -> None:
        placeholder = find_child(item, "nvSpPr", "nvPr", "ph")
        kind = attribute(placeholder, "type") if placeholder is not None else "none"
        if kind in FURNITURE:
            return
        paragraphs = find_child(item, "txBody")
        if kind in TITLES and not self.title:
            self.title = " ".join(" ".join(self.lines(paragraphs, bulleted=False)).split())
            return
        lines = self.lines(paragraphs, bulleted=kind in BULLETED)
        for listed, group in groupby(lines, key=lambda line: line.lstrip().startswith("- ")):
            self.blocks.append(("\n" if listed else "\n\n").join(group))

    def lines(self, body: Element | None, *, bulleted: bool) -> Iterator[str]:
        """One line a paragraph, with its bullet."""
        for item in body if body is not None else ():
            if local_name(item) == "p" and (text := self._paragraph(item).strip()):
                yield _bullet(item, bulleted) + text

    def _paragraph(self, item: Element) -> str:
        parts = []
        for run in item:
            name = local_name(run)
            if name == "br":
                parts.append("\n")
            elif name in {"r", "fld"}:
                holder, target = find_child(run, "t"), find_child(run, "rPr", "hlinkClick")
                text = (holder.text or "") if holder is not None else ""
                parts.append(self._linked(f"^{text}" if _is_power(run, text) else text, target))
            elif name in {"m", "AlternateContent", "oMath", "oMathPara"}:
                written = " ".join(
                    formula_latex(find_child(run, "Choice") if find_child(run, "Choice") is not None else run).split()
                )
                parts.append(f"${written}$" if written else "")
        return "".join(parts)

    def _linked(self, text: str, target: Element | None) -> str:
        relation = self.relations.get(attribute(target, "id") or "") if target is not None else None
        return link(text, relation.target) if relation and relation.external else text

    def _frame(self, item: Element) -> None:
        holder = find_child(item, "graphic", "graphicData")
        for part in holder if holder is not None else ():
            name = local_name(part)
            if name == "tbl":
                self.blocks.append(pipe_table([self._row(row) for row in part if local_name(row) == "tr"]))
            elif name == "chart":
                self.blocks.append(chart_table(self._part(attribute(part, "id"))))
            elif name == "relIds":
                self._diagram(attribute(part, "dm"))

    def _row(self, row: Element) -> list[str]:
        """Cells; those swallowed by a merge stay empty, as their leftover text is not shown."""
        cells = [item for item in row if local_name(item) == "tc"]
        merged = [attribute(item, "hMerge") or attribute(item, "vMerge") for item in cells]
        texts = ["\n".join(self.lines(find_child(item, "txBody"), bulleted=False)) for item in cells]
        return ["" if gone in {"1", "true"} else text for text, gone in zip(texts, merged, strict=True)]

    def _diagram(self, key: str | None) -> None:
        root = self._part(key)
        points = [item for item in root.iter() if local_name(item) == "p"] if root is not None else []
        self.blocks.append("\n".join(f"- {text}" for item in points if (text := text_of(item))))

    def _picture(self, item: Element) -> None:
        facts = find_child(item, "nvPicPr", "cNvPr")
        description = " ".join((attribute(facts, "descr") or "").split()) if facts is not None else ""
        self.blocks.append(f"[Image: {description}]" if description else "")

    def _part(self, key: str | None) -> Element | None:
        relation = self.relations.get(key or "")
        return self.package.xml(relation.target) if relation and not relation.external else None


def _is_power(run: Element, text: str) -> bool:
    settings = find_child(run, "rPr")
    height = (attribute(settings, "baseline") or "") if settings is not None else ""
    return height.rstrip("%").isdecimal() and height != "0" and bool(RAISED.fullmatch(text))


def _bullet(paragraph: Element, bulleted: bool) -> str:
    settings = find_child(paragraph, "pPr")
    level = (attribute(settings, "lvl") or "0") if settings is not None else "0"
    marks = {local_name(item) for item in (settings if settings is not None else ())}
    shown = bool(marks & {"buChar", "buAutoNum", "buBlip"}) or (bulleted and "buNone" not in marks)
    return "    " * min(int(level) if level.isdigit() else 0, 8) + "- " if shown else ""
