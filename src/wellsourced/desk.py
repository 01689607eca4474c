"""The composition root: puts the rooms together from the settings and takes calls."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from wellsourced import __version__, providers, tools
from wellsourced.errors import Misconfigured
from wellsourced.layers.bulk import Bulk
from wellsourced.layers.cache import CacheLayer
from wellsourced.layers.deadline import Deadline
from wellsourced.layers.failures import Failures
from wellsourced.layers.observe import Observe
from wellsourced.layers.pipeline import pipeline
from wellsourced.layers.quota import DailyQuota
from wellsourced.layers.statistics import Statistics
from wellsourced.layers.validate import validate
from wellsourced.model.answer import Answer
from wellsourced.model.identity import Identity
from wellsourced.net.breaker import Breaker
from wellsourced.net.client import Client
from wellsourced.net.guard import Guard
from wellsourced.research.call import Call, Progress, no_progress
from wellsourced.research.driver import Driver
from wellsourced.research.lenses import Lenses
from wellsourced.research.router import Router
from wellsourced.research.search import Search
from wellsourced.research.services import Services
from wellsourced.settings import HOUSE, Settings, from_environment
from wellsourced.store.artifacts import Artifacts
from wellsourced.store.audit import AuditLog
from wellsourced.store.cache import Cache
from wellsourced.store.database import Database
from wellsourced.store.keyfile import load_key, load_previous_key
from wellsourced.text.mask import Masker
from wellsourced.text.reputation import Reputation

USER_AGENT = f"wellsourced/{__version__}"
MEBIBYTE = 1024 * 1024

logger = logging.getLogger("wellsourced")


class Desk:
    """Everything one instance holds. `call` is the way in for every door."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.masker = Masker(secrets_of(settings))
        self.database = make_database(settings)
        self.cache = make_cache(settings, self.database)
        self.artifacts = Artifacts(self.cache)
        self.statistics = Statistics()
        self.quota = DailyQuota(settings.count("MAX_CALLS_PER_DAY"))
        self.audit = make_audit(settings)
        self.client = Client(make_guard(settings), user_agent=USER_AGENT)
        self.problems = list(settings.problems)
        self.services = make_services(settings, self.client, self.problems)
        self._run = pipeline(
            (
                Observe(self.statistics, self.audit, self.masker),
                Failures(self.masker),
                validate,
                self.quota,
                Bulk(self.artifacts, settings.count("LINK_THRESHOLD_BYTES")),
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
                identity=identity or Identity(),
                progress=progress,
                inline=inline,
                request_id=request_id,
            )
        )

    async def close(self) -> None:
        await self.client.close()
        await self.cache.close()
        if self.database:
            await self.database.close()
        if self.audit:
            self.audit.close()


def open_desk(settings: Settings | None = None) -> Desk:
    return Desk(settings or from_environment([*HOUSE, *providers.settings()]))


def secrets_of(settings: Settings) -> list[str]:
    declared = [*HOUSE, *providers.settings()]
    return [settings.text(setting.name) for setting in declared if setting.secret and settings.is_set(setting.name)]


def make_guard(settings: Settings) -> Guard:
    return Guard(allow_private=settings.flag("ALLOW_PRIVATE_IPS"))


def make_services(settings: Settings, client: Client, problems: list[str]) -> Services:
    """What cannot be loaded is told in `problems` and done without."""
    breaker = partial(
        Breaker,
        failures=max(1, settings.count("CIRCUIT_FAILURE_THRESHOLD")),
        open_seconds=settings.count("CIRCUIT_RESET_TIMEOUT_SECONDS"),
    )
    driver = Driver(client, settings, make_breaker=breaker)
    router = Router(driver, settings)
    lenses = Lenses.load(path_or_none(settings, "CUSTOM_LENSES_PATH"), Path("lenses"))
    problems += [*router.problems, *lenses.problems]
    reputation = load_reputation(settings, problems)
    return Services(driver=driver, router=router, search=Search(router, lenses), lenses=lenses, reputation=reputation)


def load_reputation(settings: Settings, problems: list[str]) -> Reputation:
    try:
        return Reputation.load(path_or_none(settings, "REPUTATION_PATH"))
    except Misconfigured as problem:
        problems.append(problem.sentence)
        return Reputation.load(None)


def make_cache(settings: Settings, database: Database | None) -> Cache:
    return Cache(
        database,
        max_memory_bytes=settings.count("CACHE_MAX_MEMORY_MB") * MEBIBYTE,
        max_disk_bytes=settings.count("CACHE_MAX_DISK_MB") * MEBIBYTE,
        on_trouble=logger.warning,
    )


def make_database(settings: Settings) -> Database | None:
    """The encrypted file; where its key cannot be had, the house goes on in memory and says so."""
    folder = data_folder(settings)
    try:
        key = load_key(folder, settings.text("CACHE_ENCRYPTION_KEY"))
    except (OSError, Misconfigured) as problem:
        logger.warning("Nothing will be kept on disk: %s", problem)
        return None
    previous = load_previous_key(folder, settings.text("CACHE_ENCRYPTION_KEY_PREV"), key)
    return Database(folder / "wellsourced.db", key, previous)


def make_audit(settings: Settings) -> AuditLog | None:
    path = settings.text("AUDIT_OUTPUT_PATH")
    if not path or not settings.flag("AUDIT_ENABLED"):
        return None
    return AuditLog(Path(path), include_queries=settings.flag("AUDIT_INCLUDE_REQUEST_BODY"))


def data_folder(settings: Settings) -> Path:
    """CACHE_DIR, else the platform's place for a user's data."""
    if settings.is_set("CACHE_DIR"):
        return Path(settings.text("CACHE_DIR"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "wellsourced"
    if sys.platform == "win32":
        return Path.home() / "AppData" / "Local" / "wellsourced"
    from wellsourced.settings import environment_variable

    root = environment_variable("XDG_DATA_HOME")
    return (Path(root) if root else Path.home() / ".local" / "share") / "wellsourced"


def path_or_none(settings: Settings, name: str) -> Path | None:
    return Path(settings.text(name)) if settings.is_set(name) else None
