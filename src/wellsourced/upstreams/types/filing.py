"""Disclosures of companies: what is asked for, the filings found, and single figures out of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from wellsourced.upstreams.types.origin import Origin
from wellsourced.upstreams.types.search import Found


@dataclass(frozen=True, slots=True, kw_only=True)
class FilingQuery:
    """`text` names a company (name, ticker, CIK) or holds words to look for in all filings; `ticker` goes before it.

    `facts` asks for figures instead of filings. Dates are ISO and both inclusive.
    """

    text: str = ""
    ticker: str | None = None
    form_type: str | None = None
    date_from: str | None = None
    date_to: str | None = None
    facts: bool = False
    count: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Filing:
    """One filing. `cik` has ten digits; `url` is the document itself, or the index of the filing where it has none."""

    company: str
    cik: str
    form_type: str
    filing_date: str
    accession: str
    url: str
    origin: Origin
    period_of_report: str | None = None
    description: str | None = None
    source: str = "edgar"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One reported figure. `value` is as filed, digit for digit.

    `start` and `days` are None for a figure of one moment (assets); for one of a period, `days` is its length, so
    that a quarter cannot be taken for a year. `url` is the index of the filing that states it.
    """

    company: str
    cik: str
    concept: str
    taxonomy: str
    unit: str
    value: str
    end: str
    form_type: str
    filing_date: str
    accession: str
    url: str
    origin: Origin
    label: str | None = None
    start: str | None = None
    days: int | None = None
    fiscal_year: str | None = None
    fiscal_period: str | None = None
    source: str = "edgar"


FilingsFound: TypeAlias = Found[Filing] | Found[Fact]
