"""The figures of a text, read with their unit, scale and comparison, so that two texts can be compared by them.

Read are numbers in digits and the small number words, scales ("Mio.", "billion", 「万」), percentages and percentage
points, currencies as they are written (never converted), common units (converted within their dimension), years, ranges
and the words of comparison before a figure ("about", "at least", "not more than"). Units and comparisons are those of
English, German, French, Spanish, Italian, Portuguese and Dutch.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

from wellsourced.data.unit_words import COMPARISON, CURRENCIES, UNITS, any_of
from wellsourced.evidence.number_words import number_words, read_number
from wellsourced.evidence.quantities import LETTERS, MIXED, SCALE_WORDS
from wellsourced.late_pattern import late_pattern
from wellsourced.text.dates import MONTHS
from wellsourced.text.terms import term_keys

YEARS = range(1000, 2101)
DAYS = range(1, 32)
DECADE = 9  # years until its last
# Two writings of one quantity: what is lost by converting and by rounding.
CONVERTED = 0.03
ABOUT = 0.1
FARTHEST_FROM_BOUND = 2
MOST_FIGURES = 60
LONGEST_TEXT = 4000

_SPACE = r"[ \u00a0\u2009\u202f]"
# It begins with a digit, and what must not stand before is looked at behind that: so its places are found fast.
_NUMBER = rf"\d(?<![\w.,]\d)(?:\d{{0,2}}(?:{_SPACE}\d{{3}})+(?:[.,·]\d+)?(?!\d)|\d*(?:[.,'’·]\d+)*)"
_SCALES = any_of([*MIXED.split("|"), *(word for word in SCALE_WORDS if word[0] < "\u2e80")])
_UNITS, _CURRENCIES = any_of(UNITS), any_of(CURRENCIES)
_AFTER_NUMBER = (
    rf"(?:{_SPACE}?(?P<sign>[万萬만億亿억兆])|[{_SPACE[1:-1]}-]?(?P<scale>{_SCALES})\.?(?!\w))?"
    r"(?P<decade>(?<=\d0)(?:['’]?s|er))?"
    rf"(?:[{_SPACE[1:-1]}-]?(?:of |de |d['’])?(?P<unit>{_UNITS}|{_CURRENCIES})(?!\w))?(?!\w|[.,:/]\d)"
)
IN_DIGITS = late_pattern(rf"(?P<number>{_NUMBER}){_AFTER_NUMBER}", re.IGNORECASE)
AFTER_WORDS = late_pattern(_AFTER_NUMBER, re.IGNORECASE)
# Parts of a unit: "half an hour", "un quart d'heure". A part of anything else is a quantifier.
FRACTION = late_pattern(
    rf"\b(?:(?P<half>half|halbe[nrsm]?|demie?|medi[ao]|mezz[oa]|mei[ao]|halve?)|quarter|viertel|quart|cuarto|quarto|kwart)"
    rf"[ -](?:(?:of|de|an?|einer|eines|d['’]une?|un|una|une)[ ]|d['’])*(?=(?:{_UNITS}|{_CURRENCIES})(?!\w))",
    re.IGNORECASE,
)
PARTS = ("hal", "demi", "medi", "mez", "mei", "quart", "viert", "cuart", "kwart")  # of which each has one
CURRENCY_BEFORE = late_pattern(rf"[^\s\d(]{{1,12}}{_SPACE}?$")
LONGEST_CURRENCY = 16
ORDINAL_OR_CODE = late_pattern(
    r"(?:\b(?:no|nr|n°|fig|table|chapter|section|art|article|vol|page|pp?|kapitel)\.?\s*|[#§]\s?|[A-Z]-)$",
    re.IGNORECASE,
)
JOINS_A_RANGE = late_pattern(
    rf"^\s*(?:%\s*)?(?:(?P<and>and|und|et|y|e|en)|to|bis|à|a|tot|até|–|—|-)\s*(?:{_CURRENCIES})?\s*$", re.IGNORECASE
)
BETWEEN = late_pattern(r"\b(?:between|zwischen|entre|tra|fra|tussen)\s(?:\w+\s)?$", re.IGNORECASE)
BEFORE_LENGTH = 24
LONGEST_JOINING = 12
BETWEEN_DAY_AND_MONTH = late_pattern(r"^(?:st|nd|rd|th|er|º)?\.?\s?(?:de |d['’]|of )?")
NUMBER_SIGNS = late_pattern(r"\d[\d.,]*")


@dataclass(frozen=True, slots=True)
class Figure:
    """`values` are all readings in the base unit of `dimension` ("year", "percent", "length", "$" …; "" for a count).

    `until` is the other end of a range; the words of comparison begin at `compared_from`.
    """

    text: str
    start: int
    end: int
    values: frozenset[float]
    dimension: str
    unit: str
    comparison: str = ""
    until: frozenset[float] = frozenset()
    compared_from: int = 0

    @property
    def is_year(self) -> bool:
        return self.dimension == "year"


class _Written(NamedTuple):
    """A number as it begins at a place, in digits, and what follows it."""

    start: int
    number: str
    after: re.Match[str]


def read_figures(text: str, language: str = "") -> list[Figure]:
    """The figures of a sentence in order; the two ends of a range are one figure."""
    figures: list[Figure] = []
    read_until = 0
    for written in _written_numbers(text[:LONGEST_TEXT], language):
        figure = _figure(written, text) if written.start >= read_until else None
        if figure is None:
            continue
        read_until = written.after.end()
        joined = _joined_range(figures[-1], figure, text) if figures else None
        figures = [*figures[:-1], joined] if joined else [*figures, figure]
    return figures[:MOST_FIGURES]


def _written_numbers(text: str, language: str) -> list[_Written]:
    lowered = text.lower()
    in_digits = [_Written(match.start(), match["number"], match) for match in IN_DIGITS.finditer(text)]
    is_spelt = not number_words(language).keys().isdisjoint(LETTERS.findall(lowered))
    in_words = _spelt_numbers(text, language) if is_spelt else ()
    parts = FRACTION.finditer(text) if any(part in lowered for part in PARTS) else ()
    found = ((part, AFTER_WORDS.match(text, part.end())) for part in parts)
    of_units = [_Written(part.start(), "0.5" if part["half"] else "0.25", after) for part, after in found if after]
    return sorted((*in_digits, *in_words, *of_units), key=lambda each: each.start)


def _spelt_numbers(text: str, language: str) -> list[_Written]:
    words = number_words(language)
    starts = [word.start() for word in LETTERS.finditer(text) if word[0].lower() in words]
    spelt = [(start, number) for start in starts if (number := read_number(text, start, language))]
    found = ((start, number, AFTER_WORDS.match(text, number.end)) for start, number in spelt)
    return [_Written(start, str(number.value), after) for start, number, after in found if after]


def are_same(one: Figure, other: Figure) -> bool:
    """Whether the second can be meant by the first: equal, converted, rounded, or one within the other's range."""
    if (
        one.dimension != other.dimension
        and one.dimension
        and other.dimension
        and "year" not in (one.dimension, other.dimension)
    ):
        return False
    if _differ_in_unit_alone(one, other):
        return False
    if one.until and other.until:
        ends = ((one.values, other.values), (one.until, other.until))
        return all(any(_is_close(a, b, one, other) for a, b in product(*both)) for both in ends)
    if any(_is_close(a, b, one, other) for a, b in product(one.values, other.values)):
        return not _are_opposed(one, other)
    if bool(one.dimension) != bool(other.dimension) and have_same_number(one, other):
        return True  # Its unit stands elsewhere: "from 15 litres to 2".
    return _holds(one, other) or (one.comparison in ("", "about") and _holds(other, one) and _is_near_bound(one, other))


