"""Upstream APIs, one a file. A file dropped in here is a provider; nothing else has to be told.

Each module holds `PROVIDER` and one function for each thing it offers, named after the `Kind`:
`def web(query: WebQuery, access: Access) -> Steps[Found[Hit]]`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from types import ModuleType
from typing import Any

from wellsourced.http_exchange import Steps
from wellsourced.settings.setting import Setting
from wellsourced.upstream import Kind, Provider


@dataclass(frozen=True)
class Entry:
    """A provider and the module that speaks for it."""

    provider: Provider
    module: ModuleType

    @cached_property
    def offers(self) -> frozenset[Kind]:
        return frozenset(kind for kind in Kind if callable(getattr(self.module, kind.value, None)))

    @property
    def in_words(self) -> str:
        """What it offers, for people."""
        return ", ".join(sorted({kind.in_words for kind in self.offers}))

    def conversation(self, kind: Kind) -> Callable[..., Steps[Any]]:
        asks: Callable[..., Steps[Any]] = getattr(self.module, kind.value)
        return asks

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
def catalogue() -> dict[str, Entry]:
    """Every provider by name, sorted, so that nothing depends on file order."""
    entries = {}
    files = [found for found in pkgutil.iter_modules(__path__) if not found.ispkg]
    for found in sorted(files, key=lambda module: module.name):
        module = importlib.import_module(f"{__name__}.{found.name}")
        entries[module.PROVIDER.name] = Entry(module.PROVIDER, module)
    return entries


def offering(kind: Kind) -> list[str]:
    """Names of the providers that offer this, best first."""
    able = [entry.provider for entry in catalogue().values() if kind in entry.offers]
    return [provider.name for provider in sorted(able, key=lambda p: (p.preference, p.name))]


def settings() -> list[Setting]:
    """The variables of all providers, each once."""
    unique = {setting.name: setting for entry in catalogue().values() for setting in entry.settings()}
    return list(unique.values())
