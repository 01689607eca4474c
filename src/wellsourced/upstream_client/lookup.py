"""Asks one primary source: the one the caller named, or the first that is configured. No other stands in for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wellsourced.errors import BadInput, ContentEmpty, KeyRejected, Misconfigured, NotFound, WellsourcedError
from wellsourced.tool.call import Trace
from wellsourced.upstream import Kind, Provider
from wellsourced.upstream_client.client import UpstreamClient
from wellsourced.upstream_client.failure_messages import suggest_others
from wellsourced.upstream_client.provider_choice import ProviderChoice
from wellsourced.upstreams import all_upstreams


@dataclass(frozen=True, slots=True)
class LookupResult:
    """What a source returned, which one it was, and who else could be asked."""

    provider: str
    found: Any
    alternatives: tuple[str, ...] = ()


class Lookup:
    def __init__(self, upstreams: UpstreamClient, providers: ProviderChoice) -> None:
        self._upstreams = upstreams
        self._providers = providers

    def first(self, kind: Kind) -> str:
        """The source that is asked where the caller names none."""
        return self._providers.first(kind)

    async def ask(
        self, kind: Kind, query: object, *, provider: str | None, deadline: float, trace: Trace
    ) -> LookupResult:
        """`trace` learns who was asked; it stays off the answer, which names its source itself."""
        wanted = (provider or "").strip()
        name = self._providers.named(wanted, kind)[1] if wanted else self._providers.first(kind)
        source = all_upstreams()[name].provider
        trace.used = source.public_name
        try:
            found = await self._upstreams.ask(name, kind, query, deadline=deadline)
        except WellsourcedError as error:
            use_own_words(error, source)
            is_worth_another = not isinstance(error, BadInput | Misconfigured)
            suggest_others(error, self._providers.suggestions(kind, [name]) if is_worth_another else ())
            raise
        # The id of a series means nothing to another source.
        others = () if getattr(query, "series_id", "") else self._providers.suggestions(kind, [name])
        return LookupResult(source.public_name, found, tuple(others))


def use_own_words(error: WellsourcedError, source: Provider) -> None:
    """Give an error the source's own sentence where it found nothing or is not set up.

    The usual sentence, that it failed and another one should be tried, would be wrong there.
    """
    if isinstance(error, NotFound | Misconfigured | ContentEmpty) and error.detail:
        error.sentence = error.detail if error.detail.endswith(".") else f"{error.detail}."
    # A source that can be asked without any credentials refused the ones it was given.
    tokens = "" if source.needs else " and ".join(setting.name for setting in source.uses if setting.secret)
    if isinstance(error, KeyRejected) and tokens:
        error.sentence = f"{source.name} did not accept the value of {tokens}; correct it, or leave it unset."
    if isinstance(error, ContentEmpty):
        error.action = NotFound.action
