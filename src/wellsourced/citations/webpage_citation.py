"""The citation of a web page that was read: what its metadata says, in three styles."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from wellsourced.citations.formats.extra_fields import page_range
from wellsourced.citations.parse.authors import EASTERN
from wellsourced.citations.person_names import parse_person_name
from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles import apa, bibtex, keys, mla
from wellsourced.late_pattern import late_pattern
from wellsourced.text.identifiers import normalise_doi
from wellsourced.text.partial_dates import PartialDate, parse_partial_date
from wellsourced.text.plain_text import strip_markup
from wellsourced.tool.sources import FoundSource

BYLINE = late_pattern(r"\A\s*(?:by|von|par|por|di|door|av|af|от)\s+(?=[^\W\d_]*[A-ZÀ-ÞА-Я])", re.IGNORECASE)
BETWEEN = late_pattern(r"(?<!\s)\s+(?:(?:and|und|et)\s+(?=[^\s]+\s)|&\s+)")
EASTERN_COMMAS = str.maketrans("、，", ",,")
# Pages put whole biographies into their author tag.
LONGEST_AUTHOR = 2_000
ARTICLES = frozenset({"academic"})
REPORTER = late_pattern(r"(?P<volume>\d{1,4}) (?P<name>[A-Z][\w.' ]{0,40}?) (?P<page>\d{1,5})")


def cite_page(
    url: str, title: str = "", author: str = "", site: str = "", date: str = "", accessed: date | None = None
) -> dict[str, str]:
    """`{apa, mla, bibtex}`; parts that are not known are left out, and nothing is dated that was not."""
    seen = PartialDate(accessed.year, accessed.month, accessed.day) if accessed else None
    reference = page_reference(url, title, author, site, date, accessed=seen)
    return {"apa": apa.format_entry(reference), "mla": mla.format_entry(reference), "bibtex": _bibtex(reference)}


def page_reference(
    url: str, title: str = "", author: str = "", site: str = "", date: str = "", doi: str = "", *,
    accessed: PartialDate | None = None,
) -> Reference:  # fmt: skip
    """With a DOI the page is taken for that of an article."""
    when, normal = parse_partial_date(date), normalise_doi(doi)
    return Reference(
        type="article-journal" if normal else "webpage", doi=normal or None, title=strip_markup(title) or None,
        authors=split_authors(author), container=strip_markup(site) or None,
        year=when.year if when else None, date=when, url=url or None, accessed=accessed,
    )  # fmt: skip


def split_authors(text: str) -> tuple[Name, ...]:
    """`Jane Doe and John Roe`, `Doe, Jane; Roe, John`, `Jane Doe, John Roe`, or an organisation."""
    if not text:
        return ()
    cleaned = BYLINE.sub("", strip_markup(text[:LONGEST_AUTHOR]))
    names = (
        parse_person_name(part) for one in cleaned.split(";") for chunk in _chunks(one) for part in _by_commas(chunk)
    )
    return tuple(dict.fromkeys(name for name in names if name.display))


def _chunks(text: str) -> list[str]:
    """`Johnson & Johnson` and `Food and Drug Administration` stay whole: both sides must look like people."""
    parts = [part for part in BETWEEN.split(text) if part]
    return [text] if any(_is_organisation(part) for part in parts) else parts


def _is_organisation(part: str) -> bool:
    pieces = [piece for piece in part.split(",") if piece.strip()]
    return (
        any(bool(parse_person_name(piece).literal) or len(piece.split()) < 2 for piece in pieces) and len(pieces) != 2
    )


def _by_commas(chunk: str) -> list[str]:
    parts = [part.strip() for part in chunk.translate(EASTERN_COMMAS).split(",")]
    are_whole = all(len(part.split()) > 1 for part in parts) or all(EASTERN.fullmatch(part) for part in parts)
    return parts if len(parts) > 1 and are_whole else [chunk]


def _bibtex(reference: Reference) -> str:
    fields = [
        ("author", bibtex.format_names(reference.authors, False)),
        ("title", bibtex.escape_text(reference.title or "")),
        ("howpublished", bibtex.escape_text(reference.container or "")),
        ("year", str(reference.year) if reference.year is not None else ""),
        ("url", (reference.url or "").translate(bibtex.LITERAL_ESCAPES)),
        ("urldate", reference.accessed.iso if reference.accessed else ""),
    ]
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields if value)
    return f"@misc{{{keys.make_key(reference)},\n{lines}}}"


def reference_from_source(source: FoundSource) -> Reference:
    """What was recorded of a source; a page keeps the address at which it was found."""
    work, cited = source.work, REPORTER.fullmatch(source.work.reporter or "")
    site = work.container or work.site or ""
    reference = page_reference(source.url, source.title, source.author or "", site, source.date or "", source.doi or "")
    usual = "article-journal" if source.type in ARTICLES else reference.type
    extra = {"authority": work.court, "number": work.number}
    return replace(
        reference,
        type=work.kind or usual,
        container=cited["name"] if cited else reference.container,
        publisher=work.publisher,
        volume=cited["volume"] if cited else work.volume,
        issue=work.issue,
        pages=cited["page"] if cited else page_range(work.pages or "") or None,
        isbn=work.isbn,
        extra={name: value for name, value in extra.items() if value},
    )
