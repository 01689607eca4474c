"""What the styles share: endings, dates, page ranges, and what kind of work a reference is."""

from __future__ import annotations

import re
from collections.abc import Iterable

from wellsourced.citations.person_names import initials
from wellsourced.citations.reference import Name, Reference
from wellsourced.text.identifiers import doi_url
from wellsourced.text.partial_dates import PartialDate

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
SHORT_MONTHS = ("Jan.", "Feb.", "Mar.", "Apr.", "May", "June", "July", "Aug.", "Sept.", "Oct.", "Nov.", "Dec.")
# Full stops, question and exclamation marks of several scripts.
ENDINGS = (".", "?", "!", "…", "。", "？", "！", "।", "۔", "؟")
RANGE = re.compile(r"([0-9]+)–([0-9]+)")


def end_sentence(text: str) -> str:
    """With a full stop, unless it ends already; a closing quotation mark does not hide the end."""
    bare = text.rstrip("”’\"'")
    return text if text.endswith(ENDINGS) or (bare.endswith(("?", "!", ".")) and bare != text) else f"{text}."


def quote_title(title: str, end: str = ".") -> str:
    """In quotation marks with the end inside them; quotation marks of its own become single."""
    inner = title.replace('"', "'").replace("“", "‘").replace("”", "’")
    return f'"{inner}"' if title.endswith(ENDINGS) else f'"{inner}{end}"'


def join_sentences(parts: Iterable[str | None]) -> str:
    return " ".join(end_sentence(part) for part in parts if part)


def is_part_of_work(reference: Reference) -> bool:
    """Whether the work appeared inside another one that is named."""
    return bool(reference.container) and reference.type not in {"book", "thesis", "report", "standard"}


def best_link(reference: Reference) -> str | None:
    """Where the work is found: its DOI before anything else."""
    if reference.doi:
        return doi_url(reference.doi)
    if reference.url:
        return reference.url
    return f"https://arxiv.org/abs/{reference.arxiv}" if reference.arxiv else None


def year_with_era(year: int) -> str:
    return str(year) if year > 0 else f"{-year} B.C.E."


def format_long_date(date: PartialDate, *, year: bool = True) -> str:
    """`May 3, 2024`, as far as it is known."""
    month = MONTHS[date.month - 1] if date.month else ""
    day = f" {date.day}" if date.day else ""
    if not year:
        return f"{month}{day}"
    return f"{month}{day}, {year_with_era(date.year)}" if day else f"{month} {year_with_era(date.year)}".strip()


def format_day_first(date: PartialDate) -> str:
    """`3 May 2024`, with MLA's abbreviations."""
    month = SHORT_MONTHS[date.month - 1] if date.month else ""
    return " ".join(part for part in (str(date.day or ""), month, year_with_era(date.year)) if part)


def family_first(name: Name, *, short: bool) -> str:
    """`van Gogh, Vincent` or `van Gogh, V.`; a literal is never turned round."""
    if name.literal:
        return name.literal
    given = initials(name.given) if short else name.given
    return ", ".join(part for part in (name.surname, given, name.suffix) if part)


def given_first(name: Name, *, short: bool = False) -> str:
    if name.literal:
        return name.literal
    given = initials(name.given) if short else name.given
    front = " ".join(part for part in (given, name.surname) if part)
    return f"{front}{',' if name.suffix and short else ''} {name.suffix}".strip()


def join_names(names: list[str], last: str) -> str:
    """`A, B, and C`; two are joined without a comma."""
    if len(names) < 3:
        return f" {last} ".join(names)
    return f"{', '.join(names[:-1])}, {last} {names[-1]}"


def ordinal_edition(edition: str) -> str:
    """`2` is `2nd`; words stay as they are, without a trailing `edition`."""
    text = re.sub(r"\s*(?:edition|edn\.?|ed\.?)\s*\Z", "", edition, flags=re.IGNORECASE)
    if not text.isascii() or not text.isdigit():
        return text
    ending = "th" if text[-2:] in {"11", "12", "13"} else {"1": "st", "2": "nd", "3": "rd"}.get(text[-1], "th")
    return f"{text}{ending}"


def is_range(pages: str) -> bool:
    return "–" in pages or "," in pages


def shorten_pages_chicago(pages: str) -> str:
    """The second number shortened as the Chicago Manual (9.61) shortens it."""
    return RANGE.sub(lambda match: f"{match[1]}–{_chicago(match[1], match[2])}", pages)


def _chicago(first: str, last: str) -> str:
    last = first[: len(first) - len(last)] + last if len(last) < len(first) else last
    if len(first) != len(last) or int(first) < 100 or int(first) % 100 == 0:
        return last
    shared = next((i for i, (a, b) in enumerate(zip(first, last, strict=True)) if a != b), len(first))
    if len(first) - shared > 2 and (len(first) != 4 or shared > 1):
        return last[shared:] if len(first) - shared < 4 else last
    if len(first) == 4 and shared <= 1:
        return last
    tail = last[-2:] if first[-2] != "0" else last[shared:]
    return tail.lstrip("0") or tail


def shorten_pages_vancouver(pages: str) -> str:
    """The second number without the digits that both begin with, as Vancouver has it, with a hyphen."""
    return RANGE.sub(_shortened, pages).replace("–", "-")


def _shortened(match: re.Match[str]) -> str:
    first, last = match[1], match[2]
    if len(first) != len(last) or first == last:
        return match[0]
    shared = next(i for i, (a, b) in enumerate(zip(first, last, strict=True)) if a != b)
    return f"{first}–{last[shared:]}"
