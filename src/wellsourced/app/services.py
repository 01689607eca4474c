"""What tools can ask for, by name: a tool's `run` names the parameter, and gets the service of that name.

Each service is made when it is first asked for, so that a start stays cheap: pages need libraries that searches do
without.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wellsourced.app.configuration import load_reputation, path_or_none
from wellsourced.app.network import breaker_maker, browser_maker
from wellsourced.app.storage import (
    MEBIBYTE,
    make_last_tries,
    make_personal_repositories,
    make_project_store,
    make_session_store,
    make_signing_keys,
    make_watch_list,
)
from wellsourced.errors import WellsourcedError
from wellsourced.late_dataclass import dataclass
from wellsourced.search.lenses import Lenses
from wellsourced.search.router import SearchRouter
from wellsourced.search.searcher import Searcher
from wellsourced.storage.artifacts import Artifacts
from wellsourced.upstream_client.client import UpstreamClient
from wellsourced.upstream_client.provider_choice import ProviderChoice

if TYPE_CHECKING:
    from asyncio.subprocess import Process

    from wellsourced.app.storage import DiskStorage
    from wellsourced.brand.research import BrandResearcher
    from wellsourced.citations.bibliography_auditor import BibliographyAuditor
    from wellsourced.citations.citation_verifier import CitationVerifier
    from wellsourced.citations.claim_checker import ClaimChecker
    from wellsourced.citations.link_checker import LinkChecker
    from wellsourced.citations.web_archive import WebArchive
    from wellsourced.identity import Identity
    from wellsourced.library.connector import Connector
    from wellsourced.library.library import Library
    from wellsourced.net.client import HttpClient
    from wellsourced.net.guard import AddressGuard
    from wellsourced.pages.reader import Reader
    from wellsourced.people.erasure import PersonalDataService
    from wellsourced.people.service import PeopleService
    from wellsourced.projects.project import DriftReport
    from wellsourced.projects.projects import Projects
    from wellsourced.projects.schedule import WatchSchedule
    from wellsourced.projects.timestamps import TimestampClient
    from wellsourced.recommendations.recommendation_checker import RecommendationChecker
    from wellsourced.sandbox.pool import WorkerPool
    from wellsourced.scholarly.papers import Papers
    from wellsourced.scholarly.patents import Patents
    from wellsourced.search.source_reader import SourceReader
    from wellsourced.sessions.export import LinkState
    from wellsourced.sessions.sessions import Sessions
    from wellsourced.settings import Settings
    from wellsourced.storage.cache.cache import Cache
    from wellsourced.upstream_client.entities import Entities
    from wellsourced.upstream_client.lookup import Lookup

logger = logging.getLogger("wellsourced")

BRAND_SECONDS = 86400.0
"""As long as the answers that point at them."""
OPERATORS_SECONDS = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """What the operator turned on or off."""

    recommendations: bool = True
    components: bool = False


class Services:
    """The services of one application. Problems with settings are added to `problems`, and done without."""

    def __init__(
        self,
        settings: Settings,
        *,
        client: HttpClient,
        page_client: HttpClient,
        page_guard: AddressGuard,
        cache: Cache,
        store: DiskStorage,
        sole_reader: Identity | None,
    ) -> None:
        self.settings = settings
        self._sole_reader = sole_reader
        self.first_worker: Process | None = None
        """Started before there was anything else, for the first page."""
        self._store = store
        self._client = client
        self._page_client = page_client
        self._page_guard = page_guard
        self.cache = cache
        self.artifacts = Artifacts(cache)
        self.upstreams = UpstreamClient(
            client,
            settings,
            cache=cache,
            tries=make_last_tries(settings, store),
            make_breaker=breaker_maker(settings),
        )
        self.providers = ProviderChoice(self.upstreams, settings)
        self.router = SearchRouter(self.upstreams, self.providers, settings)
        self.lenses = Lenses.load(path_or_none(settings, "CUSTOM_LENSES_PATH"), Path("lenses"))
        self.problems = [*self.providers.problems, *self.lenses.problems]
        self.reputation = load_reputation(settings, self.problems)
        self.search = Searcher(self.router, self.lenses)
        self.features = Features(
            recommendations=settings.flag("SOURCE_RECOMMENDATIONS"),
            components=settings.flag("GENERATIVE_UI_ENABLED"),
        )

    @cached_property
    def sessions(self) -> Sessions:
        from wellsourced.sessions.sessions import Sessions

        return Sessions(make_session_store(self.settings, self._store), check_links=self._check_links)

    @cached_property
    def workers(self) -> WorkerPool:
        from wellsourced.sandbox.pool import WorkerPool

        pool = WorkerPool(keep_images=self.settings.flag("KEEP_IMAGES"))
        if self.first_worker:
            pool.adopt(self.first_worker)
        return pool

    @cached_property
    def reader(self) -> Reader:
        from wellsourced.pages.fair_slots import FairSlots
        from wellsourced.pages.politeness import Politeness
        from wellsourced.pages.reader import Reader, ReaderLimits

        settings = self.settings
        per_tenant = settings.count("MAX_SCRAPE_CONCURRENCY_PER_TENANT")
        return Reader(
            guard=self._page_guard,
            client=self._page_client,
            upstreams=self.upstreams,
            workers=self.workers,
            make_browser=browser_maker(settings, self._page_guard),
            cache=self.cache,
            limits=ReaderLimits(
                html_bytes=settings.count("MAX_HTML_BYTES"), document_bytes=settings.count("MAX_DOCUMENT_BYTES")
            ),
            fast=FairSlots(settings.count("MAX_SCRAPE_CONCURRENCY"), per_tenant),
            slow=FairSlots(settings.count("MAX_SCRAPE_CONCURRENCY_BROWSER"), per_tenant),
            politeness=Politeness(
                self._page_client,
                robots=settings.text("ROBOTS_TXT"),
                pages_a_second=settings.count("PAGES_PER_HOST_PER_SECOND"),
            ),
        )

    @cached_property
    def source_reader(self) -> SourceReader:
        from wellsourced.search.source_reader import SourceReader

        return SourceReader(self.search, self.reader, self.cache)

    @cached_property
    def lookup(self) -> Lookup:
        from wellsourced.upstream_client.lookup import Lookup

        return Lookup(self.upstreams, self.providers)

    @cached_property
    def entities(self) -> Entities:
        from wellsourced.upstream_client.entities import Entities

        return Entities(self.upstreams)

    @cached_property
    def papers(self) -> Papers:
        from wellsourced.scholarly.papers import Papers

        return Papers(self.upstreams, self.providers, self.search, self.lenses, cache=self.cache, reader=self.reader)

    @cached_property
    def patents(self) -> Patents:
        from wellsourced.scholarly.patents import Patents

        return Patents(self.upstreams, self.providers, self.search)

    @cached_property
    def brand_researcher(self) -> BrandResearcher:
        from wellsourced.brand.research import BrandResearcher

        return BrandResearcher(
            reader=self.reader,
            client=self._page_client,
            search=self.search,
            artifacts=Artifacts(self.cache, ttl=BRAND_SECONDS),
            render=self.reader.render,
        )

    @cached_property
    def library(self) -> Library:
        from wellsourced.library.library import Library

        def run(*call: Any) -> Awaitable[Any]:
            return self.workers.run_somewhere(*call)

        return Library.open(self.settings, self._store.database, self._sole_reader, run)

    @cached_property
    def connector(self) -> Connector:
        from wellsourced.library.connector import Connector

        return Connector(
            library=self.library,
            search=self.search,
            reader=self.reader,
            reputation=self.reputation,
            upstreams=self.upstreams,
            artifacts=self.artifacts,
        )

    @cached_property
    def projects(self) -> Projects:
        from wellsourced.projects.captures import Captures
        from wellsourced.projects.collector import Collector
        from wellsourced.projects.projects import Projects
        from wellsourced.projects.watch import Watcher

        store, keys = make_project_store(self.settings, self._store), make_signing_keys(self.settings, self._store)
        captures = Captures(store, lambda: self.reader, self.settings.count("CAPTURE_MAX_MB") * MEBIBYTE)
        collector = Collector(store, captures, keys, self.sessions, lambda: self.reader, self._timestamps())
        watcher = Watcher(
            store, captures, lambda: self.reader, self.link_checker, self.web_archive, lambda: self.papers
        )
        watched = make_watch_list(self.settings, self._store)
        return Projects(store, captures, collector, keys, watcher, watched, self._report_webhook())

    def watch_schedule(self) -> WatchSchedule | None:
        """None where the operator did not turn it on."""
        from wellsourced.projects.schedule import WatchSchedule

        every = self.settings.seconds("WATCH_EVERY")
        return WatchSchedule(self.projects.watched, self.projects.watch_due, every) if every else None

    def _report_webhook(self) -> Callable[[DriftReport], Awaitable[None]] | None:
        url = self.settings.text("WATCH_WEBHOOK_URL")
        if not url:
            return None
        from wellsourced.net.client import OutgoingRequest

        async def post(report: DriftReport) -> None:
            body = report.model_dump_json(by_alias=True, exclude_none=True).encode()
            headers = {"content-type": "application/json"}
            request = OutgoingRequest("POST", url, headers, body, timeout=OPERATORS_SECONDS, trusted=True)
            try:
                (await self._client.send(request)).expect_ok()
            except WellsourcedError as problem:
                logger.warning("WATCH_WEBHOOK_URL: what a watch found was not taken: %s", problem)

        return post

    def _timestamps(self) -> TimestampClient | None:
        url = self.settings.text("TIMESTAMP_URL")
        if not url:
            return None
        from wellsourced.net.client import OutgoingRequest
        from wellsourced.projects.timestamps import QUERY_TYPE, REPLY_TYPE, TimestampClient

        async def post(address: str, query: bytes) -> bytes:
            headers = {"content-type": QUERY_TYPE, "accept": REPLY_TYPE}
            request = OutgoingRequest("POST", address, headers, query, timeout=OPERATORS_SECONDS, trusted=True)
            return (await self._client.send(request)).expect_ok().body

        return TimestampClient(url, post)

    @cached_property
    def people(self) -> PeopleService:
        from wellsourced.people.consent import SWITCHES
        from wellsourced.people.erasure import (
            CacheData,
            LibraryData,
            PersonalData,
            ProjectData,
            SessionData,
            store_reach,
        )
        from wellsourced.people.service import PeopleService

        others: dict[str, PersonalData] = {
            "sessions": SessionData(self.sessions),
            "projects": ProjectData(lambda: self.projects.store),
            "library": LibraryData(lambda: self.library),
            "cache": CacheData(self.cache),
        }
        stores = make_personal_repositories(self.settings, self._store)
        enabled = [purpose for purpose, switch in SWITCHES.items() if self.settings.flag(switch)]
        reach = partial(
            store_reach,
            has_redis=self.settings.is_set("REDIS_URL"),
            has_postgres=self.settings.is_set("LIBRARY_URL"),
        )
        return PeopleService(stores, enabled, others, tidy=self._store.database.compact, find_reach=reach)

    @property
    def personal_data(self) -> PersonalDataService:
        """Export and erasure of everything of a person or tenant."""
        return self.people.personal_data

    @cached_property
    def web_archive(self) -> WebArchive:
        from wellsourced.citations.web_archive import WebArchive

        return WebArchive(self.upstreams, self._page_guard)

    @cached_property
    def link_checker(self) -> LinkChecker:
        from wellsourced.citations.link_checker import LinkChecker

        # Addresses of unknown origin go through the client and guard for pages, never through those for upstreams.
        return LinkChecker(self._page_client, self.web_archive)

    @cached_property
    def claim_checker(self) -> ClaimChecker:
        from wellsourced.citations.claim_checker import ClaimChecker

        return ClaimChecker(self.papers, self.reader)

    @cached_property
    def citation_verifier(self) -> CitationVerifier:
        from wellsourced.citations.citation_verifier import CitationVerifier

        return CitationVerifier(self.upstreams, self.papers, self.reader, self.link_checker, cache=self.cache)

    @cached_property
    def bibliography_auditor(self) -> BibliographyAuditor:
        from wellsourced.citations.bibliography_auditor import BibliographyAuditor

        return BibliographyAuditor(self.citation_verifier, self.claim_checker, self.papers)

    @cached_property
    def recommendation_checker(self) -> RecommendationChecker:
        from wellsourced.recommendations.recommendation_checker import RecommendationChecker

        return RecommendationChecker(self.link_checker, self.search, self.reputation)

    async def close(self) -> None:
        """Close what was made."""
        made = self.__dict__
        await self.upstreams.close()
        if "people" in made:
            await self.people.close()
        if "sessions" in made:
            await self.sessions.close()
        if "projects" in made:
            await self.projects.close()
        if "library" in made:
            await self.library.close()
        if "reader" in made:
            await self.reader.close()
        if "workers" in made or self.first_worker:
            await self.workers.close()

    async def _check_links(self, urls: Sequence[str]) -> Mapping[str, LinkState]:
        return await self.link_checker.check_for_export(urls)
