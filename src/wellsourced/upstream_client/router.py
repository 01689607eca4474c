"""Chooses which providers to ask, in which order, and goes on to the next when one cannot help.

The order comes from SEARCH_ROUTING, else SEARCH_PROVIDER, else every configured provider, best first. A
provider without the capability is not asked, one whose breaker is open is passed over, and an empty success
falls through to the next; an explicitly named provider is the only one asked.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, TypeVar

from wellsourced.errors import Misconfigured, UnknownProvider, WellsourcedError
from wellsourced.search.fusion import fuse
from wellsourced.settings import Settings
from wellsourced.tool.trace import Trace
from wellsourced.upstream import Kind
from wellsourced.upstream_client.client import UpstreamClient
from wellsourced.upstream_client.failure_messages import not_configured, offer
from wellsourced.upstream_client.simplify import simplified
from wellsourced.upstreams import all_upstreams, providers_offering
from wellsourced.upstreams.types.search import ResultSet, WebQuery

ALL = "all"
OPERATIONS = {
    Kind.WEB: "web",
    Kind.IMAGES: "images",
    Kind.NEWS: "news",
    Kind.PAPERS: "academic",
    Kind.PATENTS: "patents",
}
DOING = {
    Kind.WEB: "search the web",
    Kind.IMAGES: "search images",
    Kind.NEWS: "search news",
    Kind.PAPERS: "search papers",
    Kind.PATENTS: "search patents",
}

Q = TypeVar("Q", bound=WebQuery)


class Router:
    def __init__(self, upstreams: UpstreamClient, settings: Settings) -> None:
        self._upstreams = upstreams
        self._single = settings.text("SEARCH_PROVIDER").lower()
        self._thin = settings.count("SEARCH_THIN_THRESHOLD")
        self._fusion = settings.flag("SEARCH_FUSION")
        self.problems: list[str] = []
        self._lists = self._read_routing(settings.text("SEARCH_ROUTING"))
        if self._single and self._single not in all_upstreams():
            self.problems.append(
                f"SEARCH_PROVIDER: {self._single!r} is unknown; it accepts {', '.join(providers_offering(Kind.WEB))}."
            )
            self._single = ""

    def _read_routing(self, text: str) -> dict[str, list[str]]:
        """Operation → names; the key "default" serves every operation without a list of its own."""
        if not text:
            return {}
        if not text.startswith("{"):
            return {"default": self._known(text.split(","))}
        try:
            table = json.loads(text)
            return {str(operation): self._known(_names(value)) for operation, value in table.items()}
        except (ValueError, TypeError, AttributeError):
            self.problems.append(
                'SEARCH_ROUTING: not understood; it accepts a list (brave,google) or {"web":"brave,google"}.'
            )
            return {}

    def _known(self, names: Sequence[str]) -> list[str]:
        wanted = [name.strip().lower() for name in names if name.strip()]
        unknown = [name for name in wanted if name not in all_upstreams()]
        if unknown:
            self.problems.append(
                f"SEARCH_ROUTING: unknown provider {', '.join(unknown)}; it accepts {', '.join(all_upstreams())}."
            )
        return [name for name in wanted if name not in unknown]

    @property
    def has_choice(self) -> bool:
        """Whether several engines may be asked for one search; with one only, there is nothing to tell of the way."""
        return self._fusion or bool(self._lists) or not self._single

    def order(self, kind: Kind) -> list[str]:
        """Providers to try, in order, when the caller named none."""
        able = self._upstreams.configured(kind)
        listed = self._lists.get(OPERATIONS.get(kind, kind.value), self._lists.get("default"))
        if listed is not None:
            return [name for name in listed if name in able]
        if self._single:
            return [self._single] if self._single in able else []
        return [name for name in able if all_upstreams()[name].provider.automatic]

    def alternatives(self, kind: Kind, used: Sequence[str] = ()) -> list[str]:
        """Configured, healthy providers for this that have not been asked, sorted."""
        return sorted(n for n in self._upstreams.configured(kind) if n not in used and self._upstreams.is_healthy(n))

    @contextmanager
    def offering_others(self, kind: Kind, name: str) -> Iterator[None]:
        """Around asking the provider that the caller named: its failure says who else could be asked."""
        try:
            yield
        except WellsourcedError as error:
            offer(error, self.alternatives(kind, [name]))
            raise

    def named(self, kind: Kind, name: str) -> str:
        """An explicit choice, checked; the error lists the choices or names the variable to set."""
        name = name.strip().lower()
        able = providers_offering(kind)
        if name not in able:
            nearest = get_close_matches(name, able, n=1)
            hint = f" Did you mean {nearest[0]}?" if nearest else ""
            raise UnknownProvider(
                f"No provider {name!r} can {DOING.get(kind, kind.value)}.{hint} Choose from: {', '.join(able)}.",
                alternatives=self.alternatives(kind),
            )
        if not self._upstreams.is_configured(name):
            raise not_configured(all_upstreams()[name].provider, self._upstreams.connection(name).missing)
        return name

    async def route(self, kind: Kind, query: Q, provider: str | None, trace: Trace, deadline: float) -> ResultSet[Any]:
        wanted = (provider or "").strip().lower()
        if wanted == ALL or (not wanted and self._fusion):
            return await self._ask_all(kind, query, trace, deadline)
        if wanted:
            name = self.named(kind, wanted)
            trace.attempted.append(name)
            trace.used = name
            with self.offering_others(kind, name):
                return await self._ask(name, kind, query, deadline)
        return await self._ask_in_turn(kind, query, trace, deadline)

    async def _ask_in_turn(self, kind: Kind, query: Q, trace: Trace, deadline: float) -> ResultSet[Any]:
        names = self.order(kind)
        if not names:
            raise self._none_configured(kind)
        failures: list[WellsourcedError] = []
        empty: ResultSet[Any] | None = None
        for name in names:
            if not self._upstreams.is_healthy(name) and name != names[-1]:
                trace.fallback_reason = trace.fallback_reason or "circuit_open"
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
            found = empty if empty is not None else self._give_up(kind, failures)
        if trace.used == names[0]:
            trace.fallback_reason = None
        return replace(found, notes=found.notes + tuple(error.sentence for error in failures))

    async def _ask(self, name: str, kind: Kind, query: Q, deadline: float) -> ResultSet[Any]:
        """One engine; when it finds hardly anything, once more with the filler words left out."""
        found: ResultSet[Any] = await self._upstreams.ask(name, kind, query, deadline=deadline)
        plain = simplified(query.text)
        if len(found.items) > self._thin or not self._thin or plain == query.text or not plain:
            return found
        try:
            again: ResultSet[Any] = await self._upstreams.ask(name, kind, replace(query, text=plain), deadline=deadline)
        except WellsourcedError:
            return found
        return again if len(again.items) > len(found.items) else found

    async def _ask_all(self, kind: Kind, query: Q, trace: Trace, deadline: float) -> ResultSet[Any]:
        """Every configured engine side by side, merged by rank."""
        names = [
            n
            for n in self._upstreams.configured(kind)
            if all_upstreams()[n].provider.automatic and self._upstreams.is_healthy(n)
        ]
        if not names:
            raise self._none_configured(kind)
        trace.attempted.extend(names)
        asked = (self._upstreams.ask(name, kind, query, deadline=deadline) for name in names)
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        answers: dict[str, ResultSet[Any]] = {}
        failures: list[WellsourcedError] = []
        for name, outcome in zip(names, outcomes, strict=True):
            if isinstance(outcome, WellsourcedError):
                failures.append(outcome)
            elif isinstance(outcome, BaseException):
                raise outcome
            else:
                answers[name] = outcome
        if not answers:
            return self._give_up(kind, failures)
        trace.used = "+".join(name for name, found in answers.items() if found.items) or None
        merged = fuse(answers)
        return replace(merged, notes=merged.notes + tuple(error.sentence for error in failures))

    def _give_up(self, kind: Kind, failures: Sequence[WellsourcedError]) -> ResultSet[Any]:
        """Nobody could answer: the first failure, with what happened to the others."""
        first = failures[0]
        if len(failures) > 1:
            first.sentence = f"No provider could {DOING.get(kind, kind.value)}. " + " ".join(
                e.sentence for e in failures
            )
        offer(first, self.alternatives(kind, [e.provider or "" for e in failures]))
        raise first

    def _none_configured(self, kind: Kind) -> Misconfigured:
        choices = []
        for name in providers_offering(kind):
            missing = self._upstreams.connection(name).missing
            if missing:
                choices.append(f"{name} ({' and '.join(missing)})")
        return Misconfigured(
            f"No provider that can {DOING.get(kind, kind.value)} is configured. Configure one of: {', '.join(choices)}."
        )


def _names(value: object) -> list[str]:
    if isinstance(value, list):
        return [str(name) for name in value]
    return str(value).split(",")
