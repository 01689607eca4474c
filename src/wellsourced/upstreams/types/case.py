"""Court opinions."""

from __future__ import annotations

from dataclasses import dataclass

from wellsourced.upstreams.types.origin import Origin

# The reporters a court document cites first, the most official before the others.
FEDERAL_REPORTERS = ("U.S.", "S. Ct.", "F.4th", "F.3d", "F.2d", "F.")
OTHER_REPORTERS = ("F. Supp.", "P.", "A.", "N.E.", "N.W.", "S.E.", "S.W.", "So.")
SUPREME_COURT = frozenset({"U.S.", "S. Ct."})
DATABASES = ("LEXIS", "WL")


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
    """One decision. `citations` are its places in the reporters, as the upstream lists them."""

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
