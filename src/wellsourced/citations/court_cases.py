"""Decisions of courts as cited: whether the place in the reporter holds that very case. Asked of CourtListener.

An invented decision often has a real place in a reporter, which belongs to another case; that is seen by the names of
the parties. CourtListener holds courts of the United States only, so not to be found there proves nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from wellsourced.citations.reference import Reference
from wellsourced.errors import WellsourcedError
from wellsourced.scholarly.lookup_answer import LookupAnswer
from wellsourced.text.titles import simplify_words
from wellsourced.upstream import Kind
from wellsourced.upstream_client.client import UpstreamClient
from wellsourced.upstreams.types.paper import Paper
from wellsourced.upstreams.types.records import Case, CaseQuery
from wellsourced.upstreams.types.search import ResultSet

COURTS = "courtlistener"
VERSUS = re.compile(r"\s(?:v|vs|c|gegen|contre)\.?\s", re.IGNORECASE)
# Words that name no party in particular.
COMMON_WORDS = "the of and in re inc co corp ltd llc et al state united states people city county ex parte"
COMMON = frozenset(COMMON_WORDS.split())
# Enough to find the cited case among others of the same name.
MOST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedCase:
    """`is_other` says that the place in the reporter belongs to a case between quite other parties; `at_place` that it
    holds the cited case for certain."""

    case: Case
    at_place: bool
    is_other: bool
    year_differs: bool

    @property
    def differences(self) -> tuple[str, ...]:
        sentences = []
        if self.is_other:
            sentences.append(f"The cited place in the reporter holds another case: {self.case.case_name}.")
        if self.year_differs and not self.is_other:
            sentences.append(f"The decision was filed in {(self.case.date_filed or '')[:4]}.")
        return tuple(sentences)


class CourtCaseSearch:
    def __init__(self, upstreams: UpstreamClient) -> None:
        self._upstreams = upstreams

    async def find(self, cited: Reference, deadline: float) -> LookupAnswer[MatchedCase]:
        """By its place in the reporter, then by its name."""
        place = reporter_place(cited)
        try:
            for text in filter(None, (place, cited.title)):
                cases = await self._ask(text, deadline)
                best = best_case(cited, place, cases)
                if best:
                    return LookupAnswer(state="found", value=best, sources=(COURTS,))
        except WellsourcedError as error:
            return LookupAnswer(state="unknown", why=error.sentence)
        return LookupAnswer(state="none", sources=(COURTS,))

    async def _ask(self, text: str, deadline: float) -> tuple[Case, ...]:
        query = CaseQuery(text=text, count=MOST)
        results: ResultSet[Case] = await self._upstreams.ask(COURTS, Kind.CASES, query, deadline=deadline)
        return results.items


def reporter_place(cited: Reference) -> str:
    return f"{cited.volume} {cited.container} {cited.pages}" if cited.volume and cited.container and cited.pages else ""


def best_case(cited: Reference, place: str, cases: tuple[Case, ...]) -> MatchedCase | None:
    """The case at the cited place, whatever it is called; else one of that name and year."""
    here = [case for case in cases if place and _bare(place) in {_bare(listed) for listed in case.citations}]
    shares = {case.url: shared_parties(cited.title, case.case_name) for case in cases}
    if here:
        case = max(here, key=lambda one: shares[one.url])
        share = shares[case.url]
        differs = share > 0 and _year_differs(cited, case)
        return MatchedCase(case=case, at_place=share == 1, is_other=share == 0, year_differs=differs)
    named = [case for case in cases if shares[case.url] == 1 and cited.title and not _year_differs(cited, case)]
    return MatchedCase(case=named[0], at_place=False, is_other=False, year_differs=False) if named else None


def shared_parties(cited: str | None, recorded: str) -> float:
    """The part of the cited parties that are the record's, each known by a word that is not everybody's.

    That the United States are a party tells nothing where the other one has a name of its own. Lawyers abbreviate:
    `Bd. of Educ.` is the Board of Education. A citation that names nobody contradicts nobody.
    """
    parties = [set(simplify_words(part).split()) for part in VERSUS.split(cited or "")]
    telling = [words - COMMON for words in parties if words - COMMON] or [words for words in parties if words]
    known = simplify_words(recorded).split()
    met = [any(_is_short_for(word, full) for word in words for full in known) for words in telling]
    return sum(met) / len(met) if met else 1.0


def paper_from_case(case: Case) -> Paper:
    """A case in the shape in which records are shown."""
    filed = case.date_filed or ""
    return Paper(
        title=case.case_name,
        url=case.url,
        source=COURTS,
        journal=case.citation or (case.citations[0] if case.citations else None),
        year=int(filed[:4]) if filed[:4].isdigit() else None,
        date=filed or None,
        type="court-opinion",
        publisher=case.court,
    )


def _year_differs(cited: Reference, case: Case) -> bool:
    filed = (case.date_filed or "")[:4]
    # A year apart is usual: argued in one, decided or reported in the next.
    return cited.year is not None and filed.isdigit() and abs(int(filed) - cited.year) > 1


def _is_short_for(word: str, full: str) -> bool:
    """The same word, its beginning, or its first and last letters with some between (`Dept`, `Natl`, `Bd`)."""
    shorter, longer = sorted((word, full), key=len)
    if longer.startswith(shorter) and (len(shorter) > 2 or shorter == longer):
        return True
    letters = iter(longer)
    is_within = all(letter in letters for letter in shorter)
    return len(shorter) > 1 and is_within and (shorter[0], shorter[-1]) == (longer[0], longer[-1])


def _bare(place: str) -> str:
    return re.sub(r"[^0-9a-z]", "", place.casefold())
