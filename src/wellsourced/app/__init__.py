"""The composition root: settings in, application out. The parts are made in the modules beside this one."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from wellsourced.app.configuration import conflicts, declared_settings, is_one_person, local_user, secrets_of
from wellsourced.app.network import USER_AGENT, make_guard
from wellsourced.app.services import Services
from wellsourced.app.storage import make_audit, make_cache, make_limiter, make_optional_redis, open_storage
from wellsourced.identity import Identity
from wellsourced.net.client import HttpClient
from wellsourced.net.connectivity import Connectivity
from wellsourced.pipeline.answer_cache import AnswerCache
from wellsourced.pipeline.audit_and_statistics import CountUsage, ObserveCalls
from wellsourced.pipeline.deadline import LimitTime
from wellsourced.pipeline.error_answers import ReportFailures
from wellsourced.pipeline.large_answers import LinkLargeAnswers
from wellsourced.pipeline.middleware import Middleware, RunTool, build_pipeline
from wellsourced.pipeline.quota import DailyQuota
from wellsourced.pipeline.recognised_callers import refuse_what_cannot_be_kept
from wellsourced.pipeline.record_sources import RecordSources
from wellsourced.pipeline.report_progress import report_progress
from wellsourced.pipeline.statistics import Statistics
from wellsourced.pipeline.storage_warning import StorageWarning
from wellsourced.pipeline.validate_arguments import validate_arguments
from wellsourced.process import give_back_memory
from wellsourced.settings import Settings, from_environment
from wellsourced.storage.check import StorageCheck
from wellsourced.storage.limits.rate_limits import read_rate_limits
from wellsourced.text.masker import Masker
from wellsourced.tool import registry
from wellsourced.tool.answer import ToolAnswer
from wellsourced.tool.call import Call, PartHandler, Progress, no_parts, no_progress
from wellsourced.upstreams import all_upstreams

NEW_OBJECTS = 5_000
"""After how many the interpreter looks for garbage among them; by itself after 700, twice and more in each call."""
CALLED_FIRST = ("web_search", "scrape_page")
USED_FIRST = ("wreq", "wellsourced.library.library", "wellsourced.pages.reader", "wellsourced.pages.walls.detect")
USED_LATER = tuple(
    f"wellsourced.{name}"
    for name in (
        "brand.research",
        "citations.bibliography_auditor",
        "citations.citation_verifier",
        "library.connector",
        "people.service",
        "recommendations.recommendation_checker",
        "scholarly.patents",
        "search.source_reader",
    )
)


class Application:
    """Everything one instance holds. Every entry point calls tools through `call`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.masker = Masker(secrets_of(settings))
        self.store = open_storage(settings)
        self._redis = make_optional_redis(settings)
        self.cache = make_cache(settings, self.store, self._redis)
        self.statistics = Statistics(settings.count("METRICS_MAX_TENANTS"))
        self.limiter = make_limiter(settings, self.store, self._redis)
        self.quota = DailyQuota(self.limiter, read_rate_limits(settings).user_day)
        self.audit = make_audit(settings, self.store, self.masker)
        self.storage_check = StorageCheck(self.store.database, self.audit)
        self.client = HttpClient(make_guard(settings), user_agent=USER_AGENT)
        page_guard = make_guard(settings, settings.names("ALLOWED_DOMAINS"))
        self.page_client = HttpClient(page_guard, user_agent=USER_AGENT)
        user_problems: list[str] = []
        self.local_user = local_user(settings, user_problems)
        self.services = Services(
            settings,
            client=self.client,
            page_client=self.page_client,
            page_guard=page_guard,
            cache=self.cache,
            store=self.store,
            sole_reader=self.local_user if is_one_person(settings) else None,
        )
        self.artifacts = self.services.artifacts
        self.problems = [*settings.problems, *conflicts(settings), *self.services.problems, *user_problems]
        self._run = build_pipeline(self._middleware(), RunTool(self.services))

    def _middleware(self) -> list[Middleware]:
        """What happens around every call, outermost first."""
        settings = self.settings
        return [
            ObserveCalls(self.statistics, self.audit, self.services.router),
            *([CountUsage(lambda: self.services.people)] if settings.flag("USER_ANALYTICS_ENABLED") else []),
            StorageWarning(self.storage_check),
            ReportFailures(self.masker, Connectivity()),
            refuse_what_cannot_be_kept,
            validate_arguments,
            report_progress,
            *([self.quota] if self.quota.limit else []),
            LinkLargeAnswers(self.artifacts, settings.count("LINK_THRESHOLD_BYTES")),
            RecordSources(lambda: self.services.sessions),
            AnswerCache(self.cache, self.artifacts, tenants_apart=settings.text("CACHE_ISOLATION") == "tenant"),
            LimitTime(settings.seconds("TOOL_TIMEOUT")),
        ]

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        identity: Identity | None = None,
        progress: Progress = no_progress,
        on_part: PartHandler = no_parts,
        inline: bool = False,
        links: bool = False,
        most_bytes: int = 0,
        request_id: str = "",
        source_ip: str = "",
    ) -> ToolAnswer:
        """Run one tool with everything around it. The answer may be an error; only cancellation is raised."""
        return await self._run(
            Call(
                tool=registry.load(name),
                arguments=arguments,
                identity=identity or self.local_user,
                is_local=identity is None,
                progress=progress,
                on_part=on_part,
                inline=inline,
                links=links,
                most_bytes=most_bytes,
                request_id=request_id,
                source_ip=source_ip,
            )
        )

    @staticmethod
    def get_ready(*, for_many: bool = False) -> None:
        """Load what searching and reading need while nobody waits for it; where many are served, what every tool needs,
        since one caller's first call would else keep all others waiting. For a thread of its own."""
        gc.disable()
        try:
            load_what_is_called_first()
            if for_many:
                registry.all_tools()
                for entry in all_upstreams().values():
                    entry.module  # noqa: B018
                for module in USED_LATER:
                    import_module(module)
        finally:
            gc.freeze()  # what is loaded now stays: looking through it for garbage would hold up everybody
            gc.set_threshold(NEW_OBJECTS)
            gc.enable()
            give_back_memory()

    async def close(self) -> None:
        await self.services.close()
        await self.page_client.close()
        await self.client.close()
        await self.cache.close()
        await self.limiter.close()
        if self._redis:
            await self._redis.close()
        await self.store.database.close()
        if self.audit:
            self.audit.close()


def load_what_is_called_first() -> None:
    from wellsourced.documents.formats import known_formats
    from wellsourced.pages import sites
    from wellsourced.sandbox.reading import get_ready_for_pages

    for name in CALLED_FIRST:
        registry.load(name)
    for module in USED_FIRST:
        import_module(module)
    get_ready_for_pages()
    known_formats()
    sites.catalogue()


def open_app(settings: Settings | None = None) -> Application:
    """An application for the given settings, or for those of the environment."""
    return Application(settings or from_environment(declared_settings()))
