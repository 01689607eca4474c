"""Members of a foreign JSON object, read whatever their type: one of another type is as good as absent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from wellsourced.errors import UpstreamChanged
from wellsourced.text.plain_text import plain

T = TypeVar("T")

EARLIEST_YEAR, LATEST_YEAR = 1000, 2200
LONGEST_COUNT = 18


def words(value: Any) -> str:
    """Text without markup on one line, or ""."""
    return plain(value) if isinstance(value, str) else ""


def first_words(value: Any) -> str:
    """The text itself, or the first of a list of texts."""
    values = value if isinstance(value, list) else [value]
    return next((text for item in values if (text := words(item))), "")


def number_or_words(value: Any) -> str | None:
    """A volume, an issue or an id: services send them as numbers and as text."""
    return str(value) if type(value) is int else words(value) or None


def whole(value: Any) -> int | None:
    """A count, as a number or as text; truth values and negative numbers are none."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= LONGEST_COUNT:
        return int(value)
    return value if type(value) is int and value >= 0 else None


def positive(value: Any) -> int | None:
    """A size; 0 says that it is not known."""
    return value if type(value) is int and value > 0 else None


def truth(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def year(value: Any) -> int | None:
    """A year as a number or as the first four digits of a date."""
    if isinstance(value, str) and value[:4].isascii() and value[:4].isdigit():
        value = int(value[:4])
    return value if type(value) is int and EARLIEST_YEAR <= value <= LATEST_YEAR else None


def web_address(value: Any) -> str | None:
    text = value.strip() if isinstance(value, str) else ""
    return text if text.startswith(("https://", "http://")) and not any(c.isspace() for c in text) else None


def members(value: Any) -> Mapping[str, Any]:
    """An object, or an empty one."""
    return value if isinstance(value, dict) else {}


def readable(rows: Iterable[Any], read: Callable[[Any], T]) -> list[T]:
    """What can be read of a list: a row that is not as it should be costs that row, and the answer if all are so."""
    found: list[T] = []
    problem: Exception | None = None
    for row in rows:
        try:
            found.append(read(row))
        except (KeyError, TypeError, AttributeError, UpstreamChanged) as error:
            problem = problem or error
    if problem and not found:
        raise problem
    return found


def objects(value: Any) -> Iterator[Mapping[str, Any]]:
    """The objects of a list; anything else in it is passed over."""
    return (item for item in (value if isinstance(value, list) else ()) if isinstance(item, dict))
