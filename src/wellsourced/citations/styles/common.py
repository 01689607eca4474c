"""What the styles share: endings, dates, page ranges, and what kind of work a reference is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from wellsourced.citations.formats.csl_json import names_from_text
from wellsourced.citations.reference import Name, Reference
from wellsourced.citations.styles.title_case import title_case
from wellsourced.late_pattern import late_pattern
from wellsourced.text.identifiers import doi_url
from wellsourced.text.partial_dates import PartialDate

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
SHORT_MONTHS = ("Jan.", "Feb.", "Mar.", "Apr.", "May", "June", "July", "Aug.", "Sept.", "Oct.", "Nov.", "Dec.")
# Full stops, question and exclamation marks of several scripts.
ENDINGS = (".", "?", "!", ":", "…", "。", "？", "！", "।", "۔", "؟")
CLOSING_QUOTES = "”’\"'"
RANGE = late_pattern(
    r"(?<![^\W_])(?P<prefix>[A-Za-z]{0,3})(?P<first>[0-9]{1,20})[–-](?P<again>[A-Za-z]{0,3})(?P<last>[0-9]{1,20})(?![^\W_]|\.\w)"
)
# `28S–30S`, `734–744.e3`: no numbers, and so no range.
NO_RANGE = late_pattern(r"(?<![^\W_])(?=[\w.]{1,20}–[\w.]{0,20}(?:[0-9][A-Za-z]|[0-9]\.\w))([\w.]{1,20})–")
# What CSL calls numeric, and gives a label: `12`, `S3`, `3–4`, but not `23 Suppl 1`.
NUMERIC = late_pattern(r"[^\W\d_]{0,9}[0-9]{1,9}[^\W\d_]{0,9}(?:\s?[–&,-]\s?[^\W\d_]{0,9}[0-9]{1,9}[^\W\d_]{0,9}){0,9}")
SINGLE_QUOTED = late_pattern(r"(?<!\w)['‘](\S[^'‘’]{0,300}?)['’](?!\w)")
STRAIGHT_QUOTED = late_pattern(r"(?<!\w)'(\S[^'‘’]{0,300}?)'(?!\w)")
DOUBLE_NUMBER = late_pattern(r"(?<=[0-9])-(?=[0-9])")
PAGE_LABEL = late_pattern(r"\Ap{1,2}\.\s*(?=[0-9])")
ROMAN_RANGE = late_pattern(r"(?<=[ivxlc])-(?=[ivxlc]{1,9}\Z)")
NUMBERED_EDITION = late_pattern(r"[0-9]{1,4}[^\W\d_]{1,9}")
# `203–`: the end is not known.
OPEN_RANGE = late_pattern(r"[–-]\s*\Z")


def end_sentence(text: str) -> str:
    """With a full stop, unless it ends already; the stop stands inside closing quotation marks."""
    bare = text.rstrip(CLOSING_QUOTES if SINGLE_QUOTED.search(text) else '”"')
    if text.endswith(ENDINGS) or (bare != text and bare.endswith(ENDINGS)):
        return text
    return f"{bare}.{text[len(bare) :]}" if bare else f"{text}."


def quote_title(title: str, end: str = ".") -> str:
    """In quotation marks with the end inside them; quotation marks of its own become single."""
    inner = title.replace('"', "'").replace("“", "‘").replace("”", "’")
    if end == ",":
        bare = inner.rstrip(CLOSING_QUOTES) or inner
        return f'"{bare},{inner[len(bare) :]}"'
    return f'"{end_sentence(inner)}"'


def join_sentences(parts: Iterable[str | None]) -> str:
    return " ".join(end_sentence(part) for part in parts if part)


def is_part_of_work(reference: Reference) -> bool:
    """Whether the work appeared inside another one that is named; a book may name itself once more."""
    is_other = reference.container != reference.title if reference.type == "book" else True
    return bool(reference.container) and is_other and reference.type not in {"thesis", "report", "standard"}


def best_link(reference: Reference) -> str | None:
    """Where the work is found: its DOI before anything else."""
    if reference.doi:
        return doi_url(reference.doi)
    if reference.url:
        return reference.url
    return f"https://arxiv.org/abs/{reference.arxiv}" if reference.arxiv else None


def year_with_era(year: int, era: str = "BC") -> str:
    return str(year) if year > 0 else f"{-year} {era}"


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


def ordinal_edition(edition: str) -> str:
    """`2` is `2nd`; words stay as they are, without a trailing `edition`."""
    text = re.sub(r"(?:(?<!\s)\s+)?\b(?:edition|edn\.?|ed\.?)\s*\Z", "", edition, flags=re.IGNORECASE)
    if not text.isascii() or not text.isdigit():
        return text
    ending = "th" if text[-2:] in {"11", "12", "13"} else {"1": "st", "2": "nd", "3": "rd"}.get(text[-1], "th")
    return f"{text}{ending}"


def is_range(pages: str) -> bool:
    is_numbered = ":" not in pages and any(character.isdigit() for character in pages)
    return "–" in pages or (is_numbered and any(mark in pages for mark in "-,&"))


def page_label(pages: str) -> str:
    """`p. 7` or `pp. 7–9`."""
    return f"{'pp.' if is_range(pages) else 'p.'} {pages}"


def whole_pages(pages: str | None) -> str:
    """Second numbers in full: `1204–22` is `1204–1222`, as far as it is known."""
    return _each_range(pages, _unchanged)


def shorten_pages_chicago(pages: str | None) -> str:
    """The second number shortened as the Chicago Manual (9.63) shortens it."""
    return _each_range(pages, _chicago)


def shorten_pages_mla(pages: str | None) -> str:
    """The second number with its last two digits, and the others where they change."""
    return _each_range(pages, lambda first, last: _from_change(first, last, 2))


def shorten_pages_vancouver(pages: str | None) -> str:
    """The second number without the digits that both begin with."""
    return _each_range(pages, lambda first, last: _from_change(first, last, 1))


def _each_range(pages: str | None, shorten: Callable[[str, str], str]) -> str:
    def write(match: re.Match[str]) -> str:
        prefix, first, last = match["prefix"], match["first"], match["last"]
        last = first[: len(first) - len(last)] + last if len(last) < len(first) else last
        short = shorten(first, last)
        if first == last:
            return f"{prefix}{first}–{match['again']}{last}"
        # A letter in front of both is said once where numbers are shortened.
        again = "" if match["again"] == prefix and shorten is not _unchanged else match["again"]
        return f"{prefix}{first}–{again}{short if again == '' else last}"

    return hyphenate(RANGE.sub(write, OPEN_RANGE.sub("", pages or "")))


def hyphenate(pages: str) -> str:
    """With a hyphen between what are not plain numbers."""
    if ":" in pages:
        return pages.replace("–", "-")
    return NO_RANGE.sub(r"\1-", pages)


def _unchanged(_: str, last: str) -> str:
    return last


def _chicago(first: str, last: str) -> str:
    if len(first) != len(last) or int(first) < 100 or int(first) % 100 == 0:
        return last
    if first[-2] == "0" and first[:-2] == last[:-2]:
        return last[-2:].lstrip("0")
    return _from_change(first, last, 2)


def _from_change(first: str, last: str, least: int) -> str:
    """`last` from the first digit that changes on, with at least so many digits."""
    if len(first) != len(last):
        return last
    shared = next((i for i, (a, b) in enumerate(zip(first, last, strict=True)) if a != b), 0)
    return last[min(shared, max(0, len(last) - least)) :]


def numbered_edition(reference: Reference) -> str | None:
    """`2nd ed.`; an edition in words stands as it was given."""
    if not reference.edition:
        return None
    text = ordinal_edition(reference.edition)
    return f"{text} ed." if NUMBERED_EDITION.fullmatch(text) else reference.edition


def journal_name(reference: Reference) -> str:
    """The short name where the record gives one."""
    return reference.extra.get("container-title-short") or reference.container or ""


def name_case(reference: Reference) -> str:
    """What the work is in, with capitals; the name of a journal or a site has them unless the work itself is said to
    be in another language, while a book's title is looked at."""
    is_named = reference.type.startswith("article-") or reference.type == "webpage"
    return title_case(reference.container or "", reference.language or ("en" if is_named else None))


