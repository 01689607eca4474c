"""A patent's page on Google Patents in its parts: abstract, claims, description, family, status, citations both ways.

Facts stand in `itemprop` attributes. Checked on a recorded page, 2026-11-17.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from wellsourced.documents.document import Document, DocumentFormat, ReadOptions, Unreadable
from wellsourced.documents.markdown_output import MarkdownOutput
from wellsourced.documents.timestamps import parse_timestamp
from wellsourced.late_pattern import late_pattern

if TYPE_CHECKING:
    from turbohtml import Document as Markup
    from turbohtml import Element

REACH = 2_000_000
MOST_ROWS = 200
DESCRIPTION_PARTS = "heading, .description-paragraph, .description-line, p, li"
LANGUAGE = late_pattern(r" \( [a-z]{2} \)")
FACTS = (
    ("Status", "legalStatusIfi [itemprop=status]"), ("Inventors", "dd[itemprop=inventor]"),
    ("Original assignee", "dd[itemprop=assigneeOriginal]"), ("Current assignee", "dd[itemprop=assigneeCurrent]"),
    ("Priority date", "time[itemprop=priorityDate]"), ("Filed", "time[itemprop=filingDate]"),
    ("Published", "time[itemprop=publicationDate]"), ("Expires", "time[itemprop=expiration]"),
)  # fmt: skip
LISTS = (
    ("Patent citations", ("backwardReferences", "backwardReferencesOrig", "backwardReferencesFamily")),
    ("Cited by", ("forwardReferences", "forwardReferencesOrig", "forwardReferencesFamily")),
    ("Family", ("docdbFamily", "applicationsByYear", "parentApps", "childApps")),
    ("Similar documents", ("similarDocuments",)),
    ("Legal events", ("legalEvents",)),
)


def is_patent_page(body: bytes) -> bool:
    start = body[:REACH]
    return (
        b'itemprop="publicationNumber"' in start and b'itemprop="claims"' in start and b"<html" in start[:3000].lower()
    )


FORMAT = DocumentFormat(kind="patent_page", is_page=True, matches_bytes=is_patent_page)


def read(body: bytes, options: ReadOptions) -> Document:
    from wellsourced.pages.html import dom

    page = dom.parse(body.decode("utf-8", "replace"))
    number, title = _text(page, "[itemprop=publicationNumber]"), _text(page, "[itemprop=title]")
    if not number:
        raise Unreadable("The page names no patent.")
    output = MarkdownOutput(options.max_chars)
    output.add(f"# {title or number} ({number})")
    output.add("\n".join(_facts(page)))
    output.add(_part("Abstract", _paragraphs(page, "section[itemprop=abstract] [itemprop=content]")))
    for block in _claims(page):
        output.add(block)
    for block in _description(page):
        output.add(block)
    for heading, names in LISTS:
        output.add(_part(heading, _rows(page, names)))
    date = page.select_one("time[itemprop=publicationDate]")
    return Document(
        text=output.text,
        content_type="patent",
        title=f"{title} ({number})" if title else number,
        author="; ".join(_all(page, "dd[itemprop=inventor]")) or None,
        date=parse_timestamp(date.attr("datetime")) if date else None,
        truncated=output.truncated,
    )


def _part(heading: str, body: str) -> str:
    return f"## {heading}\n\n{body}" if body else ""


def _text(page: Markup | Element, selector: str) -> str:
    node = page.select_one(selector)
    return " ".join(node.text.split()) if node else ""


def _all(page: Markup, selector: str) -> list[str]:
    return list(dict.fromkeys(text for node in page.select(selector) if (text := " ".join(node.text.split()))))


def _facts(page: Markup) -> Iterator[str]:
    for name, selector in FACTS:
        wanted = f"[itemprop={selector}" if selector.startswith("legalStatusIfi") else selector
        values = _all(page, wanted.replace("legalStatusIfi ", "legalStatusIfi] "))
        shown = values if name in {"Inventors", "Original assignee", "Current assignee"} else values[:1]
        if shown:
            yield f"- {name}: {'; '.join(shown)}"
    if any(True for _ in page.select("[itemprop=legalStatusIfi]")):
        yield "- The status is an assumption of Google's, not a legal conclusion."


def _paragraphs(page: Markup, selector: str) -> str:
    return "\n\n".join(_all(page, selector))


def _claims(page: Markup) -> Iterator[str]:
    """One paragraph a claim, which begins with its number."""
    claims = page.select("section[itemprop=claims] .claim[num]")
    texts = [" ".join(node.text.split()).replace(" . ", ". ") for node in claims]
    if texts:
        yield f"## Claims ({len(texts)})"
    for count, text in enumerate(dict.fromkeys(texts), start=1):
        yield text if text.startswith(f"{count}") else f"{count}. {text}"


def _description(page: Markup) -> Iterator[str]:
    section = page.select_one("section[itemprop=description] [itemprop=content]")
    if section is None:
        return
    yield "## Description"
    for node in section.select(DESCRIPTION_PARTS):
        # Asked first: the text of what holds others would be read once for each of them.
        if node.select_one(DESCRIPTION_PARTS) is None and (text := " ".join(node.text.split())):
            yield f"### {text}" if node.tag == "heading" else text


def _rows(page: Markup, names: tuple[str, ...]) -> str:
    """Numbers with date, owner and title, one a line; the same document is listed once."""
    lines: dict[str, None] = {}
    for name in names:
        for row in page.select(f"tr[itemprop={name}]"):
            cells = (" ".join(cell.text.split()) for cell in row.select("td"))
            lines.setdefault("- " + " | ".join(LANGUAGE.sub("", cell.removesuffix(" *")) for cell in cells if cell))
    shown = list(lines)[:MOST_ROWS]
    more = [f"({len(lines) - MOST_ROWS} more)"] if len(lines) > MOST_ROWS else []
    return "\n".join([*shown, *more])
