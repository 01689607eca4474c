"""Upstream APIs, one a file. A module in this package is a provider; there is no list to edit by hand.

Each module holds `PROVIDER` and one function for each thing it offers, named after the `Kind`:
`def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]`. `helpers/` holds what several of them share and the
formats of single ones, `types/` what they are asked and what they return. `declared.json` is what `make generate`
writes of them, so that a process imports only those it asks.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from wellsourced.http_exchange import Steps
from wellsourced.late_dataclass import dataclass
from wellsourced.settings.setting import Setting
from wellsourced.upstream import Kind, Provider, read_declarations, write_declarations

DECLARED = Path(__file__).with_name("declared.json")


@dataclass(frozen=True)
class UpstreamModule:
    """A provider and the module that holds its conversations."""

    provider: Provider
    module_name: str
    offers: frozenset[Kind]

    @classmethod
    def of(cls, module: ModuleType) -> UpstreamModule:
        offers = frozenset(kind for kind in Kind if callable(getattr(module, kind.value, None)))
        return cls(module.PROVIDER, module.__name__, offers)

    @cached_property
    def module(self) -> ModuleType:
        return importlib.import_module(self.module_name)

    @property
    def in_words(self) -> str:
        """What it offers, as one line of text."""
        return ", ".join(sorted({kind.in_words for kind in self.offers}))

    def conversation(self, kind: Kind) -> Callable[..., Steps[Any]]:
        """The generator function that yields the requests for one kind of thing."""
        function: Callable[..., Steps[Any]] = getattr(self.module, kind.value)
        return function

    def settings(self) -> Iterator[Setting]:
        """Every variable the provider reads, its base addresses included."""
        provider = self.provider
        yield from provider.needs
        yield from provider.uses
        for host, base in provider.bases.items():
            name = provider.base_variable(host)
            shown = f"default {base}" if base else "no default"
            yield Setting(name, f"Address of {provider.title}{f' ({host})' if host else ''}; {shown}.", kind="url")


@cache
def all_upstreams() -> dict[str, UpstreamModule]:
    """Every provider by name, in the order of the files, as they are declared."""
    return {
        provider.name: UpstreamModule(provider, f"{__name__}.{name}", frozenset(map(Kind, offers)))
        for name, provider, offers in read_declarations(DECLARED)
    }


def declare_upstreams() -> str:
    """What the modules of this package declare, as `all_upstreams` reads it."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__) if not info.ispkg)
    entries = [(name, UpstreamModule.of(importlib.import_module(f"{__name__}.{name}"))) for name in names]
    return write_declarations((name, entry.provider, sorted(entry.offers)) for name, entry in entries)


def providers_offering(kind: Kind) -> list[str]:
    """Names of the providers that offer this, best first."""
    able = [entry.provider for entry in all_upstreams().values() if kind in entry.offers]
    return [provider.name for provider in sorted(able, key=lambda p: (p.preference, p.name))]


def upstream_settings() -> list[Setting]:
    """The variables of all providers, each once."""
    unique = {setting.name: setting for entry in all_upstreams().values() for setting in entry.settings()}
    return list(unique.values())