def have_same_number(one: Figure, other: Figure) -> bool:
    """Whether the digits are the same, whatever the unit."""
    return one.unit != other.unit and bool(_written(one) & _written(other))


def _differ_in_unit_alone(one: Figure, other: Figure) -> bool:
    """3.400 kg and 3.400 t: one number in two units, whichever way its point is read."""
    factors = {UNITS.get(figure.unit, ("", 1.0))[1] for figure in (one, other)}
    is_one_kind = one.dimension == other.dimension != ""
    return is_one_kind and len(factors) > 1 and NUMBER_SIGNS.findall(one.text) == NUMBER_SIGNS.findall(other.text)


def has_value(figure: Figure, value: float) -> bool:
    """Whether a figure is written with this number, its scale worked in."""
    return value in figure.values or value in _written(figure)


def _written(figure: Figure) -> frozenset[float]:
    factor = UNITS.get(figure.unit, ("", 1.0))[1]
    return frozenset(round(value / factor, 6) for value in figure.values)


def _figure(found: _Written, text: str) -> Figure | None:
    start, match = found.start, found.after
    written_before = CURRENCY_BEFORE.search(text[max(0, start - LONGEST_CURRENCY) : start])
    currency = written_before[0] if written_before and written_before[0].strip().lower() in CURRENCIES else ""
    first = start - len(currency)
    before = text[max(0, first - BEFORE_LENGTH) : first]
    if ORDINAL_OR_CODE.search(before):
        return None
    written = found.number.replace("·", ".")
    unit, end = (match["unit"] or currency.strip()).lower(), match.end()
    if unit == "an" and written.isdecimal() and int(written) in YEARS:  # "1895 an die", no French years
        unit, end = "", match.start("unit") - 1
    scales = SCALE_WORDS.get((match["scale"] or match["sign"] or "").lower(), (1,) if not match["scale"] else (10**9,))
    dimension, factor = UNITS.get(unit) or ((CURRENCIES[unit], 1.0) if unit in CURRENCIES else ("", 1.0))
    values = frozenset(reading * scale * factor for reading, scale in product(_readings(written), scales))
    if not unit and not match["scale"] and not match["sign"] and written.isdecimal():
        dimension = _date_part(int(written), before, text[end : end + BEFORE_LENGTH])
    comparison, length = _comparison(before)
    until = frozenset(value + DECADE for value in values) if match["decade"] and dimension == "year" else frozenset()
    if not values or (match["decade"] and not until):
        return None
    shown = text[first:end].strip()
    return Figure(shown, first, end, values, dimension, unit, comparison, until, first - length)


