"""The use-cases a tool can call. Each is put together when it is first asked for, so that a start stays cheap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wellsourced.brand.research import Brand
    from wellsourced.citations.trust import Trust
    from wellsourced.evidence.reputation import Reputation
    from wellsourced.library.library import Library
    from wellsourced.net.client import Client
    from wellsourced.net.guard import Guard
    from wellsourced.pages.reader import Reader
    from wellsourced.people.erasure import Subjects
    from wellsourced.people.people import Personal
    from wellsourced.scholarly.papers import Papers
    from wellsourced.scholarly.patents import Patents
    from wellsourced.search.gathering import Gathering
    from wellsourced.search.lenses import Lenses
    from wellsourced.search.searcher import Search
    from wellsourced.sessions.sessions import Sessions
    from wellsourced.storage.cache.cache import Cache
    from wellsourced.upstream_client.client import Driver
    from wellsourced.upstream_client.lookup import Lookup
    from wellsourced.upstream_client.router import Router


BRAND_SECONDS = 86400.0
"""As long as the answers that point at them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """What the operator turned on or off."""

    recommendations: bool = True
    components: bool = False


@dataclass(kw_only=True)
class Services:
    """`make_reader` is called at the first reading: pages need libraries that searches do without."""

    driver: Driver
    router: Router
    search: Search
    lenses: Lenses
    reputation: Reputation
    sessions: Sessions
    cache: Cache
    features: Features
    make_reader: Callable[[], Reader]
    make_library: Callable[[], Library]
    make_personal: Callable[[], Personal]
    page_client: Client
    page_guard: Guard

    @cached_property
    def reader(self) -> Reader:
        return self.make_reader()

    @cached_property
    def gathering(self) -> Gathering:
        from wellsourced.search.gathering import Gathering

        return Gathering(self.search, self.reader, self.cache)

    @cached_property
    def lookup(self) -> Lookup:
        from wellsourced.upstream_client.lookup import Lookup

        return Lookup(self.driver, self.router)

    @cached_property
    def papers(self) -> Papers:
        from wellsourced.scholarly.papers import Papers

        return Papers(self.driver, self.router, self.search, self.lenses, cache=self.cache, reader=self.reader)

    @cached_property
    def patents(self) -> Patents:
        from wellsourced.scholarly.patents import Patents

        return Patents(self.driver, self.router, self.search)

    @cached_property
    def brand(self) -> Brand:
        from wellsourced.brand.research import Brand
        from wellsourced.storage.artifacts import Artifacts

        return Brand(
            reader=self.reader,
            client=self.page_client,
            search=self.search,
            artifacts=Artifacts(self.cache, ttl=BRAND_SECONDS),
            render=self.reader.render,
        )

    @cached_property
    def library(self) -> Library:
        return self.make_library()

    @cached_property
    def personal(self) -> Personal:
        return self.make_personal()

    @property
    def subjects(self) -> Subjects:
        """Export and erasure of everything of a person or tenant."""
        return self.personal.subjects

    @cached_property
    def trust(self) -> Trust:
        from wellsourced.citations.trust import Trust

        return Trust(
            driver=self.driver,
            papers=self.papers,
            reader=self.reader,
            search=self.search,
            reputation=self.reputation,
            client=self.page_client,
            guard=self.page_guard,
            cache=self.cache,
        )

    async def close(self) -> None:
        if "personal" in self.__dict__:
            await self.personal.close()
        await self.sessions.close()
        if "library" in self.__dict__:
            await self.library.close()
        if "reader" in self.__dict__:
            await self.reader.close()
