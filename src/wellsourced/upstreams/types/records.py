"""Filings, court opinions, statistics, clinical trials and places: what is asked for, and what records say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from wellsourced.upstreams.types.search import ResultSet

# The reporters a court document cites first, the most official before the others.
FEDERAL_REPORTERS = ("U.S.", "S. Ct.", "F.4th", "F.3d", "F.2d", "F.")
OTHER_REPORTERS = ("F. Supp.", "P.", "A.", "N.E.", "N.W.", "S.E.", "S.W.", "So.")
SUPREME_COURT = frozenset({"U.S.", "S. Ct."})
DATABASES = ("LEXIS", "WL")
Frequency: TypeAlias = Literal["d", "w", "m", "q", "a"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The record behind a value.

    `url` opens the record, `record` names it exactly (an accession number with concept and period, a series with a
    date, a cell of a dataset). `unit` is what the value counts. `vintage` is the ISO date or moment as of which the
    upstream stated it: a filing day, a last update.
    """

    url: str
    record: str
    unit: str | None = None
    vintage: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FilingQuery:
    """`text` names a company (name, ticker, CIK) or holds words to look for in all filings; `ticker` goes before it.

    `facts` asks for figures instead of filings, `concept` for one of them over the years. Dates are ISO and both
    inclusive.
    """

    text: str = ""
    ticker: str | None = None
    form_type: str | None = None
    date_from: str | None = None
    date_to: str | None = None
    facts: bool = False
    concept: str | None = None
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


FilingResults: TypeAlias = ResultSet[Filing] | ResultSet[Fact]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseQuery:
    """`court` is the id of a court (`scotus`, `ca9`); dates are ISO and both inclusive."""

    text: str
    court: str | None = None
    date_from: str | None = None
    date_to: str | None = None
    count: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One decision, or a rule or section of law. `citations` are its places in the reporters, as listed upstream.

    `asked` is the citation that it answers, where several were asked for at once. A docket has `parties`, and the
    filings in it that matched in `snippet`.
    """

    case_name: str
    url: str
    origin: Origin
    citations: tuple[str, ...] = ()
    court: str | None = None
    court_id: str | None = None
    court_abbreviation: str | None = None
    date_filed: str | None = None
    docket_number: str | None = None
    citation_count: int | None = None
    status: str | None = None
    judge: str | None = None
    posture: str | None = None
    attorneys: str | None = None
    parties: tuple[str, ...] = ()
    docket_url: str | None = None
    asked: str | None = None
    opinion_ids: tuple[str, ...] = ()
    snippet: str | None = None
    source: str = "courtlistener"

    @property
    def citation(self) -> str | None:
        """In the manner of the Bluebook: name, reporter, court and year; None without a place in a reporter."""
        if not self.citations:
            return None
        place = min(self.citations, key=_officialness)
        court = "" if _reporter(place) in SUPREME_COURT else self.court_abbreviation or ""
        when = f"{court} {(self.date_filed or '')[:4]}".strip()
        return f"{self.case_name}, {place}" + (f" ({when})" if when else "")


def _reporter(citation: str) -> str:
    """`U.S.` of `384 U.S. 436`, and not of `1966 U.S. LEXIS 2817`."""
    return " ".join(citation.split()[1:-1])


def _officialness(citation: str) -> int:
    reporter = _reporter(citation)
    if reporter in FEDERAL_REPORTERS:
        return FEDERAL_REPORTERS.index(reporter) - len(FEDERAL_REPORTERS)
    if reporter.endswith(DATABASES):
        return len(OTHER_REPORTERS) + 1
    ranks = (rank for rank, name in enumerate(OTHER_REPORTERS) if reporter.startswith(name))
    return next(ranks, len(OTHER_REPORTERS))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesQuery:
    """With `series_id` its observations are asked for; without, series whose name has the words of `text`.

    Without `date_from` the newest observations come first; with it, the first ones from that date on, oldest first.
    `count` is for each country that is named. Where the id means a dataset of many series, `text` chooses among them.
    """

    text: str = ""
    series_id: str = ""
    country: str | None = None
    date_from: str | None = None
    date_to: str | None = None
    frequency: Frequency | None = None
    units: str | None = None
    count: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesHit:
    """A series, an indicator or a dataset; `series_id` fetches its observations."""

    series_id: str
    title: str
    origin: Origin
    units: str | None = None
    frequency: str | None = None
    last_updated: str | None = None
    notes: str | None = None
    seasonal_adjustment: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One value of one period. `value` is what the upstream wrote, digit for digit, and None where it is missing.

    `date` is the period as the upstream names it (`2024-07-01`, `2024Q3`, `2024`). `title` tells the series of one
    dataset apart. `notes` are the upstream's flags: provisional, estimated, break in series. `about` is what holds for
    the whole series.
    """

    series_id: str
    date: str
    value: str | None
    origin: Origin
    title: str | None = None
    units: str | None = None
    country: str | None = None
    notes: tuple[str, ...] = ()
    about: SeriesHit | None = None


SeriesResults: TypeAlias = ResultSet[SeriesHit] | ResultSet[Observation]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialQuery:
    """At least one of text, condition, intervention and sponsor must be given."""

    text: str = ""
    condition: str | None = None
    intervention: str | None = None
    sponsor: str | None = None
    status: str | None = None
    phase: str | None = None
    details: bool = False
    count: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One registration. Dates have the precision of the registry: a day, or only a month.

    Outcomes are `measure (time frame)`, arms `label (type)`; `eligibility` is the criteria as registered.
    """

    nct_id: str
    title: str
    url: str
    origin: Origin
    status: str | None = None
    phases: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    interventions: tuple[str, ...] = ()
    sponsor: str | None = None
    start_date: str | None = None
    completion_date: str | None = None
    enrollment: int | None = None
    has_results: bool | None = None
    primary_outcomes: tuple[str, ...] = ()
    secondary_outcomes: tuple[str, ...] = ()
    arms: tuple[str, ...] = ()
    ages: str | None = None
    sex: str | None = None
    eligibility: str | None = None
    countries: tuple[str, ...] = ()
    publications: tuple[str, ...] = ()
    source: str = "clinicaltrials"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrugLabel:
    """A medicine's label at the FDA. `reactions` are the reactions most often reported, `TERM: count`; a report is no
    proof that the medicine was the cause. `approvals` are the applications for it, with the first approval's day."""

    name: str
    url: str
    origin: Origin
    generic_name: str | None = None
    manufacturer: str | None = None
    effective: str | None = None
    boxed_warning: str | None = None
    indications: str | None = None
    contraindications: str | None = None
    adverse_reactions: str | None = None
    reactions: tuple[str, ...] = ()
    approvals: tuple[str, ...] = ()
    source: str = "openfda"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceQuery:
    """Coordinates are WGS-84 and come in pairs; they go before `near`. `radius` is in metres, 0 means any distance."""

    text: str
    near: str | None = None
    latitude: float | None = None
    longitude: float | None = None
    radius: float = 0.0
    country: str | None = None
    units: Literal["metric", "imperial"] | None = None
    count: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One place. `id` dies within hours and must not be stored. `distance` is in metres from the asked coordinates."""

    id: str
    name: str
    origin: Origin
    address: str | None = None
    latitude: float | None = None
    longitude: float | None = None
    distance: float | None = None
    phone: str | None = None
    website: str | None = None
    categories: tuple[str, ...] = ()
    rating: float | None = None
    rating_count: int | None = None
    price_range: str | None = None
    hours: tuple[str, ...] = ()
    timezone: str | None = None
    description: str | None = None
    source: str = "brave"
