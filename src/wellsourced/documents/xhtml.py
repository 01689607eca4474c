"""A book chapter's XHTML into markdown: headings, paragraphs, lists, tables, quotations, code and links.

Chapters are written to be read whole, so nothing is scored or left out except scripts, styles and hidden parts.
"""

from __future__ import annotations

import codecs
import re

from wellsourced.documents.xml import Element, local
from wellsourced.pages.html import styles
from wellsourced.pages.html.formula import written
from wellsourced.text.markdown_table import table

DEEPEST = 120
SKIPPED = frozenset({"script", "style", "head", "template", "noscript", "svg", "audio", "video", "rp", "nav"})
HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "dd",
        "div",
        "dl",
        "dt",
        "figcaption",
        "figure",
        "footer",
        "form",
        "header",
        "hr",
        "html",
        "li",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "ul",
        "center",
    ]
) | frozenset(HEADINGS)
MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`", "tt": "`"}
BREAK = "\ue000"
SOURCES = frozenset({"annotation", "annotation-xml"})
RAISED = re.compile(r"[-+\u2212]?\d{1,6}")


def blocks(data: bytes) -> list[str]:
    """The markdown blocks of a chapter, in order."""
    from lxml import etree, html  # type: ignore[import-untyped, unused-ignore]

    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        data = data.decode("utf-16", "replace").encode("utf-8", "replace").replace(b"utf-16", b"utf-8", 1)
    declared = re.search(rb"encoding=[\"']([\w-]{2,20})[\"']", data[:200])
    encoding = declared.group(1).decode("ascii") if declared else "utf-8"
    try:
        parser = html.HTMLParser(encoding=encoding, huge_tree=False, no_network=True, remove_comments=True)
    except LookupError:
        parser = html.HTMLParser(encoding="utf-8", huge_tree=False, no_network=True, remove_comments=True)
    try:
        root = html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return []
    return [block for block in _blocks_in(root, 0) if block.strip()]


def _blocks_in(element: Element, depth: int) -> list[str]:
    """Blocks inside an element; loose text between them becomes paragraphs of its own."""
    if depth > DEEPEST:
        return [" ".join("".join(str(part) for part in element.itertext()).split())]
    found: list[str] = []
    loose = [element.text or ""]
    for item in element:
        if local(item) in BLOCKS and not is_unseen(item):
            found += [_tidy("".join(loose)), *_block(item, depth + 1)]
            loose = []
        elif not is_unseen(item):
            loose.append(_inline_or_nested(item, found, loose, depth))
        loose.append(item.tail or "")
    return [*found, _tidy("".join(loose))]


def _inline_or_nested(item: Element, found: list[str], loose: list[str], depth: int) -> str:
    """Inline markup as text; inline elements that wrap blocks (a link around a heading) are opened up."""
    if not any(local(inner) in BLOCKS for inner in item.iter()):
        return _inline(item, depth + 1)
    found.append(_tidy("".join(loose)))
    loose.clear()
    found.extend(_blocks_in(item, depth + 1))
    return ""


def _block(item: Element, depth: int) -> list[str]:
    name = local(item)
    if name in HEADINGS:
        return [f"{HEADINGS[name]} {' '.join(_text(item, depth).split())}"] if _text(item, depth).strip() else []
    if name in {"ul", "ol"}:
        return ["\n".join(_list_lines(item, depth))]
    if name == "table":
        return [_text(part, depth) for part in item if local(part) == "caption"] + [_table(item, depth)]
    if name == "pre":
        return ["```\n" + "".join(str(part) for part in item.itertext()).strip("\n") + "\n```"]
    if name == "blockquote":
        inner = "\n\n".join(block for block in _blocks_in(item, depth) if block.strip())
        return ["\n".join(f"> {line}".rstrip() for line in inner.splitlines())]
    return ["---"] if name == "hr" else _blocks_in(item, depth)


def _list_lines(item: Element, depth: int) -> list[str]:
    lines: list[str] = []
    start = str(item.get("start") or "1")
    first = int(start) if start.isdecimal() and len(start) < 10 else 1
    for number, entry in enumerate((inner for inner in item if local(inner) == "li"), start=first):
        sign = f"{number}. " if local(item) == "ol" else "- "
        inner = [block for block in _blocks_in(entry, depth + 1) if block.strip()]
        rows = "\n".join(inner).splitlines() or [""]
        lines.append(sign + rows[0])
        lines += [" " * len(sign) + row for row in rows[1:]]
    return lines


def _table(item: Element, depth: int) -> str:
    rows = [inner for inner in item.iter() if local(inner) == "tr" and next(inner.iterancestors("table")) is item]
    return table([[_text(cell, depth) for cell in row if local(cell) in {"td", "th"}] for row in rows])


def _text(item: Element, depth: int) -> str:
    return _tidy(_inner(item, depth))


def _inner(item: Element, depth: int) -> str:
    if depth > DEEPEST:
        return "".join(str(part) for part in item.itertext())
    parts = [item.text or ""]
    for inner in item:
        if not is_unseen(inner):
            parts.append(_inline(inner, depth + 1))
        parts.append(inner.tail or "")
    return "".join(parts)


def _inline(item: Element, depth: int) -> str:
    name = local(item)
    if name == "br":
        return BREAK
    if name == "img":
        return str(item.get("alt") or "")
    if name == "rt":
        return f"({_inner(item, depth)})"
    if name == "math":
        return _formula(item, depth)
    inner = _inner(item, depth)
    if name in BLOCKS or name == "tr":
        return f"{BREAK}{inner}{BREAK}"
    if name in {"td", "th"}:
        return f"{inner} "
    if name == "sup" and RAISED.fullmatch(inner.strip()):
        return f"[{inner.strip()}]" if _is_note_mark(item) else f"^{inner.strip()}"
    if name == "a" and str(item.get("href") or "").startswith(("http://", "https://")) and inner.strip():
        return f"[{inner.strip()}]({str(item.get('href')).replace(' ', '%20').replace(')', '%29')})"
    mark = MARKS.get(name)
    return f"{mark}{inner}{mark}" if mark and inner.strip() and inner == inner.strip() else inner


def _formula(item: Element, depth: int) -> str:
    inner = [part for part in item if isinstance(part.tag, str) and local(part) not in SOURCES]
    if not inner or depth > DEEPEST:
        return " ".join("".join(str(part) for part in item.itertext()).split())
    return written(local(item), [_formula(part, depth + 1) for part in inner])


def _is_note_mark(item: Element) -> bool:
    """10 to the 5 is not 105; but a raised number that leads somewhere is the mark of a note."""
    return any(local(part) == "a" for part in (item.getparent(), *item.iter()))


def is_unseen(item: Element) -> bool:
    """Whether a reader sees nothing of it: a comment, a script, or something hidden."""
    if not isinstance(item.tag, str) or local(item) in SKIPPED:
        return True
    style = item.get("style")
    return item.get("hidden") is not None or (bool(style) and styles.hides(styles.declarations(str(style))))


def _tidy(text: str) -> str:
    """Blanks collapsed; line breaks kept where the author put them with <br>."""
    lines = (" ".join(line.split()) for line in text.split(BREAK))
    return "\n".join(lines).strip()