def _date_part(number: int, before: str, after: str) -> str:
    """Whether a bare number is a year, or a day beside the name of a month."""
    if number in YEARS:
        return "year"
    beside = (*LETTERS.findall(before)[-1:], *LETTERS.findall(BETWEEN_DAY_AND_MONTH.sub(" ", after))[:1])
    return "day" if number in DAYS and any(word.lower() in MONTHS for word in beside) else ""


def _readings(written: str) -> Iterator[float]:
    digits = re.sub(_SPACE, "", written)
    for key in term_keys(digits):
        try:
            yield float(key)
        except ValueError:
            continue


def _comparison(before: str) -> tuple[str, int]:
    """The comparison that the words before a figure make (more, less, least, most, about, or ""), and their length."""
    found = COMPARISON.search(before.lower())
    return (found.lastgroup or "", len(found[0])) if found else ("", 0)


def _joined_range(first: Figure, second: Figure, text: str) -> Figure | None:
    between = text[first.end : second.start]
    joined = JOINS_A_RANGE.match(between) if len(between) <= LONGEST_JOINING else None
    if not joined or first.until or max(second.values) <= min(first.values):
        return None
    if joined["and"] and not BETWEEN.search(text[max(0, first.start - BEFORE_LENGTH) : first.start]):
        return None
    if first.dimension != second.dimension and first.dimension:
        return None
    factor = UNITS.get(second.unit, ("", 1.0))[1] if not first.dimension else 1.0
    values = frozenset(value * factor for value in first.values)
    written = text[first.start : second.end]
    return replace(
        second,
        text=written,
        start=first.start,
        values=values,
        until=second.values,
        comparison=first.comparison,
        compared_from=first.compared_from,
    )


def _is_close(a: float, b: float, one: Figure, other: Figure) -> bool:
    if a == b:
        return True
    if one.is_year or other.is_year:
        return False
    is_about = "about" in (one.comparison, other.comparison)
    is_converted = one.unit != other.unit and bool(one.dimension)
    if abs(a - b) <= (ABOUT if is_about else CONVERTED if is_converted else 0) * max(abs(a), abs(b)):
        return True
    return not is_converted and (_is_rounded(a, b) or _is_rounded(b, a))


def _is_rounded(exact: float, rounded: float) -> bool:
    """Whether the second is the first with fewer digits, two at least: 42.3 as 42, 1,234,567 as 1.2 million."""
    digits = f"{rounded:.10g}".replace(".", "").strip("0")
    full = f"{exact:.10g}".replace(".", "").strip("0")
    if len(digits) < 2 or len(full) <= len(digits):
        return False
    return float(f"{exact:.{len(digits)}g}") == rounded


def are_opposed(one: Figure, other: Figure) -> bool:
    """ "More than 40" and "less than 40": one number, the other side of it."""
    return one.dimension == other.dimension and not one.values.isdisjoint(other.values) and _are_opposed(one, other)


def _are_opposed(one: Figure, other: Figure) -> bool:
    upper, lower = {"more", "least"}, {"less", "most"}
    return (one.comparison in upper and other.comparison in lower) or (
        one.comparison in lower and other.comparison in upper
    )


def _is_near_bound(one: Figure, other: Figure) -> bool:
    """ "Over 40" may mean 42; "over 2" says nothing of 31."""
    low, high = sorted((min(one.values), max(other.values)))
    return bool(other.until) or high <= FARTHEST_FROM_BOUND * low


def _holds(one: Figure, other: Figure) -> bool:
    """Whether the first is a range or a bound that the second lies in."""
    if one.dimension != other.dimension:
        return False
    value, low = max(other.values), min(one.values)
    if one.until:
        return low <= min(other.values) and value <= max(one.until)
    if other.until or one.is_year:  # "until 1842" is a year, no bound for others
        return False
    if one.comparison in ("more", "least"):
        return value >= low
    return one.comparison in ("less", "most") and value <= max(one.values)
