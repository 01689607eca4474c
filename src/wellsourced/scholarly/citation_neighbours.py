"""A work's neighbours: who cites it and what it cites, one hop in each direction.

Semantic Scholar goes first, because it tells what a citation is for; OpenAlex follows when it does not know the work or
cannot answer, unless the caller named a provider.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from wellsourced.errors import BadInput, WellsourcedError
from wellsourced.scholarly.paper_checks import PaperChecks
from wellsourced.tool.call import Trace
from wellsourced.upstream import Kind
from wellsourced.upstream_client.client import UpstreamClient
from wellsourced.upstream_client.failure_messages import suggest_others
from wellsourced.upstream_client.provider_choice import ProviderChoice
from wellsourced.upstreams import all_upstreams
from wellsourced.upstreams.types.paper import Direction, EdgeCounts, EdgeQuery, Edges, Integrity, Paper

# The only provider that tells intent and influence.
PREFERRED = "semanticscholar"
FLAGS_RETRACTIONS = "openalex"
# Few citations are influential, so many have to be fetched to show some.
INFLUENTIAL_POOL = 200
# Requests a second from which asking for both directions at once is the faster way.
BRISK = 2.0

UNKNOWN_INFLUENCE = "The provider does not tell which citations are influential, so all are listed."


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationGraph:
    """`counts` is how many edges the provider knows in all; None for a direction that was not asked for or failed."""

    provider: str
    seed: Paper
    cited_by: tuple[Paper, ...] | None = None
    references: tuple[Paper, ...] | None = None
    counts: EdgeCounts = field(default_factory=EdgeCounts)
    notes: tuple[str, ...] = ()


class CitationNeighbours:
    def __init__(self, upstreams: UpstreamClient, providers: ProviderChoice, checks: PaperChecks) -> None:
        self._upstreams = upstreams
        self._providers = providers
        self._checks = checks

    async def graph(
        self,
        paper: str,
        direction: Direction,
        count: int,
        influential_only: bool,
        *,
        provider: str | None,
        trace: Trace,
        deadline: float,
    ) -> CitationGraph:
        if not paper.strip():
            raise BadInput("paper is empty; give a DOI such as 10.1038/nature12373, or an exact title.")
        wanted = max(count, INFLUENTIAL_POOL) if influential_only else count
        query = EdgeQuery(seed=paper.strip(), direction=direction, count=wanted)
        name, edges, failures = await self._edges(query, provider, trace, deadline)
        notes = [*failures, *edges.notes]
        cited_by, references = edges.cited_by, edges.references
        if influential_only:
            if not tells_influence(edges):
                notes.append(UNKNOWN_INFLUENCE)
            cited_by, references = only_influential(cited_by), only_influential(references)
        lists = [None if papers is None else papers[:count] for papers in (cited_by, references)]
        checked, check_notes = await self._checked([(edges.seed,), *lists], name, deadline)
        return CitationGraph(
            provider=name,
            seed=(checked[0] or (edges.seed,))[0],
            cited_by=checked[1],
            references=checked[2],
            counts=edges.counts,
            notes=(*notes, *check_notes),
        )

    async def _edges(
        self, query: EdgeQuery, provider: str | None, trace: Trace, deadline: float
    ) -> tuple[str, Edges, list[str]]:
        names = [self._providers.named(provider, Kind.CITATIONS)[1]] if provider else self._order()
        failures: list[WellsourcedError] = []
        for name in names:
            if not (provider or all_upstreams()[name].provider.automatic) and not all(map(is_outage, failures)):
                continue
            trace.attempted.append(name)
            try:
                edges = await self._ask(name, query, deadline)
            except BadInput:
                raise
            except WellsourcedError as error:
                failures.append(error)
                trace.fallback_reason = "primary_unavailable"
                continue
            trace.used = name
            return name, edges, [error.sentence for error in failures]
        raise self._worst(failures)

    def _order(self) -> list[str]:
        able = self._upstreams.configured(Kind.CITATIONS)
        return sorted(able, key=lambda name: name != PREFERRED)

    def _worst(self, failures: Sequence[WellsourcedError]) -> WellsourcedError:
        """The first failure that is not the plain word that the work is unknown; with what the others said."""
        error_to_raise = next((error for error in failures if error.kind != "not_found"), failures[0])
        if len(failures) > 1:
            error_to_raise.sentence = " ".join(dict.fromkeys(error.sentence for error in failures))
        suggest_others(
            error_to_raise, self._providers.alternatives(Kind.CITATIONS, [error.provider or "" for error in failures])
        )
        return error_to_raise

    async def _ask(self, name: str, query: EdgeQuery, deadline: float) -> Edges:
        """Both directions side by side where the provider's pace allows it; else one after the other."""
        pace = all_upstreams()[name].provider.pace
        is_brisk = pace is None or pace.requests / pace.seconds >= BRISK
        if query.direction != "both" or not is_brisk:
            edges: Edges = await self._upstreams.ask(name, Kind.CITATIONS, query, deadline=deadline)
            return edges
        directions: tuple[Direction, Direction] = ("cited_by", "references")
        outcomes = await asyncio.gather(
            *(
                self._upstreams.ask(name, Kind.CITATIONS, replace(query, direction=direction), deadline=deadline)
                for direction in directions
            ),
            return_exceptions=True,
        )
        return join_directions(outcomes)

    async def _checked(
        self, lists: Sequence[tuple[Paper, ...] | None], name: str, deadline: float
    ) -> tuple[list[tuple[Paper, ...] | None], tuple[str, ...]]:
        """The word on retractions for every edge; where the provider flags them, only flagged ones are asked for."""
        papers = [paper for part in lists for paper in part or ()]
        asked = [paper for paper in papers if name != FLAGS_RETRACTIONS or paper.retraction]
        checked = await self._checks.with_integrity(asked, deadline)
        known: dict[str | None, Integrity | None] = {p.doi: p.retraction for p in checked.papers if p.doi}
        completed = [
            None if part is None else tuple(replace(p, retraction=known.get(p.doi, p.retraction)) for p in part)
            for part in lists
        ]
        return completed, checked.notes


def is_outage(error: WellsourcedError) -> bool:
    """Whether nobody looked; the plain word that the work is unknown needs no second opinion."""
    return error.kind != "not_found"


def join_directions(outcomes: Sequence[Edges | BaseException]) -> Edges:
    """Two directions as one answer; when only one failed, the other stands and the failure becomes a note."""
    failures = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    for failure in failures:
        if not isinstance(failure, WellsourcedError) or len(failures) == len(outcomes):
            raise failure
    parts = [outcome for outcome in outcomes if isinstance(outcome, Edges)]
    notes = [note for part in parts for note in part.notes] + [str(failure) for failure in failures]
    return Edges(
        seed=parts[0].seed,
        cited_by=next((part.cited_by for part in parts if part.cited_by is not None), None),
        references=next((part.references for part in parts if part.references is not None), None),
        counts=parts[0].counts,
        notes=tuple(dict.fromkeys(notes)),
    )


def tells_influence(edges: Edges) -> bool:
    """No edges at all tell nothing wrong."""
    papers = [*(edges.cited_by or ()), *(edges.references or ())]
    return not papers or any(paper.is_influential is not None for paper in papers)


def only_influential(papers: tuple[Paper, ...] | None) -> tuple[Paper, ...] | None:
    """The influential ones; all of them where nobody said."""
    if papers is None or all(paper.is_influential is None for paper in papers):
        return papers
    return tuple(paper for paper in papers if paper.is_influential)
