"""Fields of JSON that upstreams send, read whatever their type: a value of an unexpected type counts as absent.

Services change their types without notice; a title that is suddenly a number must not cost the whole answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from wellsourced.errors import UpstreamChanged
from wellsourced.text.dates import ENGLISH_MONTHS
from wellsourced.text.partial_dates import build_partial_date
from wellsourced.text.plain_text import strip_markup

T = TypeVar("T")

EARLIEST_YEAR, LATEST_YEAR = 1000, 2200  # years outside are errors of the service
LONGEST_COUNT = 18  # digits; longer texts are no counts
ISO_START = re.compile(r"([0-9]{4})(?:[-/]([0-9]{1,2})(?:[-/]([0-9]{1,2}))?)?(?![0-9])")
YEAR_AND_MONTH = re.compile(r"\b([12][0-9]{3})\s{1,3}([A-Z][a-z]{2})[a-z]{0,6}(?:\s{1,3}([0-9]{1,2}))?(?![0-9])")


def as_text(value: Any) -> str:
    """Text without markup on one line, or ""."""
    return strip_markup(value) if isinstance(value, str) else ""


def first_text(value: Any) -> str:
    """The text itself, or the first of a list of texts."""
    values = value if isinstance(value, list) else [value]
    return next((text for item in values if (text := as_text(item))), "")


def number_or_text(value: Any) -> str | None:
    """A volume, an issue or an id: services send them as numbers and as text."""
    return str(value) if type(value) is int else as_text(value) or None


def as_count(value: Any) -> int | None:
    """A count, as a number or as text; truth values and negative numbers are none."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= LONGEST_COUNT:
        return int(value)
    return value if type(value) is int and value >= 0 else None


def as_size(value: Any) -> int | None:
    """A size; 0 says that it is not known."""
    return value if type(value) is int and value > 0 else None


def as_boolean(value: Any) -> bool | None:
    """True and False; anything else, numbers and texts too, says nothing."""
    return value if isinstance(value, bool) else None


def as_year(value: Any) -> int | None:
    """A year as a number or as the first four digits of a date."""
    if isinstance(value, str) and value[:4].isascii() and value[:4].isdigit():
        value = int(value[:4])
    return value if type(value) is int and EARLIEST_YEAR <= value <= LATEST_YEAR else None


def as_web_address(value: Any) -> str | None:
    """An address that a person typed or a registry keeps: trimmed, and None where it has blanks inside."""
    text = value.strip() if isinstance(value, str) else ""
    return text if text.startswith(("https://", "http://")) and not any(c.isspace() for c in text) else None


def as_object(value: Any) -> Mapping[str, Any]:
    """An object, or an empty one."""
    return value if isinstance(value, dict) else {}


def texts_in(value: Any) -> list[str]:
    """The texts of a list, or the one text, without empty ones."""
    return [text for item in (value if isinstance(value, list) else [value]) if (text := as_text(item))]


def parse_rows(rows: Iterable[Any], parse: Callable[[Any], T]) -> list[T]:
    """Parse each row: one that is not as expected is left out, and raises only if all are so."""
    parsed: list[T] = []
    problem: Exception | None = None
    for row in rows:
        try:
            parsed.append(parse(row))
        except (KeyError, TypeError, AttributeError, UpstreamChanged) as error:
            problem = problem or error
    if problem and not parsed:
        raise problem
    return parsed


def objects_in(value: Any) -> Iterator[Mapping[str, Any]]:
    """The objects in a list; anything else in it is passed over."""
    return (item for item in (value if isinstance(value, list) else ()) if isinstance(item, dict))


def iso_from_date_parts(value: Any) -> str | None:
    """`{"date-parts": [[2010, 2, 6]]}`, as Crossref and CSL have it; numbers may be texts, and all may be null."""
    parts = value.get("date-parts") if isinstance(value, dict) else None
    first = parts[0] if isinstance(parts, list) and parts else None
    return partial_iso(*first[:3]) if isinstance(first, list) and first else None


def iso_from_text(value: Any) -> str | None:
    """`2014-02-18`, `2014/02/18 00:00`, `2014-02`, `2014`."""
    match = ISO_START.match(value) if isinstance(value, str) else None
    return partial_iso(*match.groups()) if match else None


def iso_from_citation(text: str) -> str | None:
    """The date inside `Lancet. 2010 Feb 6;375(9713):445`."""
    match = YEAR_AND_MONTH.search(text[:1000])
    return partial_iso(*match.groups()) if match else None


def partial_iso(year: Any = None, month: Any = None, day: Any = None) -> str | None:
    """As much of the date as makes sense; months may be named in English."""
    digits = str(year)
    when = as_year(digits) if len(digits) == 4 else None
    if when is None:
        return None
    partial = build_partial_date(when, _english_month(month), str(day))
    return partial.iso if partial else None


def _english_month(value: Any) -> int | None:
    text = str(value)
    if text[:3].lower() in ENGLISH_MONTHS:
        return ENGLISH_MONTHS.index(text[:3].lower()) + 1
    return int(text) if text.isdecimal() and len(text) <= 2 and 1 <= int(text) <= 12 else None
