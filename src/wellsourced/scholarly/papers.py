"""Scholarly works: searched for, looked up by identifier, followed along their citations, and read in full.

A search goes four ways, each only when the one before brought nothing: the provider that was named; the operator's
list for "academic"; every scholarly provider, best first; the web, within scholarly sites.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from wellsourced.errors import UpstreamUnavailable, WellsourcedError
from wellsourced.pages.reader import Reader
from wellsourced.scholarly.citation_neighbours import CitationGraph, CitationNeighbours
from wellsourced.scholarly.doi_services import DoiServices
from wellsourced.scholarly.full_text import FullText, FullTextReader
from wellsourced.scholarly.paper_checks import PaperChecks
from wellsourced.scholarly.paper_filters import filter_papers, interleave, merge_papers, newest_first
from wellsourced.scholarly.record_cache import RecordCache
from wellsourced.scholarly.web_papers import search_web_for_papers
from wellsourced.search.lenses import Lenses
from wellsourced.search.question_kinds import PAPER, kinds_in
from wellsourced.search.router import ALL
from wellsourced.search.searcher import Searcher
from wellsourced.storage.cache.cache import Cache
from wellsourced.tool.call import Trace
from wellsourced.upstream import Kind
from wellsourced.upstream_client.client import UpstreamClient
from wellsourced.upstream_client.failure_messages import joint_failure
from wellsourced.upstream_client.fallback import FallbackOutcome, ask_in_turn
from wellsourced.upstream_client.provider_choice import ProviderChoice
from wellsourced.upstreams import all_upstreams
from wellsourced.upstreams.types.paper import Direction, Paper, PaperQuery
from wellsourced.upstreams.types.search import ResultSet

WEB = "web_search"
SEARCH = "search papers"
# Duplicates and filters take a few away.
SPARE = 3
MOST_SUITED = 3  # open databases asked beside each other
# With filters that the provider does not apply, most of what it returns is dropped.
POOL_FACTOR, LARGEST_POOL = 4, 50
# Filters that hold once free copies are known, whatever the provider made of them.
ENRICHED_FILTERS = frozenset({"open_access", "pdf_only", "full_text"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PapersFound:
    """`source` is who answered; `total` how many works kept to the filters before the list was cut."""

    papers: tuple[Paper, ...]
    source: str
    total: int = 0
    filters_not_applied: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProviderPapers:
    """One way's papers, filters applied."""

    papers: list[Paper]
    not_applied: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()