def issue_number(reference: Reference) -> str:
    return (reference.issue or "").rstrip(",")


def plain_pages(pages: str | None) -> str | None:
    """Without a label of their own, and Roman numbers with an en dash."""
    return ROMAN_RANGE.sub("–", PAGE_LABEL.sub("", pages)) if pages else pages


def is_numeric(text: str) -> bool:
    return NUMERIC.fullmatch(text) is not None


def double_quotes(title: str) -> str:
    """Quotation marks of a title that itself stands in none; those that were set with care stay."""
    return STRAIGHT_QUOTED.sub(r"“\1”", title)


def genre_of(reference: Reference) -> str:
    """What an article or a page calls itself: `Review article`."""
    genre = reference.extra.get("genre", "") if reference.type in {"article-journal", "webpage"} else ""
    return genre[:1].upper() + genre[1:]


def labelled_volume(reference: Reference, label: str) -> str:
    """`vol. 3`; what is no number stands without a label."""
    volume = reference.volume or ""
    return f"{label} {volume}" if is_numeric(volume) else volume


def volume_count(reference: Reference) -> str:
    """How many volumes a book has that is cited as a whole."""
    count = reference.extra.get("number-of-volumes", "") if reference.type == "book" and not reference.volume else ""
    return count if count.isdigit() else ""


def translators(reference: Reference) -> tuple[Name, ...]:
    return names_from_text(reference.extra.get("translator", ""))


def undated_words(reference: Reference) -> str:
    """What stands for the date of a work without one: `in press`."""
    return reference.extra.get("issued", "") if reference.year is None else ""


def series_of(reference: Reference) -> str:
    """The series a book belongs to, with its number in it."""
    parts = (reference.extra.get("collection-title"), reference.extra.get("collection-number"))
    return " ".join(part for part in parts if part) if parts[0] else ""
