"""The parts of the house, each made from the settings; the desk puts them together."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from wellsourced import providers, sites
from wellsourced.errors import Misconfigured
from wellsourced.model.setting import Setting
from wellsourced.net.breaker import Breaker
from wellsourced.net.guard import Guard
from wellsourced.settings import Settings, environment_variable
from wellsourced.store.audit import AuditLog
from wellsourced.store.cache import Cache
from wellsourced.store.database import Database
from wellsourced.store.keyfile import load_key, load_previous_key
from wellsourced.store.seal import Seal
from wellsourced.store.sessions import Limits, SessionStore
from wellsourced.text.reputation import Reputation
from wellsourced.variables import HOUSE

if TYPE_CHECKING:
    from wellsourced.net.browser import Browser

MEBIBYTE = 1024 * 1024

logger = logging.getLogger("wellsourced")


@dataclass(frozen=True, slots=True)
class Safe:
    """Where things are kept on disk, and the seal on what is personal."""

    database: Database
    seal: Seal


def declared_settings() -> list[Setting]:
    """Every variable the house reads."""
    return [*HOUSE, *providers.settings(), *sites.settings()]


def secrets_of(settings: Settings) -> list[str]:
    return [
        settings.text(setting.name)
        for setting in declared_settings()
        if setting.secret and settings.is_set(setting.name)
    ]


def make_guard(settings: Settings, allowed_domains: Sequence[str] = ()) -> Guard:
    return Guard(allow_private=settings.flag("ALLOW_PRIVATE_IPS"), allowed_domains=allowed_domains)


def browser_maker(settings: Settings, guard: Guard) -> Callable[[], Browser] | None:
    """For when a browser is first needed; None where it is turned off."""
    path = settings.text("CHROME_PATH")
    if path.lower() == "disabled":
        return None

    def make() -> Browser:
        from wellsourced.net.browser import Browser

        return Browser(
            guard,
            chrome_path=path,
            idle_seconds=settings.seconds("BROWSER_IDLE_TIMEOUT"),
            cdp_url=settings.text("BROWSER_CDP_URL"),
            max_pages=max(1, settings.count("MAX_SCRAPE_CONCURRENCY_BROWSER")),
        )

    return make


def breaker_maker(settings: Settings) -> Callable[[], Breaker]:
    return partial(
        Breaker,
        failures=max(1, settings.count("CIRCUIT_FAILURE_THRESHOLD")),
        open_seconds=settings.count("CIRCUIT_RESET_TIMEOUT_SECONDS"),
    )


def load_reputation(settings: Settings, problems: list[str]) -> Reputation:
    try:
        return Reputation.load(path_or_none(settings, "REPUTATION_PATH"))
    except Misconfigured as problem:
        problems.append(problem.sentence)
        return Reputation.load(None)


def conflicts(settings: Settings) -> list[str]:
    """Settings that are right by themselves and wrong together."""
    if settings.is_set("REDIS_URL") and not settings.is_set("CACHE_ENCRYPTION_KEY"):
        return [
            "REDIS_URL: instances that share Redis need the same key; set CACHE_ENCRYPTION_KEY (64 hexadecimal digits)."
        ]
    return []


def open_safe(settings: Settings) -> Safe | None:
    """The encrypted file; where its key cannot be had, the house goes on in memory and says so."""
    folder = data_folder(settings)
    try:
        key = load_key(folder, settings.text("CACHE_ENCRYPTION_KEY"))
    except (OSError, Misconfigured) as problem:
        logger.warning("Nothing will be kept on disk: %s", problem)
        return None
    previous = load_previous_key(folder, settings.text("CACHE_ENCRYPTION_KEY_PREV"), key)
    return Safe(Database(folder / "wellsourced.db", key, previous), Seal(key, previous))


def make_cache(settings: Settings, safe: Safe | None) -> Cache:
    return Cache(
        safe.database if safe else None,
        max_memory_bytes=settings.count("CACHE_MAX_MEMORY_MB") * MEBIBYTE,
        max_disk_bytes=settings.count("CACHE_MAX_DISK_MB") * MEBIBYTE,
        on_trouble=logger.warning,
    )


def make_session_store(settings: Settings, safe: Safe | None) -> SessionStore:
    """Redis where several instances share it, else the encrypted file, else memory alone."""
    limits = Limits(ttl=settings.seconds("SESSION_TTL"), steps=max(1, settings.count("SESSION_MAX_STEPS")))
    if safe and settings.is_set("REDIS_URL"):
        from wellsourced.store.session_redis import RedisSessions

        return RedisSessions(settings.text("REDIS_URL"), safe.seal, limits)
    if safe:
        from wellsourced.store.session_sqlite import SqliteSessions

        return SqliteSessions(safe.database, safe.seal, limits)
    from wellsourced.store.session_memory import MemorySessions

    return MemorySessions(limits)


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
    root = environment_variable("XDG_DATA_HOME")
    return (Path(root) if root else Path.home() / ".local" / "share") / "wellsourced"


def path_or_none(settings: Settings, name: str) -> Path | None:
    return Path(settings.text(name)) if settings.is_set(name) else None
