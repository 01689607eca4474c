"""Decisions of courts as cited: whether the place in the reporter holds that very case. Asked of CourtListener.

An invented decision often has a real place in a reporter, which belongs to another case; that is seen by the names of
the parties. CourtListener holds courts of the United States only, so not to be found there proves nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from wellsourced.citations.match.differences import Grade
from wellsourced.citations.match.field_checks import FieldCheck
from wellsourced.citations.match.fields import FieldMatches
from wellsourced.citations.match.record_comparison import RecordComparison, TitleMatch
from wellsourced.citations.reference import Reference
from wellsourced.errors import WellsourcedError
from wellsourced.scholarly.lookup_answer import LookupAnswer
from wellsourced.text.titles import Outcome, simplify_words
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
PARALLEL = re.compile(
    r"(?<=, )([0-9]{1,4}) ([A-Z][A-Za-z0-9.']{0,9}(?: [A-Z0-9][A-Za-z0-9.']{0,6}){0,2}) ([0-9]{1,5})(?![\w-])"
)
CIRCUIT = re.compile(r"\bCir\.?", re.IGNORECASE)
# Enough to find the cited case among others of the same name.
MOST = 5


ABROAD = (
    "The decision is of a court outside the United States, and CourtListener holds no others, so it was not looked up. "
    "Look at the court's own site, or at a free collection such as BAILII, CanLII, AustLII or EUR-Lex."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedCase:
    """`is_other` says that the place in the reporter belongs to a case between quite other parties; `at_place` that it
    holds the cited case for certain. `namesake` is then the case of the cited name, which is reported elsewhere."""

    case: Case
    at_place: bool
    is_other: bool
    checks: tuple[FieldCheck, ...] = ()
    namesake: Case | None = None

    @property
    def differences(self) -> tuple[str, ...]:
        if not self.is_other:
            return tuple(check.note for check in self.checks if check.result == "differs" and check.note)
        other = f"The cited place in the reporter holds another case: {self.case.case_name}."
        named = self.namesake
        where = f"{named.case_name} is reported at {_places(named)} ({(named.date_filed or '')[:4]})." if named else ""
        return (other, where) if where else (other,)


class CourtCaseSearch:
    def __init__(self, upstreams: UpstreamClient) -> None:
        self._upstreams = upstreams

    async def find(self, cited: Reference, deadline: float) -> LookupAnswer[MatchedCase]:
        """By its place in the reporter, then by its name, then by its number at the court."""
        if "jurisdiction" in cited.extra:  # an American case of the same name would be another one
            return LookupAnswer(state="unknown", why=ABROAD)
        # A short form names a page within; the decision begins elsewhere.
        place = "" if "locator" in cited.extra else reporter_place(cited)
        number = cited.extra.get("number")
        known: list[Case] = []
        try:
            known += await self._at(place, deadline) if place else ()
            best = best_case(cited, place, tuple(known))
            if best and not best.is_other:
                return LookupAnswer(state="found", value=best, sources=(COURTS,))
            for text in filter(None, (cited.title, f"No. {number}" if number else None)):
                known += await self._ask(text, deadline)
                best = best_case(cited, place, tuple(known))
                if best:
                    return LookupAnswer(state="found", value=best, sources=(COURTS,))
        except WellsourcedError as error:
            return LookupAnswer(state="unknown", why=error.sentence)
        if best:
            return LookupAnswer(state="found", value=best, sources=(COURTS,))
        return LookupAnswer(state="none", why=unknown_reason(cited), sources=(COURTS,))

    async def _at(self, place: str, deadline: float) -> tuple[Case, ...]:
        """By the look-up of citations where a token is set, else by the search."""
        try:
            found: tuple[Case, ...] | None = await self._upstreams.ask(COURTS, Kind.CASES_AT, place, deadline=deadline)
        except WellsourcedError:
            found = None
        return found or await self._ask(place, deadline)

    async def _ask(self, text: str, deadline: float) -> tuple[Case, ...]:
        query = CaseQuery(text=text, count=MOST)
        results: ResultSet[Case] = await self._upstreams.ask(COURTS, Kind.CASES, query, deadline=deadline)
        return tuple(results.items)


def unknown_reason(cited: Reference) -> str:
    """Why not to be found proves nothing."""
    if (cited.container or "") == "WL" or "LEXIS" in (cited.container or ""):
        return "CourtListener knows no such decision; Westlaw and Lexis numbers are not public, nor looked up there."
    return "No such decision is known to CourtListener; it holds courts of the United States, and not all decisions."


def reporter_place(cited: Reference) -> str:
    return f"{cited.volume} {cited.container} {cited.pages}" if cited.volume and cited.container and cited.pages else ""


def best_case(cited: Reference, place: str, cases: tuple[Case, ...]) -> MatchedCase | None:
    """The case at the cited place, whatever it is called; else the one of that name or number nearest in time."""
    here = [case for case in cases if place and _bare(place) in {_bare(listed) for listed in case.citations}]
    shares = {case.url: shared_parties(cited.title, case.case_name) for case in cases}
    named = [case for case in cases if cited.title and shares[case.url] == 1]
    named = sorted(named, key=lambda case: _years_apart(cited, case))
    if here:
        case = max(here, key=lambda one: shares[one.url])
        share = shares[case.url]
        checks = case_checks(cited, case) if share else ()
        namesake = next((one for one in named if one not in here), None) if share == 0 else None
        return MatchedCase(case=case, at_place=share == 1, is_other=share == 0, checks=checks, namesake=namesake)
    number = _bare(cited.extra.get("number", ""))
    numbered = [case for case in cases if number and number in _bare(case.docket_number or "")]
    case_found = next(iter(numbered), None) or next(iter(named), None)
    if case_found is None:
        return None
    return MatchedCase(case=case_found, at_place=False, is_other=False, checks=case_checks(cited, case_found))


def case_checks(cited: Reference, case: Case) -> tuple[FieldCheck, ...]:
    """Name, place in the reporter, year, court and number, each as cited beside as recorded."""
    places = [_place_check(cited, case), *(_parallel_check(place, case) for place in _parallel_places(cited))]
    others = [_year_check(cited, case), _court_check(cited, case), _docket_check(cited, case)]
    return tuple(check for check in (_name_check(cited, case), *places, *others) if check)


def _name_check(cited: Reference, case: Case) -> FieldCheck | None:
    if not cited.title:
        return None
    share = shared_parties(cited.title, case.case_name)
    if share == 1:
        return FieldCheck(field="name", cited=cited.title, recorded=case.case_name, result="match")
    note = f"The decision is called {case.case_name}, the citation says {cited.title}."
    return FieldCheck(
        field="name", cited=cited.title, recorded=case.case_name, result="differs", grade="slip", note=note
    )


def _place_check(cited: Reference, case: Case) -> FieldCheck | None:
    """Against the same reporter: other reporters have the same decision on other pages."""
    place = reporter_place(cited)
    if not place:
        return None
    same = [listed for listed in case.citations if _bare(_reporter_of(listed)) == _bare(cited.container or "")]
    if _bare(place) in map(_bare, case.citations):
        return FieldCheck(field="reporter", cited=place, recorded=place, result="match")
    recorded = "; ".join(same or case.citations) or None
    if "locator" in cited.extra and any(listed.split()[0] == cited.volume for listed in same):
        within = f"{cited.volume} {cited.container} at {cited.pages}"
        return FieldCheck(
            field="reporter", cited=within, recorded=recorded, result="match", grade="variant", note="A page within."
        )
    if not same:
        why = f"CourtListener does not list the decision in {cited.container}."
        return FieldCheck(field="reporter", cited=place, recorded=recorded, result="not_compared", note=why)
    note = f"{case.case_name} is reported at {same[0]}, the citation says {place}."
    return FieldCheck(field="reporter", cited=place, recorded=recorded, result="differs", grade="slip", note=note)


def _parallel_places(cited: Reference) -> list[str]:
    """Further reporters that the citation names for the same decision."""
    first = _bare(reporter_place(cited))
    places = [" ".join(found.groups()) for found in PARALLEL.finditer((cited.raw or "")[:1000])]
    return [place for place in places if _bare(place) != first]


def _parallel_check(place: str, case: Case) -> FieldCheck:
    """A parallel place that is not listed is no mistake of the citation: not all reporters are."""
    if _bare(place) in map(_bare, case.citations):
        return FieldCheck(field="reporter", cited=place, recorded=place, result="match")
    why = f"CourtListener does not list the decision in {_reporter_of(place)}."
    same = [listed for listed in case.citations if _bare(_reporter_of(listed)) == _bare(_reporter_of(place))]
    if not same:
        return FieldCheck(field="reporter", cited=place, recorded=None, result="not_compared", note=why)
    note = f"{case.case_name} is reported at {same[0]}, the citation says {place}."
    return FieldCheck(field="reporter", cited=place, recorded=same[0], result="differs", grade="slip", note=note)


def _docket_check(cited: Reference, case: Case) -> FieldCheck | None:
    number, known = cited.extra.get("number"), case.docket_number
    if not number:
        return None
    if known and _bare(number) in _bare(known):
        return FieldCheck(field="number", cited=number, recorded=known, result="match")
    why = "Courts write one number in many ways." if known else "The record does not say its number."
    return FieldCheck(field="number", cited=number, recorded=known, result="not_compared", note=why)


def _year_check(cited: Reference, case: Case) -> FieldCheck | None:
    filed = (case.date_filed or "")[:4]
    if cited.year is None or not filed:
        return None
    # A year apart is usual: argued in one, decided or reported in the next.
    if _years_apart(cited, case) <= 1:
        grade: Grade | None = None if str(cited.year) == filed else "variant"
        return FieldCheck(field="year", cited=str(cited.year), recorded=filed, result="match", grade=grade)
    note = f"The decision was filed in {filed}, the citation says {cited.year}."
    return FieldCheck(field="year", cited=str(cited.year), recorded=filed, result="differs", grade="slip", note=note)


def _court_check(cited: Reference, case: Case) -> FieldCheck | None:
    court, known = cited.extra.get("authority"), case.court_abbreviation
    if not court:
        return None
    if not known:
        why = "The record does not say which court."
        return FieldCheck(field="court", cited=court, recorded=case.court, result="not_compared", note=why)
    if _bare(court) == _bare(known):
        return FieldCheck(field="court", cited=court, recorded=known, result="match")
    note = f"The citation names {court} as the court; the decision is of the {case.court or known}".rstrip(".") + "."
    is_circuit = CIRCUIT.search(court) is not None and CIRCUIT.search(known) is not None
    return FieldCheck(
        field="court", cited=court, recorded=known, result="differs" if is_circuit else "not_compared",
        grade="slip" if is_circuit else None,
        note=note if is_circuit else "Names of courts are abbreviated in many ways.",
    )  # fmt: skip


def comparison_with_case(cited: Reference, matched: MatchedCase) -> RecordComparison:
    """What was compared, in the shape in which records are compared."""
    outcome: dict[str, Outcome] = {
        check.field: "match" if check.result == "match" else "mismatch" if check.result == "differs" else "not_given"
        for check in reversed(matched.checks)  # of several reporters the first counts
    }
    title: Outcome = "mismatch" if matched.is_other else outcome.get("name", "not_given")
    fields = FieldMatches(
        title=title, authors="not_given", year=outcome.get("year", "not_given"),
        venue=outcome.get("reporter", "not_given"), volume="not_given", pages="not_given",
        title_similarity=1.0 if title == "match" else 0.0,
    )  # fmt: skip
    title_match: TitleMatch = "not_checked" if title not in {"match", "mismatch"} else title
    return RecordComparison(
        fields=fields, title_match=title_match, differences=matched.differences, checks=matched.checks,
        is_other_work=matched.is_other,
    )  # fmt: skip


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


def _years_apart(cited: Reference, case: Case) -> int:
    filed = (case.date_filed or "")[:4]
    return abs(int(filed) - cited.year) if cited.year is not None and filed.isdigit() else 0


def _reporter_of(place: str) -> str:
    return " ".join(place.split()[1:-1])


def _places(case: Case) -> str:
    return "; ".join(case.citations[:3]) or case.url


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
