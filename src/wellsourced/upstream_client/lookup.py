"""Asking one primary source: the one that was named, or the first that is configured. Nobody stands in for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from typing import Any

from wellsourced.errors import (
    BadInput,
    ContentEmpty,
    KeyRejected,
    Misconfigured,
    NotFound,
    UnknownProvider,
    WellsourcedError,
)
from wellsourced.tool.trace import Trace
from wellsourced.upstream import Kind
from wellsourced.upstream_client.client import UpstreamClient
from wellsourced.upstream_client.failure_messages import offer
from wellsourced.upstream_client.router import Router
from wellsourced.upstreams import all_upstreams, providers_offering
from wellsourced.upstreams.helpers.periods import bounds

DOING = {
    Kind.FILINGS: "search company filings",
    Kind.CASES: "search court opinions",
    Kind.SERIES: "look up economic data",
    Kind.TRIALS: "search clinical trials",
    Kind.PLACES: "find places",
    Kind.ANSWERS: "write answers",
    Kind.STRUCTURED: "read fields out of pages",
}
# One service, two conversations: callers know it under the shorter name.
CALLED = {"brave-local": "brave"}
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
SHOWN_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Looked:
    """What a source brought, and which one it was."""

    provider: str
    found: Any


class Lookup:
    def __init__(self, upstreams: UpstreamClient, router: Router) -> None:
        self._upstreams = upstreams
        self._router = router

    async def ask(self, kind: Kind, query: object, *, provider: str | None, deadline: float, trace: Trace) -> Looked:
        """`trace` learns who was asked; it stays off the answer, which names its source itself."""
        name = self._named(kind, provider) if (provider or "").strip() else self._first(kind)
        trace.used = called(name)
        try:
            found = await self._upstreams.ask(name, kind, query, deadline=deadline)
        except WellsourcedError as error:
            retell(error, name)
            offer(error, () if isinstance(error, BadInput | Misconfigured) else self._others(kind, name))
            raise
        return Looked(called(name), found)

    def _named(self, kind: Kind, provider: str | None) -> str:
        wanted = (provider or "").strip().lower()
        choices = {called(name): name for name in providers_offering(kind)}
        if wanted not in choices:
            raise self._unknown(kind, wanted, list(choices))
        try:
            return self._router.named(kind, choices[wanted])
        except Misconfigured as error:
            retell(error, choices[wanted])
            raise

    def _unknown(self, kind: Kind, wanted: str, choices: list[str]) -> UnknownProvider:
        nearest = get_close_matches(wanted, choices, n=1)
        hint = f" Did you mean {nearest[0]}?" if nearest else ""
        return UnknownProvider(
            f"No provider {wanted[:SHOWN_LENGTH]!r} can {DOING[kind]}.{hint} Choose from: {', '.join(choices)}.",
            alternatives=self._others(kind, ""),
        )

    def _others(self, kind: Kind, name: str) -> tuple[str, ...]:
        return tuple(called(other) for other in self._router.alternatives(kind, [name]))

    def _first(self, kind: Kind) -> str:
        able = self._upstreams.configured(kind)
        if able:
            return able[0]
        choices = [
            f"{called(name)} ({' and '.join(self._upstreams.connection(name).missing)})"
            for name in providers_offering(kind)
        ]
        raise Misconfigured(
            f"No provider that can {DOING[kind]} is configured. Configure one of: {', '.join(choices)}."
        )


def called(name: str) -> str:
    """A provider's name as callers know it."""
    return CALLED.get(name, name)


def retell(error: WellsourcedError, name: str) -> None:
    """Put the error under the name that callers know. What was not found, or is not set up, is told in the source's own
    words: that it failed and another one should be tried would be wrong."""
    if isinstance(error, NotFound | Misconfigured | ContentEmpty) and error.detail:
        error.sentence = error.detail if error.detail.endswith(".") else f"{error.detail}."
    if isinstance(error, KeyRejected) and (tokens := spare_tokens(name)):
        error.sentence = f"{name} did not accept the value of {tokens}; correct it, or leave it unset."
    if isinstance(error, ContentEmpty):
        error.action = NotFound.action
    if error.provider == name:
        error.provider = called(name)
    error.sentence = error.sentence.replace(f"({name})", f"({called(name)})")


def spare_tokens(name: str) -> str:
    """The credentials of a source that can be asked without any; "" where one is needed."""
    provider = all_upstreams()[name].provider
    return "" if provider.needs else " and ".join(setting.name for setting in provider.uses if setting.secret)


def check_window(date_from: str | None, date_to: str | None, *, days_only: bool = True) -> None:
    """Raise ValueError with a sentence when a date cannot be read or the window is turned round."""
    for name, text in (("date_from", date_from), ("date_to", date_to)):
        if text and text.strip() and days_only and not is_day(text.strip()):
            raise ValueError(f"{name} must be a day as YYYY-MM-DD, e.g. 2024-07-31; got {text[:SHOWN_LENGTH]!r}.")
    try:
        bounds(date_from, date_to)
    except BadInput as problem:
        raise ValueError(problem.sentence) from None


def is_day(text: str) -> bool:
    try:
        return bool(DAY.fullmatch(text)) and date.fromisoformat(text) is not None
    except ValueError:
        return False
