"""The composition root: puts the rooms together from the settings and takes calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wellsourced import __version__, app_parts
from wellsourced.identity import Identity
from wellsourced.net.client import Client
from wellsourced.pipeline.answer_cache import CacheLayer
from wellsourced.pipeline.deadline import Deadline
from wellsourced.pipeline.failures import Failures
from wellsourced.pipeline.large_answers import Bulk
from wellsourced.pipeline.middleware import pipeline
from wellsourced.pipeline.observe import Observe
from wellsourced.pipeline.quota import DailyQuota
from wellsourced.pipeline.record import Record
from wellsourced.pipeline.statistics import Statistics
from wellsourced.pipeline.usage import CountCalls
from wellsourced.pipeline.validate import validate
from wellsourced.search.lenses import Lenses
from wellsourced.search.searcher import Search
from wellsourced.services import Features, Services
from wellsourced.sessions.sessions import Sessions
from wellsourced.settings import Settings, from_environment
from wellsourced.storage.artifacts import Artifacts
from wellsourced.storage.limits.tiers import tiers_of
from wellsourced.text.masker import Masker
from wellsourced.tool import registry
from wellsourced.tool.call import Call, Progress, no_progress
from wellsourced.tool.result import Answer
from wellsourced.upstream_client.client import Driver
from wellsourced.upstream_client.router import Router

if TYPE_CHECKING:
    from wellsourced.library.library import Library
    from wellsourced.pages.reader import Reader
    from wellsourced.people.people import Personal
    from wellsourced.sessions.export import LinkState

USER_AGENT = f"wellsourced/{__version__}"
CALLED_FIRST = ("web_search", "scrape_page")
USED_FIRST = ("wreq", "wellsourced.library.library", "wellsourced.pages.reader")


class Desk:
    """Everything one instance holds. `call` is the way in for every door."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.masker = Masker(app_parts.secrets_of(settings))
        self.safe = app_parts.open_safe(settings)
        self._redis = app_parts.make_shared_link(settings, self.safe)
        self.cache = app_parts.make_cache(settings, self.safe, self._redis)
        self.artifacts = Artifacts(self.cache)
        self.statistics = Statistics(settings.count("METRICS_MAX_TENANTS"))
        self.limiter = app_parts.make_limiter(settings, self.safe, self._redis)
        self.quota = DailyQuota(self.limiter, tiers_of(settings).user_day)
        self.audit = app_parts.make_audit(settings, self.safe, self.masker)
        self.client = Client(app_parts.make_guard(settings), user_agent=USER_AGENT)
        self.page_guard = app_parts.make_guard(settings, settings.names("ALLOWED_DOMAINS"))
        self.page_client = Client(self.page_guard, user_agent=USER_AGENT)
        self.problems = [*settings.problems, *app_parts.conflicts(settings)]
        self.local_user = app_parts.local_user(settings, self.problems)
        self.services = self._services()
        self._run = pipeline(
            (
                Observe(self.statistics, self.audit),
                *([CountCalls()] if settings.flag("USER_ANALYTICS_ENABLED") else []),
                Failures(self.masker),
                validate,
                self.quota,
                Bulk(self.artifacts, settings.count("LINK_THRESHOLD_BYTES")),
                Record(self.services.sessions),
                CacheLayer(self.cache, tenants_apart=settings.text("CACHE_ISOLATION") == "tenant"),
                Deadline(settings.seconds("TOOL_TIMEOUT")),
            )
        )

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        identity: Identity | None = None,
        progress: Progress = no_progress,
        inline: bool = False,
        request_id: str = "",
        source_ip: str = "",
    ) -> Answer:
        """Run one tool through all layers. The answer may be an error; nothing is raised but cancellation."""
        return await self._run(
            Call(
                tool=registry.load(name),
                arguments=arguments,
                services=self.services,
                identity=identity or self.local_user,
                is_local=identity is None,
                progress=progress,
                inline=inline,
                request_id=request_id,
                source_ip=source_ip,
            )
        )

    @staticmethod
    def get_ready() -> None:
        """Load what searching and reading need while nobody waits for it. For a thread of its own."""
        from wellsourced.pages.html import extract

        for name in CALLED_FIRST:
            registry.load(name)
        for module in USED_FIRST:
            import_module(module)
        extract.warm_up()

    def _services(self) -> Services:
        """The use-cases; what cannot be loaded is told in `problems` and done without."""
        settings = self.settings
        driver = Driver(self.client, settings, kept=self.cache, make_breaker=app_parts.breaker_maker(settings))
        router = Router(driver, settings)
        lenses = Lenses.load(app_parts.path_or_none(settings, "CUSTOM_LENSES_PATH"), Path("lenses"))
        self.problems += [*router.problems, *lenses.problems]
        return Services(
            driver=driver,
            router=router,
            search=Search(router, lenses),
            lenses=lenses,
            reputation=app_parts.load_reputation(settings, self.problems),
            sessions=Sessions(app_parts.make_session_store(settings, self.safe), check_links=self._check_links),
            cache=self.cache,
            features=Features(
                recommendations=settings.flag("SOURCE_RECOMMENDATIONS"),
                components=settings.flag("GENERATIVE_UI_ENABLED"),
            ),
            make_reader=partial(self._reader, driver),
            make_library=self._library,
            make_personal=self._personal,
            page_client=self.page_client,
            page_guard=self.page_guard,
        )

    async def _check_links(self, urls: Sequence[str]) -> Mapping[str, LinkState]:
        return await self.services.trust.links.check(urls)

    def _library(self) -> Library:
        from wellsourced.library.library import Library

        return Library.open(self.settings, self.safe.database if self.safe else None)

    def _personal(self) -> Personal:
        from wellsourced.people.consent import SWITCHES
        from wellsourced.people.holdings import CacheHolding, Holding, LibraryHolding, SessionHolding
        from wellsourced.people.people import Personal

        others: dict[str, Holding] = {
            "sessions": SessionHolding(self.services.sessions),
            "library": LibraryHolding(lambda: self.services.library),
            "cache": CacheHolding(self.cache),
        }
        stores = app_parts.make_personal_stores(self.settings, self.safe)
        enabled = [purpose for purpose, switch in SWITCHES.items() if self.settings.flag(switch)]
        return Personal(stores, enabled, others, tidy=self.safe.database.compact if self.safe else None)

    def _reader(self, driver: Driver) -> Reader:
        from wellsourced.pages.reader import Limits, Reader
        from wellsourced.pages.slots import Slots
        from wellsourced.sandbox.pool import Workers

        settings = self.settings
        per_tenant = settings.count("MAX_SCRAPE_CONCURRENCY_PER_TENANT")
        return Reader(
            guard=self.page_guard,
            client=self.page_client,
            driver=driver,
            workers=Workers(),
            make_browser=app_parts.browser_maker(settings, self.page_guard),
            cache=self.cache,
            limits=Limits(
                html_bytes=settings.count("MAX_HTML_BYTES"), document_bytes=settings.count("MAX_DOCUMENT_BYTES")
            ),
            fast=Slots(settings.count("MAX_SCRAPE_CONCURRENCY"), per_tenant),
            slow=Slots(settings.count("MAX_SCRAPE_CONCURRENCY_BROWSER"), per_tenant),
        )

    async def close(self) -> None:
        await self.services.close()
        await self.page_client.close()
        await self.client.close()
        await self.cache.close()
        await self.limiter.close()
        if self._redis:
            await self._redis.close()
        if self.safe:
            await self.safe.database.close()
        if self.audit:
            self.audit.close()


def open_desk(settings: Settings | None = None) -> Desk:
    return Desk(settings or from_environment(app_parts.declared_settings()))
