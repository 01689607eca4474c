"""Values of statistical series as they are shown: what holds for a series once, the values in rows or side by side."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from itertools import pairwise

from wellsourced.tool.base import OutputPart
from wellsourced.upstreams.helpers.periods import days_of
from wellsourced.upstreams.types.records import Observation, SeriesHit

MOST_FLAGS = 40
PLACES = Decimal("0.0001")
SIGNIFICANT = 6
HUNDRED = Decimal(100)
# What is computed here, where the source does not do it: the words for it, and whether the year before is needed.
TRANSFORMS = {
    "chg": "change from the period before",
    "ch1": "change from the same period a year before",
    "pch": "percent change from the period before",
    "pc1": "percent change from the same period a year before",
    "index": "index, {first} = 100",
    "per_capita": "divided by the population of the year (World Bank, SP.POP.TOTL)",
}
YEAR_AGO = frozenset({"ch1", "pc1"})
RELATIVE = frozenset({"pch", "pc1"})
COMPUTED_ONLY = frozenset({"index", "per_capita"})
FREQUENCIES = ((1, "Daily"), (7, "Weekly"), (31, "Monthly"), (92, "Quarterly"), (184, "Half-yearly"), (366, "Annual"))


class SeriesHeader(OutputPart):
    series_id: str
    title: str | None = None
    units: str | None = None
    transformation: str | None = None
    frequency: str | None = None
    seasonal_adjustment: str | None = None
    country: str | None = None
    source: str | None = None
    last_updated: str | None = None
    notes: str | None = None
    first: str | None = None
    last: str | None = None
    values: int = 0
    column: str | None = None
    flags: dict[str, str] | None = None
    record: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class ShownSeries:
    """One series of the answer; `label` tells it from the others and is empty where it is alone."""

    label: str
    observations: Sequence[Observation]
    transformation: str | None = None

    @property
    def about(self) -> SeriesHit | None:
        return self.observations[0].about

    def header(self, *, with_flags: bool) -> SeriesHeader:
        """What holds for all its values."""
        newest, hit = self.observations[0], self.about
        dates = sorted(item.date for item in self.observations)
        flags = {item.date: "; ".join(item.notes) for item in self.observations if item.notes}
        return SeriesHeader(
            series_id=newest.series_id,
            title=newest.title,
            units=newest.units or newest.origin.unit,
            transformation=self.transformation,
            frequency=(hit.frequency if hit else None) or _frequency(newest.date),
            seasonal_adjustment=hit.seasonal_adjustment if hit else None,
            country=newest.country,
            source=hit.source if hit else None,
            last_updated=(hit.last_updated if hit else None) or newest.origin.vintage,
            notes=hit.notes if hit else None,
            first=dates[0],
            last=dates[-1],
            values=sum(item.value is not None for item in self.observations),
            column=self.label or None,
            flags=dict(list(flags.items())[:MOST_FLAGS]) if with_flags and flags else None,
            record=hit.origin.record if hit else None,
            url=newest.origin.url,
        )


def split_series(observations: Sequence[Observation]) -> list[ShownSeries]:
    """The observations by series, each under what tells it apart: its country, or what its title alone has."""
    groups: dict[tuple[str | None, ...], list[Observation]] = {}
    for item in observations:
        groups.setdefault((item.series_id, item.title, item.country, item.units), []).append(item)
    countries = [key[2] for key in groups]
    if len(groups) > 1 and all(countries) and len(set(countries)) == len(groups):
        return [ShownSeries(str(key[2]), items) for key, items in groups.items()]
    labels = _labels([key[1] or key[0] or "" for key in groups])
    return [ShownSeries(label, items) for label, items in zip(labels, groups.values(), strict=True)]


def _labels(titles: Sequence[str]) -> list[str]:
    """Of each title the parts that not all have; a number where that leaves nothing or the same twice."""
    if len(titles) < 2:
        return ["" for _ in titles]
    parts = [title.replace(" — ", ", ").split(", ") for title in titles]
    common = set(parts[0]).intersection(*parts[1:])
    labels = [", ".join(part for part in each if part not in common) for each in parts]
    repeated = len(set(labels)) < len(labels)
    return [f"{label or 'series'} ({number})" if repeated else label for number, label in enumerate(labels, start=1)]


def make_table(series: Sequence[ShownSeries]) -> str:
    """The values side by side as CSV: a line for each period, a column for each series."""
    columns = [{item.date: item.value or "" for item in each.observations} for each in series]
    periods = _in_order([item for each in series for item in each.observations])
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(["date", *(each.label or "value" for each in series)])
    writer.writerows([period, *(column.get(period, "") for column in columns)] for period in periods)
    return table.getvalue()


def _in_order(observations: Sequence[Observation]) -> list[str]:
    periods = list(dict.fromkeys(item.date for item in observations))
    newest_first = len(periods) > 1 and _first_day(periods[0]) > _first_day(periods[-1])
    return sorted(periods, key=_first_day, reverse=newest_first)


def _first_day(period: str) -> tuple[date, str]:
    days = days_of(period)
    return (days[0] if days else date.max), period


def _frequency(period: str) -> str | None:
    """How often a series has values, by the length of one of its periods."""
    days = days_of(period)
    length = (days[1] - days[0]).days + 1 if days else 0
    return next((name for most, name in FREQUENCIES if 0 < length <= most), None)


def transform(series: ShownSeries, how: str, population: Mapping[tuple[str, str], str]) -> ShownSeries:
    """The series as change, percent, index or per person; a value that cannot be computed is missing."""
    oldest_first = sorted(series.observations, key=lambda item: _first_day(item.date))
    levels = [_decimal(item.value) for item in oldest_first]
    words = TRANSFORMS[how]
    if how == "index":
        base = next(((item.date, level) for item, level in zip(oldest_first, levels, strict=True) if level), None)
        words = words.format(first=base[0] if base else "first value")
        computed = [_rounded(level / base[1] * HUNDRED) if level is not None and base else None for level in levels]
    elif how == "per_capita":
        people = [_decimal(population.get((item.country or "", item.date[:4]))) for item in oldest_first]
        computed = [_significant(level, count) for level, count in zip(levels, people, strict=True)]
    else:
        before = _earlier(oldest_first, levels, years=how in YEAR_AGO)
        computed = [_change(level, old, how) for level, old in zip(levels, before, strict=True)]
    values = {item.date: value for item, value in zip(oldest_first, computed, strict=True)}
    unit = _unit(series.observations[0].units or series.observations[0].origin.unit, how)
    shown = [replace(item, value=values[item.date], units=unit) for item in series.observations]
    return ShownSeries(series.label, shown, f"{words}; computed here from the published values")


def _earlier(items: Sequence[Observation], levels: Sequence[Decimal | None], *, years: bool) -> list[Decimal | None]:
    if not years:
        return [None, *(first for first, _ in pairwise(levels))]
    at = {_first_day(item.date)[0]: level for item, level in zip(items, levels, strict=True)}
    return [at.get(_year_before(_first_day(item.date)[0])) for item in items]


def _year_before(day: date) -> date:
    return day.replace(year=day.year - 1, day=min(day.day, 28) if day.month == 2 else day.day) if day.year > 1 else day


def _change(level: Decimal | None, old: Decimal | None, how: str) -> str | None:
    if level is None or old is None or (how in RELATIVE and not old):
        return None
    return _rounded((level - old) / abs(old) * HUNDRED) if how in RELATIVE else _plain(level - old)


def _significant(level: Decimal | None, people: Decimal | None) -> str | None:
    if level is None or not people:
        return None
    return _plain(Decimal(f"{level / people:.{SIGNIFICANT}g}"))


def _rounded(value: Decimal) -> str:
    return _plain(value.quantize(PLACES))


def _plain(value: Decimal) -> str:
    return f"{value:f}"


def _decimal(text: str | None) -> Decimal | None:
    try:
        return Decimal(text) if text else None
    except InvalidOperation:
        return None


def _unit(unit: str | None, how: str) -> str | None:
    if how == "index":
        return "Index"
    if how == "per_capita":
        return f"{unit or 'Units'} per person"
    return "Percent" if how in RELATIVE else unit
