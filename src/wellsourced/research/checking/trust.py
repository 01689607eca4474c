"""Everything that tells whether a source can be relied on, put together once for the tools."""

from __future__ import annotations

from wellsourced.net.client import Client
from wellsourced.net.guard import Guard
from wellsourced.research.checking.archive import Archive
from wellsourced.research.checking.audit import Auditor
from wellsourced.research.checking.claim_check import Claims
from wellsourced.research.checking.integrity import Against
from wellsourced.research.checking.links import Links
from wellsourced.research.checking.recommendation import Recommendations
from wellsourced.research.checking.verify import Verifier
from wellsourced.research.driver import Driver
from wellsourced.research.pages.reading import Reader
from wellsourced.research.scholar.keeper import Keeper
from wellsourced.research.scholar.papers import Papers
from wellsourced.research.search import Search
from wellsourced.store.cache import Cache
from wellsourced.text.reputation import Reputation


class Trust:
    """`client` and `guard` are those for pages: an address of unknown origin goes through them and no others."""

    def __init__(
        self,
        *,
        driver: Driver,
        papers: Papers,
        reader: Reader,
        search: Search,
        reputation: Reputation,
        client: Client,
        guard: Guard,
        cache: Cache | None = None,
    ) -> None:
        self.archive = Archive(driver, guard)
        self.links = Links(client, self.archive, cache=cache)
        self.claims = Claims(papers, reader)
        self.verifier = Verifier(driver, papers, reader, self.links, Against(papers, Keeper(driver, cache)))
        self.auditor = Auditor(self.verifier, self.claims, papers)
        self.recommendations = Recommendations(self.links, search, reputation)
