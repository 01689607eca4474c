"""Well-known sites, one a file, read through their own interfaces. A file put in here is a site, once
`make generate` has written it down in `declared.json`.

Each module holds `SITE` (its name and base addresses, declared as a provider's are), `DOMAINS`, to which its addresses
belong, `matches(address)`, asked about those alone, and `read(url, access)`, a conversation that ends in a `SitePage`,
or in None where the page is better read as any other. Errors mean what they say: NotFound, AuthRequired and Blocked are
the site's own word on that address; after RateLimited, UpstreamUnavailable or UpstreamChanged the ordinary way to the
page is still worth trying. A module without `SITE` is a helper of the sites beside it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from wellsourced.late_dataclass import dataclass
from wellsourced.settings.setting import Setting
from wellsourced.text.urls import WebUrl, host_of, parse_web_url
from wellsourced.upstream import Access, Provider, read_declarations, write_declarations

if TYPE_CHECKING:
    from wellsourced.pages.site_page import SitePage, SiteSteps

DECLARED = Path(__file__).with_name("declared.json")


@dataclass(frozen=True)
class Site:
    """A site and the module that speaks for it."""

    provider: Provider
    module_name: str
    domains: tuple[str, ...]

    @cached_property
    def module(self) -> ModuleType:
        return importlib.import_module(self.module_name)

    def matches(self, address: WebUrl) -> bool:
        return address.is_under(*self.domains) and bool(self.module.matches(address))

    def read(self, url: str, access: Access) -> SiteSteps[SitePage | None]:
        steps: SiteSteps[SitePage | None] = self.module.read(url, access)
        return steps

    def settings(self) -> Iterator[Setting]:
        """Every variable the site reads, its base addresses included."""
        yield from self.provider.uses
        for host, base in self.provider.bases.items():
            about = f"Address of {self.provider.title}{f' ({host})' if host else ''}; default {base}."
            yield Setting(self.provider.base_variable(host), about, kind="url")


@cache
def catalogue() -> dict[str, Site]:
    """Every site by name, in the order of the files, as declared; a module is imported when it is asked."""
    declared = read_declarations(DECLARED)
    return {provider.name: Site(provider, f"{__name__}.{name}", tuple(domains)) for name, provider, domains in declared}


def declare_sites() -> str:
    """What the modules of this package declare, as `catalogue` reads it."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__))
    modules = [(name, importlib.import_module(f"{__name__}.{name}")) for name in names]
    return write_declarations(
        (name, module.SITE, module.DOMAINS) for name, module in modules if hasattr(module, "SITE")
    )


def site_for(url: str) -> Site | None:
    """The site that knows how to read this address."""
    near = _sites_at(host_of(url))
    address = parse_web_url(url) if near else None
    return next((site for site in near if site.matches(address)), None) if address else None


@lru_cache(maxsize=1024)
def _sites_at(host: str) -> tuple[Site, ...]:
    """Most hosts have none, which saves a closer look at the address."""
    address = WebUrl(host.removeprefix("www."), (), {})
    return tuple(site for site in catalogue().values() if address.is_under(*site.domains))


def settings() -> list[Setting]:
    """The variables of all sites, each once."""
    unique = {setting.name: setting for site in catalogue().values() for setting in site.settings()}
    return list(unique.values())
