"""Everything that tells whether a source can be relied on, put together once for the tools."""

from __future__ import annotations

from wellsourced.citations.archive import Archive
from wellsourced.citations.audit import Auditor
from wellsourced.citations.claim_check import Claims
from wellsourced.citations.integrity import Against
from wellsourced.citations.links import Links
from wellsourced.citations.verify import Verifier
from wellsourced.evidence.recommendation import Recommendations
from wellsourced.evidence.reputation import Reputation
from wellsourced.net.client import Client
from wellsourced.net.guard import Guard
from wellsourced.pages.reader import Reader
from wellsourced.scholarly.papers import Papers
from wellsourced.scholarly.record_cache import Keeper
from wellsourced.search.searcher import Search
from wellsourced.storage.cache.cache import Cache
from wellsourced.upstream_client.client import UpstreamClient


class Trust:
    """`client` and `guard` are those for pages: an address of unknown origin goes through them and no others."""

    def __init__(
        self,
        *,
        upstreams: UpstreamClient,
        papers: Papers,
        reader: Reader,
        search: Search,
        reputation: Reputation,
        client: Client,
        guard: Guard,
        cache: Cache | None = None,
    ) -> None:
        self.archive = Archive(upstreams, guard)
        self.links = Links(client, self.archive, cache=cache)
        self.claims = Claims(papers, reader)
        self.verifier = Verifier(upstreams, papers, reader, self.links, Against(papers, Keeper(upstreams, cache)))
        self.auditor = Auditor(self.verifier, self.claims, papers)
        self.recommendations = Recommendations(self.links, search, reputation)