class Papers:
    """`doi_services` answers what is known of one work by its identifier."""

    def __init__(
        self,
        upstreams: UpstreamClient,
        providers: ProviderChoice,
        search: Searcher,
        lenses: Lenses,
        *,
        cache: Cache | None = None,
        reader: Reader | None = None,
    ) -> None:
        self._upstreams = upstreams
        self._providers = providers
        self._search = search
        self._lenses = lenses
        self.doi_services = DoiServices(RecordCache(upstreams, cache))
        self._checks = PaperChecks(self.doi_services)
        self._citations = CitationNeighbours(upstreams, providers, self._checks)
        self._texts = FullTextReader(self.doi_services, reader)

    async def find(
        self, query: PaperQuery, *, provider: str | None, lens: str | None, trace: Trace, deadline: float
    ) -> PapersFound:
        if lens:
            self._lenses.get(lens)
        if provider and provider != ALL:
            kind, name = self._providers.named(provider, Kind.PAPERS, Kind.WEB)
            if kind is Kind.WEB:
                return await self._from_web(query, name, lens, trace, deadline)
            return await self._from_one(query, name, lens, trace, deadline)
        if lens:
            return await self._from_web(query, None, lens, trace, deadline)
        if provider == ALL:
            return await self._from_all(query, trace, deadline)
        return await self._by_turns(query, trace, deadline)

    async def graph(
        self,
        paper: str,
        direction: Direction = "both",
        *,
        count: int = 10,
        influential_only: bool = False,
        provider: str | None = None,
        trace: Trace,
        deadline: float,
    ) -> CitationGraph:
        return await self._citations.graph(
            paper, direction, count, influential_only, provider=provider, trace=trace, deadline=deadline
        )

    async def full_text(self, identifier: str, *, tenant: str, deadline: float) -> FullText:
        return await self._texts.read(identifier, tenant=tenant, deadline=deadline)

    async def _from_one(
        self, query: PaperQuery, name: str, lens: str | None, trace: Trace, deadline: float
    ) -> PapersFound:
        """The provider that was named, and no other."""
        trace.attempted.append(name)
        with self._providers.offering_others(Kind.PAPERS, name):
            answer = await self._ask(name, query, deadline)
        trace.used = name
        if lens:
            answer = replace(answer, not_applied=answer.not_applied | {"lens"})
        return await self._finished(answer, query, name, deadline)

    async def _from_all(self, query: PaperQuery, trace: Trace, deadline: float) -> PapersFound:
        """Every provider side by side, and those that are good at what is asked for."""
        names = [name for name in self._names() if self._upstreams.is_healthy(name)] or self._names()
        suited = self._providers.specialists(Kind.PAPERS, kinds_in(query.text))
        return await self._from_several([*names, *suited], ALL, query, trace, deadline)

    async def _from_several(
        self, names: Sequence[str], source: str, query: PaperQuery, trace: Trace, deadline: float
    ) -> PapersFound:
        """These providers side by side, merged rank by rank."""
        trace.attempted += names
        outcomes = await asyncio.gather(*(self._ask(name, query, deadline) for name in names), return_exceptions=True)
        failures = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        for failure in failures:
            if not isinstance(failure, WellsourcedError):
                raise failure
        if len(failures) == len(outcomes):
            raise joint_failure(SEARCH, [failure for failure in failures if isinstance(failure, WellsourcedError)])
        answers = [outcome for outcome in outcomes if isinstance(outcome, ProviderPapers)]
        trace.used = source
        papers = merge_papers(interleave([answer.papers for answer in answers]))
        notes = [note for answer in answers for note in answer.notes] + [str(failure) for failure in failures]
        lost = frozenset().union(*(answer.not_applied for answer in answers))
        return await self._finished(ProviderPapers(papers, lost, tuple(notes)), query, source, deadline)

    async def _by_turns(self, query: PaperQuery, trace: Trace, deadline: float) -> PapersFound:
        names = self._names()
        suited = self._providers.specialists(Kind.PAPERS, kinds_in(query.text) & {"book", "dataset", "preprint"})
        if suited:
            chosen = [*suited[:MOST_SUITED], *names[:1]]
            found = await self._from_several(chosen, "+".join(chosen), query, trace, deadline)
            if found.papers:
                return found
        outcome = await ask_in_turn(
            names, lambda name: self._ask(name, query, deadline), lambda answer: bool(answer.papers)
        )
        trace.attempted += outcome.attempted
        failed = tuple(error.sentence for error in outcome.failures)
        if outcome.name and outcome.useful:
            trace.used = outcome.name
            trace.fallback_reason = None if outcome.name == names[0] else "primary_unavailable"
            answer = replace(outcome.useful, notes=outcome.useful.notes + failed)
            return await self._finished(answer, query, outcome.name, deadline)
        trace.fallback_reason = "primary_unavailable"
        stand_ins = [] if outcome.empty else self._providers.specialists(Kind.PAPERS, [PAPER])[:MOST_SUITED]
        if stand_ins:
            with suppress(WellsourcedError):
                found = await self._from_several(stand_ins, "+".join(stand_ins), query, trace, deadline)
                return replace(found, notes=failed + found.notes)
        try:
            found = await self._from_web(query, None, None, trace, deadline)
        except WellsourcedError as error:
            return self._given_up(outcome, error, trace)
        if not found.papers and not outcome.empty and outcome.failures:
            raise joint_failure(SEARCH, [*outcome.failures, nothing_on_the_web(trace.used or WEB)])
        return replace(found, notes=notes_of_empty(outcome) + failed + found.notes)

    def _given_up(self, outcome: FallbackOutcome[ProviderPapers], last: WellsourcedError, trace: Trace) -> PapersFound:
        """Nothing found is an answer when somebody looked; otherwise the first failure, with what the others said."""
        if not outcome.empty:
            raise joint_failure(SEARCH, (*outcome.failures, last))
        trace.used = next(iter(outcome.empty))
        notes = notes_of_empty(outcome) + tuple(error.sentence for error in (*outcome.failures, last))
        lost = frozenset().union(*(answer.not_applied for answer in outcome.empty.values()))
        return PapersFound(papers=(), source=trace.used, filters_not_applied=tuple(sorted(lost)), notes=notes)

    def _names(self) -> list[str]:
        """The operator's list for academic searches, then everyone else who has papers of every kind."""
        general = (name for name in self._upstreams.configured(Kind.PAPERS) if all_upstreams()[name].provider.automatic)
        return list(dict.fromkeys([*self._providers.order(Kind.PAPERS), *general]))

    async def _ask(self, name: str, query: PaperQuery, deadline: float) -> ProviderPapers:
        """One provider. More is asked for than is wanted where filters will take some away."""
        wider = replace(query, text=quote_acronyms(query.text), count=pool_size(query))
        found: ResultSet[Paper] = await self._upstreams.ask(name, Kind.PAPERS, wider, deadline=deadline)
        papers = merge_papers(found.items)
        if query.open_access or query.pdf_only or query.full_text:
            papers = await self._checks.with_copies(papers, deadline)
        kept = filter_papers(papers, query, found.not_applied, dated=True)
        lost = found.not_applied - ENRICHED_FILTERS - {"source"}
        return ProviderPapers(kept, lost, found.notes)

    async def _from_web(
        self, query: PaperQuery, provider: str | None, lens: str | None, trace: Trace, deadline: float
    ) -> PapersFound:
        found = await search_web_for_papers(
            self._search, query, provider=provider, lens=lens, trace=trace, deadline=deadline
        )
        papers = merge_papers(found.items)
        if query.open_access or query.pdf_only or query.full_text:
            papers = await self._checks.with_copies(papers, deadline)
        kept = filter_papers(papers, query, frozenset({"full_text"}), dated=False)
        lost = frozenset(found.filters_not_applied)
        if any(paper.year is None for paper in kept):
            lost |= {name for name in ("year_from", "year_to") if getattr(query, name)}
            lost |= {"sort_by"} if query.sort_by == "date" else set()
        if lens and query.source != "all":
            lost |= {"source"}
        return await self._finished(ProviderPapers(kept, lost, found.notes), query, WEB, deadline)

    async def _finished(self, answer: ProviderPapers, query: PaperQuery, source: str, deadline: float) -> PapersFound:
        """Cut to what was asked for, then completed: a free copy and the word on retractions for each."""
        papers = newest_first(answer.papers) if query.sort_by == "date" else answer.papers
        shown = papers[: query.count]
        copies, checked = await asyncio.gather(
            self._checks.with_copies(shown, deadline), self._checks.with_integrity(shown, deadline)
        )
        complete = [
            replace(paper, retraction=known.retraction) for paper, known in zip(copies, checked.papers, strict=True)
        ]
        return PapersFound(
            papers=tuple(complete),
            source=source,
            total=len(papers),
            filters_not_applied=tuple(sorted(answer.not_applied)),
            notes=answer.notes + checked.notes,
        )


