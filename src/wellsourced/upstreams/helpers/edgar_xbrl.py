"""Headline figures out of all that a company has reported in XBRL.

Shape: data.sec.gov/api/xbrl/companyfacts. A period is repeated in every filing that shows it again, quarters and
years stand side by side under the same name, and only the dates tell them apart. Numbers stay as filed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from wellsourced.errors import UpstreamChanged
from wellsourced.upstreams.helpers.exact_json import as_written
from wellsourced.upstreams.helpers.json_fields import as_text

US = "us-gaap"
INTERNATIONAL = "ifrs-full"
HEADLINES_TEXT = {
    US: "Revenues RevenueFromContractWithCustomerExcludingAssessedTax NetIncomeLoss Assets Liabilities"
    " StockholdersEquity EarningsPerShareBasic EarningsPerShareDiluted OperatingIncomeLoss"
    " CashAndCashEquivalentsAtCarryingValue",
    INTERNATIONAL: "Revenue ProfitLoss Assets Liabilities Equity BasicEarningsLossPerShare DilutedEarningsLossPerShare"
    " ProfitLossFromOperatingActivities CashAndCashEquivalents",
}
HEADLINES = {taxonomy: tuple(concepts.split()) for taxonomy, concepts in HEADLINES_TEXT.items()}
SPOKEN = {
    "revenue": ("Revenues", "RevenueFromContractWithCustomerExcludingAssessedTax", "SalesRevenueNet", "Revenue"),
    "sale": ("Revenues", "RevenueFromContractWithCustomerExcludingAssessedTax", "SalesRevenueNet", "Revenue"),
    "netincome": ("NetIncomeLoss", "ProfitLoss"), "profit": ("NetIncomeLoss", "ProfitLoss"),
    "asset": ("Assets",), "liabilitie": ("Liabilities",), "equity": ("StockholdersEquity", "Equity"),
    "ep": ("EarningsPerShareDiluted", "DilutedEarningsLossPerShare"),
    "operatingincome": ("OperatingIncomeLoss", "ProfitLossFromOperatingActivities"),
    "cash": ("CashAndCashEquivalentsAtCarryingValue", "CashAndCashEquivalents"),
}  # fmt: skip
ANNUAL_FORMS = frozenset({"10-K", "10-K/A", "10-KT", "20-F", "20-F/A", "40-F", "40-F/A"})
YEAR, QUARTER = range(340, 391), range(75, 120)
STALE = 400  # days; a concept not reported for longer was replaced by another one


@dataclass(frozen=True, slots=True)
class XbrlFigure:
    """One number of one period in one filing. `days` is None for a figure of one moment."""

    taxonomy: str
    concept: str
    label: str | None
    unit: str
    value: str
    start: str | None
    end: str
    days: int | None
    form: str
    filed: str
    accession: str
    fiscal_year: str | None
    fiscal_period: str | None


Accepts = Callable[[XbrlFigure], bool]


def headline_figures(facts: Any, form: str | None, accepts: Accepts) -> list[XbrlFigure]:
    """The newest figure of each headline concept; concepts the company has stopped using come last."""
    if not isinstance(facts, dict):
        raise UpstreamChanged("SEC's answer has no facts.")
    found = [
        figure
        for taxonomy, concepts in HEADLINES.items()
        for concept in concepts
        if (figure := _newest(list(list_figures(facts, taxonomy, concept)), form, accepts)) is not None
    ]
    latest = max((figure.end for figure in found), default="")
    return sorted(found, key=lambda figure: _is_stale(figure, latest))


def figures_over_years(facts: Any, wanted: str, form: str | None, accepts: Accepts) -> list[XbrlFigure]:
    """One concept period by period, newest first, each as the latest filing states it; of years unless the form says
    otherwise. Empty where no concept goes by this name."""
    if not isinstance(facts, dict):
        raise UpstreamChanged("SEC's answer has no facts.")
    found: dict[tuple[str | None, str, str], XbrlFigure] = {}
    for taxonomy, concept in _concepts_named(facts, wanted):
        rows = [row for row in list_figures(facts, taxonomy, concept) if accepts(row) and _is_of_form(row, form)]
        for row in sorted(_of_length(rows, _length(form) if form else YEAR), key=lambda row: row.filed):
            found[row.start, row.end, row.unit] = _prefer_year(row, rows)
    return sorted(found.values(), key=lambda figure: (figure.end, figure.filed), reverse=True)


def _is_of_form(row: XbrlFigure, form: str | None) -> bool:
    return row.form in ({form, f"{form}/A"} if form else ANNUAL_FORMS)


def _concepts_named(facts: Mapping[str, Any], wanted: str) -> list[tuple[str, str]]:
    """The concept of exactly this name, else what common words stand for, else the one whose label has the words."""
    known = [(taxonomy, concept) for taxonomy, concepts in facts.items() for concept in concepts]
    name = wanted.rpartition(":")[2].replace(" ", "").casefold()
    if exact := [pair for pair in known if pair[1].casefold() == name]:
        return exact
    if named := [pair for pair in known if pair[1] in SPOKEN.get(name.rstrip("s"), ())]:
        return named
    words = wanted.casefold().split()
    labels = ((pair, as_text(facts[pair[0]][pair[1]].get("label")).casefold()) for pair in known)
    fitting = [(len(label), pair) for pair, label in labels if words and all(word in label for word in words)]
    return [min(fitting)[1]] if fitting else []


def list_figures(facts: Mapping[str, Any], taxonomy: str, concept: str) -> Iterator[XbrlFigure]:
    """Every figure of one concept, in all its units."""
    about = facts.get(taxonomy, {}).get(concept, {"units": {}})
    for unit, rows in about["units"].items():
        if not isinstance(rows, list):
            raise UpstreamChanged(f"SEC's answer has no list of figures of {concept}.")
        for row in rows:
            yield _figure(row, taxonomy, concept, as_text(about.get("label")) or None, unit)


def _figure(row: Mapping[str, Any], taxonomy: str, concept: str, label: str | None, unit: str) -> XbrlFigure:
    value, start, end = as_written(row["val"]), row.get("start"), row["end"]
    if value is None:
        raise UpstreamChanged(f"SEC's answer has a figure of {concept} that is not a number.")
    return XbrlFigure(
        taxonomy=taxonomy,
        concept=concept,
        label=label,
        unit=unit,
        value=value,
        start=start,
        end=end,
        days=(date.fromisoformat(end) - date.fromisoformat(start)).days + 1 if start else None,
        form=str(row.get("form") or ""),
        filed=str(row["filed"]),
        accession=str(row["accn"]),
        fiscal_year=as_written(row.get("fy")),
        fiscal_period=as_text(row.get("fp")) or None,
    )


def _newest(rows: Sequence[XbrlFigure], form: str | None, accepts: Accepts) -> XbrlFigure | None:
    """The latest period, as the latest filing states it; of annual reports unless another form is asked for."""
    allowed = [row for row in rows if accepts(row)]
    if form:
        candidates = _of_length([row for row in allowed if row.form in {form, f"{form}/A"}], _length(form))
    else:
        annual = [row for row in allowed if row.form in ANNUAL_FORMS]
        candidates = _of_length(annual, YEAR) or _of_length(allowed, YEAR) or allowed
    found = max(candidates, key=lambda row: (row.end, row.days or 0, row.filed), default=None)
    return _prefer_year(found, rows) if found else None


def _prefer_year(figure: XbrlFigure, rows: Sequence[XbrlFigure]) -> XbrlFigure:
    """The fiscal year a row names is that of the filing: it holds for the newest period there, not for earlier years
    shown beside it."""
    newest: dict[str, str] = {}
    for row in rows:
        newest[row.accession] = max(row.end, newest.get(row.accession, ""))
    same = (row for row in rows if (row.start, row.end) == (figure.start, figure.end))
    own = next((row for row in same if newest[row.accession] == row.end), None)
    return replace(
        figure, fiscal_year=own.fiscal_year if own else None, fiscal_period=own.fiscal_period if own else None
    )


def _length(form: str) -> range | None:
    return YEAR if form in ANNUAL_FORMS else QUARTER if form.startswith("10-Q") else None


def _of_length(rows: Sequence[XbrlFigure], length: range | None) -> list[XbrlFigure]:
    """Figures of one moment, or of a period of the wanted length."""
    return [row for row in rows if length is None or row.days is None or row.days in length]


def _is_stale(figure: XbrlFigure, latest: str) -> bool:
    return (date.fromisoformat(latest) - date.fromisoformat(figure.end)).days > STALE
