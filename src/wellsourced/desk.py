"""The composition root: puts the rooms together from the settings and takes calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wellsourced import __version__, tools, wiring
from wellsourced.layers.bulk import Bulk
from wellsourced.layers.cache import CacheLayer
from wellsourced.layers.deadline import Deadline
from wellsourced.layers.failures import Failures
from wellsourced.layers.observe import Observe
from wellsourced.layers.pipeline import pipeline
from wellsourced.layers.quota import DailyQuota
from wellsourced.layers.record import Record
from wellsourced.layers.statistics import Statistics
from wellsourced.layers.validate import validate
from wellsourced.model.answer import Answer
from wellsourced.model.identity import ANONYMOUS, Identity
from wellsourced.net.client import Client
from wellsourced.research.call import Call, Progress, no_progress
from wellsourced.research.driver import Driver
from wellsourced.research.lenses import Lenses
from wellsourced.research.router import Router
from wellsourced.research.search import Search
from wellsourced.research.services import Features, Services
from wellsourced.research.trail.sessions import Sessions
from wellsourced.settings import Settings, from_environment
from wellsourced.store.artifacts import Artifacts
from wellsourced.text.mask import Masker

if TYPE_CHECKING:
    from wellsourced.research.library import Library
    from wellsourced.research.pages.reading import Reader
    from wellsourced.research.trail.export import LinkState

USER_AGENT = f"wellsourced/{__version__}"


class Desk:
    """Everything one instance holds. `call` is the way in for every door."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.masker = Masker(wiring.secrets_of(settings))
        self.safe = wiring.open_safe(settings)
        self.cache = wiring.make_cache(settings, self.safe)
        self.artifacts = Artifacts(self.cache)
        self.statistics = Statistics()
        self.quota = DailyQuota(settings.count("MAX_CALLS_PER_DAY"))
        self.audit = wiring.make_audit(settings)
        self.client = Client(wiring.make_guard(settings), user_agent=USER_AGENT)
        self.page_guard = wiring.make_guard(settings, settings.names("ALLOWED_DOMAINS"))
        self.page_client = Client(self.page_guard, user_agent=USER_AGENT)
        self.local_user = Identity(user=settings.text("STDIO_USER_ID") or ANONYMOUS)
        """Who calls where there is no sign-in: on stdio, at the command line, from Python."""
        self.problems = [*settings.problems, *wiring.conflicts(settings)]
        self.services = self._services()
        self._run = pipeline(
            (
                Observe(self.statistics, self.audit, self.masker),
                Failures(self.masker),
                validate,
                self.quota,
                Bulk(self.artifacts, settings.count("LINK_THRESHOLD_BYTES")),
                Record(self.services.sessions),
                CacheLayer(self.cache),
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
    ) -> Answer:
        """Run one tool through all layers. The answer may be an error; nothing is raised but cancellation."""
        return await self._run(
            Call(
                tool=tools.load(name),
                arguments=arguments,
                services=self.services,
                identity=identity or self.local_user,
                progress=progress,
                inline=inline,
                request_id=request_id,
            )
        )

    def _services(self) -> Services:
        """The use-cases; what cannot be loaded is told in `problems` and done without."""
        settings = self.settings
        driver = Driver(self.client, settings, kept=self.cache, make_breaker=wiring.breaker_maker(settings))
        router = Router(driver, settings)
        lenses = Lenses.load(wiring.path_or_none(settings, "CUSTOM_LENSES_PATH"), Path("lenses"))
        self.problems += [*router.problems, *lenses.problems]
        return Services(
            driver=driver,
            router=router,
            search=Search(router, lenses),
            lenses=lenses,
            reputation=wiring.load_reputation(settings, self.problems),
            sessions=Sessions(wiring.make_session_store(settings, self.safe), check_links=self._check_links),
            cache=self.cache,
            features=Features(
                recommendations=settings.flag("SOURCE_RECOMMENDATIONS"),
                components=settings.flag("GENERATIVE_UI_ENABLED"),
            ),
            make_reader=partial(self._reader, driver),
            make_library=self._library,
            page_client=self.page_client,
            page_guard=self.page_guard,
        )

    async def _check_links(self, urls: Sequence[str]) -> Mapping[str, LinkState]:
        return await self.services.trust.links.check(urls)

    def _library(self) -> Library:
        from wellsourced.research.library import Library

        return Library.open(self.settings, self.safe.database if self.safe else None)

    def _reader(self, driver: Driver) -> Reader:
        from wellsourced.readers.worker import Workers
        from wellsourced.research.pages.reading import Limits, Reader
        from wellsourced.research.pages.slots import Slots

        settings = self.settings
        per_tenant = settings.count("MAX_SCRAPE_CONCURRENCY_PER_TENANT")
        return Reader(
            guard=self.page_guard,
            client=self.page_client,
            driver=driver,
            workers=Workers(),
            make_browser=wiring.browser_maker(settings, self.page_guard),
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
        if self.safe:
            await self.safe.database.close()
        if self.audit:
            self.audit.close()


def open_desk(settings: Settings | None = None) -> Desk:
    return Desk(settings or from_environment(wiring.declared_settings()))