def nothing_on_the_web(engine: str) -> WellsourcedError:
    """A web engine that finds nothing says little of papers: nobody who keeps them could look."""
    return UpstreamUnavailable(f"A web search ({engine}) within scholarly sites found nothing.")


def notes_of_empty(outcome: FallbackOutcome[ProviderPapers]) -> tuple[str, ...]:
    """What those who found nothing said of how they took the question."""
    return tuple(note for answer in outcome.empty.values() for note in answer.notes)


def pool_size(query: PaperQuery) -> int:
    is_filtered = query.open_access or query.pdf_only or query.full_text or query.source != "all"
    return min(LARGEST_POOL, query.count * POOL_FACTOR) if is_filtered else query.count + SPARE


# With operators the query is already in the service's own language.
OPERATORS = frozenset({"AND", "OR", "NOT"})
LONGEST_QUERY = 2_000
# More capitals than this are shouting or a table heading, not acronyms.
MOST_QUOTED = 5
EDGES = "()[]{},;:.!?'’"


def quote_acronyms(query: str) -> str:
    words = query[:LONGEST_QUERY].split()
    if '"' in query or OPERATORS.intersection(words) or len(query) > LONGEST_QUERY:
        return query
    marked = [_core(word) for word in words]
    acronyms = [core for core in marked if is_acronym(core)]
    if not 0 < len(acronyms) <= MOST_QUOTED or len(acronyms) == len(words):
        return query
    return " ".join(
        word.replace(core, f'"{core}"', 1) if core in acronyms else word
        for word, core in zip(words, marked, strict=True)
    )


def is_acronym(word: str) -> bool:
    """`CRISPR`, `COVID-19`, `GPT-4`; not `I`, `2024` or `BERT's`."""
    parts = re.split(r"[-‐‑/]", word)
    letters = sum(character.isupper() for character in word)
    return letters >= 2 and all(part.isalnum() and part == part.upper() for part in parts)


def _core(word: str) -> str:
    return word.strip(EDGES)
