"""Sends a search to one provider, to several in turn, or to all at once.

In turn: one whose breaker is open is passed over, and a failure or an empty success falls through to the next. Where
none of them could look, open sources that fit the question are asked side by side instead; so are those that are good
at just this kind of question where the others found nothing. A provider that the caller named is the only one asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeAlias, TypeVar

from wellsourced.errors import WellsourcedError
from wellsourced.search.fusion import fuse
from wellsourced.search.question_kinds import GENERAL, SITE, kinds_of
from wellsourced.settings import Settings
from wellsourced.tool.call import Trace
from wellsourced.upstream import Kind
from wellsourced.upstream_client.client import UpstreamClient
from wellsourced.upstream_client.failure_messages import joint_failure, suggest_others
from wellsourced.upstream_client.provider_choice import ProviderChoice, activity
from wellsourced.upstreams import all_upstreams
from wellsourced.upstreams.types.search import ResultSet, WebQuery, has_more_than

ALL = "all"
OPERATOR_SIGNS = ('"', ":", "(", " OR ", " AND ", " -")

MOST_STAND_INS = 4
# What stands in where no engine could look: a list of addresses is no second opinion on what one has searched.
NOBODY_LOOKED = (GENERAL, SITE)

Q = TypeVar("Q", bound=WebQuery)
Before: TypeAlias = tuple[ResultSet[Any] | None, list[WellsourcedError]]


class SearchRouter:
    def __init__(self, upstreams: UpstreamClient, providers: ProviderChoice, settings: Settings) -> None:
        self._upstreams = upstreams
        self.providers = providers
        self._thin_threshold = settings.count("SEARCH_THIN_THRESHOLD")
        self._asks_all = settings.flag("SEARCH_FUSION")

    @property
    def has_choice(self) -> bool:
        """Whether several providers may be asked for one search; with one only, there is no route to report."""
        return self._asks_all or not self.providers.is_fixed

    async def route(self, kind: Kind, query: Q, provider: str | None, trace: Trace, deadline: float) -> ResultSet[Any]:
        wanted = (provider or "").strip().lower()
        if wanted == ALL or (not wanted and self._asks_all):
            return await self._ask_all(kind, query, trace, deadline)
        if wanted:
            _, name = self.providers.named(wanted, kind)
            trace.attempted.append(name)
            trace.used = name
            with self.providers.offering_others(kind, name):
                return await self._ask(name, kind, query, deadline)
        return await self._ask_in_turn(kind, query, trace, deadline)

    async def _ask_in_turn(self, kind: Kind, query: Q, trace: Trace, deadline: float) -> ResultSet[Any]:
        names = self.providers.order(kind)
        if not names and not self._stand_ins(kind, query, *NOBODY_LOOKED):
            raise self.providers.none_configured(kind)
        failures: list[WellsourcedError] = []
        empty: ResultSet[Any] | None = None
        for name in names:
            # The last one is asked even with an open breaker: its error then says how long to wait.
            if not self._upstreams.is_healthy(name) and name != names[-1]:
                trace.fallback_reason = trace.fallback_reason or "circuit_open"
                failures.append(self._upstreams.paused(name))
                continue
            trace.attempted.append(name)
            try:
                found = await self._ask(name, kind, query, deadline)
            except WellsourcedError as error:
                failures.append(error)
            else:
                trace.used = name
                if found.items:
                    break
                empty = empty or found
            trace.fallback_reason = trace.fallback_reason or "primary_unavailable"
        else:
            trace.fallback_reason = None
            stand_ins = self._stand_ins(kind, query, *([] if empty else NOBODY_LOOKED))
            if stand_ins:
                return await self._ask_stand_ins(kind, query, stand_ins, trace, deadline, (empty, failures))
            if empty is None:
                raise self._joint_failure(kind, failures)
            found = empty
        if trace.used == names[0]:
            trace.fallback_reason = None
        return with_failures(found, failures)

    def _stand_ins(self, kind: Kind, query: Q, *more: str) -> list[str]:
        """Open sources that are good at what is asked for."""
        wanted = {*kinds_of(query, datetime.now(UTC).date()), *more} - (set() if query.sites else {SITE})
        return self.providers.specialists(kind, wanted)[:MOST_STAND_INS]

    async def _ask_stand_ins(
        self, kind: Kind, query: Q, names: list[str], trace: Trace, deadline: float, before: Before
    ) -> ResultSet[Any]:
        """Open sources side by side, merged by rank; `before` is the empty answer and the failures of the others."""
        empty, failures = before
        trace.attempted.extend(names)
        answers = await self._side_by_side(names, kind, query, deadline, failures)
        useful = {name: found for name, found in answers.items() if found.items}
        if not useful:
            if empty is None and not answers:
                raise self._joint_failure(kind, failures)
            return with_failures(empty or fuse(answers), failures)
        trace.used = "+".join(useful)
        trace.fallback_reason = "primary_unavailable"
        titles = ", ".join(all_upstreams()[name].provider.title for name in names)
        found = with_failures(fuse(answers), failures)
        return replace(found, notes=(*found.notes, f"Asked instead: {titles}. They cover parts of the web only."))

    async def _ask(self, name: str, kind: Kind, query: Q, deadline: float) -> ResultSet[Any]:
        """One provider; when it finds hardly anything, once more with the filler words left out."""
        found: ResultSet[Any] = await self._upstreams.ask(name, kind, query, deadline=deadline)
        if not self._thin_threshold or has_more_than(self._thin_threshold, found.items):
            return found
        plain = simplify_query(query.text)
        if plain == query.text or not plain:
            return found
        try:
            again: ResultSet[Any] = await self._upstreams.ask(name, kind, replace(query, text=plain), deadline=deadline)
        except WellsourcedError:
            return found
        return again if len(again.items) > len(found.items) else found

    async def _ask_all(self, kind: Kind, query: Q, trace: Trace, deadline: float) -> ResultSet[Any]:
        """Every configured provider side by side, merged by rank."""
        automatic = [name for name in self._upstreams.configured(kind) if all_upstreams()[name].provider.automatic]
        automatic += self._stand_ins(kind, query)
        if not automatic:
            raise self.providers.none_configured(kind)
        names = [name for name in automatic if self._upstreams.is_healthy(name)]
        failures = [self._upstreams.paused(name) for name in automatic if name not in names]
        trace.attempted.extend(names)
        answers = await self._side_by_side(names, kind, query, deadline, failures)
        if not answers:
            raise self._joint_failure(kind, failures)
        trace.used = "+".join(name for name, found in answers.items() if found.items) or None
        return with_failures(fuse(answers), failures)

    async def _side_by_side(
        self, names: Sequence[str], kind: Kind, query: Q, deadline: float, failures: list[WellsourcedError]
    ) -> dict[str, ResultSet[Any]]:
        """The answers of those that could look; what happened to the others is added to `failures`."""
        asked = (self._upstreams.ask(name, kind, query, deadline=deadline) for name in names)
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        answers: dict[str, ResultSet[Any]] = {}
        for name, outcome in zip(names, outcomes, strict=True):
            if isinstance(outcome, WellsourcedError):
                failures.append(outcome)
            elif isinstance(outcome, BaseException):
                raise outcome
            else:
                answers[name] = outcome
        return answers

    def _joint_failure(self, kind: Kind, failures: Sequence[WellsourcedError]) -> WellsourcedError:
        """Nobody could answer: what happened to each, and who else could be asked."""
        first = joint_failure(activity(kind), failures)
        suggest_others(first, self.providers.suggestions(kind, [failure.provider or "" for failure in failures]))
        return first


def with_failures(found: ResultSet[Any], failures: Sequence[WellsourcedError]) -> ResultSet[Any]:
    return replace(found, notes=found.notes + tuple(each.sentence for each in failures)) if failures else found


def simplify_query(query: str) -> str:
    """The query without filler words and closing punctuation; as it is when it uses operators of its own."""
    if any(sign in query for sign in OPERATOR_SIGNS):
        return query
    from wellsourced.text.terms import STOP_WORDS

    words = [word.strip("?!.,;") for word in query.split()]
    kept = [word for word in words if word and word.casefold() not in STOP_WORDS]
    return " ".join(kept) or query
