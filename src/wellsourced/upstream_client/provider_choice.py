"""Chooses which provider is asked: the one the caller named, or the configured ones in the operator's order.

The order comes from SEARCH_ROUTING, else SEARCH_PROVIDER, else every configured provider, best first. A name that
nobody has is answered with "did you mean" and the names there are.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from wellsourced.errors import Misconfigured, UnknownProvider, WellsourcedError
from wellsourced.settings import Settings
from wellsourced.text.did_you_mean import did_you_mean
from wellsourced.upstream import Kind
from wellsourced.upstream_client.client import UpstreamClient
from wellsourced.upstream_client.failure_messages import not_configured, suggest_others
from wellsourced.upstreams import all_upstreams, providers_offering

LONGEST_NAME_SHOWN = 80
# What SEARCH_ROUTING calls a kind of search, where that differs from the kind's own name.
ROUTING_KEYS = {Kind.PAPERS: "academic"}
ACTIVITIES = {
    Kind.WEB: "search the web",
    Kind.IMAGES: "search images",
    Kind.NEWS: "search news",
    Kind.PAPERS: "search papers",
    Kind.PATENTS: "search patents",
    Kind.CITATIONS: "follow citations",
    Kind.FILINGS: "search company filings",
    Kind.CASES: "search court opinions",
    Kind.SERIES: "look up economic data",
    Kind.TRIALS: "search clinical trials",
    Kind.PLACES: "find places",
    Kind.ANSWERS: "write answers",
    Kind.STRUCTURED: "read fields out of pages",
}


class ProviderChoice:
    """The choice under one set of settings; what is wrong with them is in `problems`."""

    def __init__(self, upstreams: UpstreamClient, settings: Settings) -> None:
        self._upstreams = upstreams
        self.problems: list[str] = []
        self._routing = self._read_routing(settings.text("SEARCH_ROUTING"))
        self._single = settings.text("SEARCH_PROVIDER").lower()
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
            return {"default": self._known_names(text.split(","))}
        try:
            table = json.loads(text)
            return {str(operation): self._known_names(_split_names(value)) for operation, value in table.items()}
        except (ValueError, TypeError, AttributeError):
            self.problems.append(
                'SEARCH_ROUTING: not understood; it accepts a list (brave,google) or {"web":"brave,google"}.'
            )
            return {}

    def _known_names(self, names: Sequence[str]) -> list[str]:
        wanted = [name.strip().lower() for name in names if name.strip()]
        unknown = [name for name in wanted if name not in all_upstreams()]
        if unknown:
            self.problems.append(
                f"SEARCH_ROUTING: unknown provider {', '.join(unknown)}; it accepts {', '.join(all_upstreams())}."
            )
        return [name for name in wanted if name not in unknown]

    @property
    def is_fixed(self) -> bool:
        """Whether the operator named one provider for everything."""
        return bool(self._single) and not self._routing

    def order(self, kind: Kind) -> list[str]:
        """Providers to try, in order, when the caller named none."""
        able = self._upstreams.configured(kind)
        listed = self._routing.get(ROUTING_KEYS.get(kind, kind.value), self._routing.get("default"))
        if listed is not None:
            return [name for name in listed if name in able]
        if self._single:
            return [self._single] if self._single in able else []
        return [name for name in able if all_upstreams()[name].provider.automatic]

    def specialists(self, kind: Kind, wanted: Collection[str]) -> list[str]:
        """Those not asked otherwise that are good at one of these kinds of question, most of them first.

        Where the operator has chosen who is asked, nobody else is.
        """
        if self._single or ROUTING_KEYS.get(kind, kind.value) in self._routing or "default" in self._routing:
            return []
        able = ((name, all_upstreams()[name].provider) for name in self._upstreams.configured(kind))
        fit = {name: len({*wanted} & {*provider.good_at}) for name, provider in able if not provider.automatic}
        return sorted((name for name in fit if fit[name] and self._upstreams.is_healthy(name)), key=lambda n: -fit[n])

    def first(self, kind: Kind) -> str:
        """The best configured provider; Misconfigured when there is none but those that are asked by name only."""
        able = [name for name in self._upstreams.configured(kind) if all_upstreams()[name].provider.automatic]
        if not able:
            raise self.none_configured(kind)
        return able[0]

    def named(self, name: str, *kinds: Kind) -> tuple[Kind, str]:
        """The provider that callers know by a name, and the first of the kinds that it offers.

        The error lists the choices, or names the variables to set where the provider is not configured.
        """
        wanted = name.strip().lower()
        for kind in kinds:
            choices = {all_upstreams()[other].provider.public_name: other for other in providers_offering(kind)}
            if wanted in choices:
                provider = all_upstreams()[choices[wanted]].provider
                if missing := self._upstreams.connection(provider.name).missing:
                    raise not_configured(provider, missing)
                return kind, provider.name
        raise self._unknown_provider(wanted, kinds)

    def _unknown_provider(self, wanted: str, kinds: Sequence[Kind]) -> UnknownProvider:
        names = (all_upstreams()[name].provider.public_name for kind in kinds for name in providers_offering(kind))
        choices = list(dict.fromkeys(names))
        hint = did_you_mean(wanted, choices)
        return UnknownProvider(
            f"No provider {wanted[:LONGEST_NAME_SHOWN]!r} can {activity(kinds[0])}.{hint} "
            f"Choose from: {', '.join(choices)}.",
            alternatives=sorted({name for kind in kinds for name in self.alternatives(kind)}),
        )

    def none_configured(self, kind: Kind) -> Misconfigured:
        missing = {name: self._upstreams.connection(name).missing for name in providers_offering(kind)}
        choices = [
            f"{all_upstreams()[name].provider.public_name} ({' and '.join(variables)})"
            for name, variables in missing.items()
            if variables
        ]
        return Misconfigured(
            f"No provider that can {activity(kind)} is configured. Configure one of: {', '.join(choices)}."
        )

    def alternatives(self, kind: Kind, used: Sequence[str] = ()) -> list[str]:
        """Configured, healthy providers for this that have not been asked, sorted, as callers know them."""
        healthy = (name for name in self._upstreams.configured(kind) if self._upstreams.is_healthy(name))
        return sorted(all_upstreams()[name].provider.public_name for name in healthy if name not in used)

    def suggestions(self, kind: Kind, used: Sequence[str] = ()) -> list[str]:
        """Those of the alternatives that can be asked anything of this kind, not only what they specialise in."""
        known = (entry.provider for entry in all_upstreams().values())
        is_search = kind in (Kind.WEB, Kind.NEWS, Kind.IMAGES)
        general = {each.public_name for each in known if each.automatic or (is_search and "general" in each.good_at)}
        return [name for name in self.alternatives(kind, used) if name in general]

    @contextmanager
    def offering_others(self, kind: Kind, name: str) -> Iterator[None]:
        """Around asking the provider that the caller named: its failure says who else could be asked."""
        try:
            yield
        except WellsourcedError as error:
            suggest_others(error, self.suggestions(kind, [name]))
            raise


def activity(kind: Kind) -> str:
    """What a provider of a kind does, to stand behind "can"."""
    return ACTIVITIES.get(kind, kind.value)


def _split_names(value: object) -> list[str]:
    return [str(name) for name in value] if isinstance(value, list) else str(value).split(",")
