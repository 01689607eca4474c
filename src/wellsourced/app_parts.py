"""The parts of the house, each made from the settings; the desk puts them together."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

from wellsourced import upstreams
from wellsourced.errors import Misconfigured
from wellsourced.evidence.reputation import Reputation
from wellsourced.identity import ANONYMOUS, Identity
from wellsourced.net.breaker import Breaker
from wellsourced.net.guard import Guard
from wellsourced.pages import sites
from wellsourced.settings import Settings, environment_variable
from wellsourced.settings.variable import Setting
from wellsourced.settings.variables import HOUSE
from wellsourced.storage.audit.log import AuditLog
from wellsourced.storage.cache.cache import Cache
from wellsourced.storage.database import Database
from wellsourced.storage.key_file import KEY_BYTES, load_key, load_previous_key
from wellsourced.storage.limits.counts import Counts
from wellsourced.storage.limits.limits import Limiter, LocalLimiter
from wellsourced.storage.sealer import Seal
from wellsourced.storage.sessions.store import Limits, SessionStore
from wellsourced.text.masker import Masker

if TYPE_CHECKING:
    from wellsourced.net.browser.browser import Browser
    from wellsourced.people.stores.stores import PersonalStores
    from wellsourced.storage.audit.webhook import Webhook
    from wellsourced.storage.redis_fallback import ImpatientLink

DATABASE = "wellsourced.db"
MEBIBYTE = 1024 * 1024
POSTGRES_SCHEMES = ("postgresql://", "postgres://")
LOCAL_NAME = re.compile(r"[A-Za-z0-9._@-]{1,128}")

logger = logging.getLogger("wellsourced")


@dataclass(frozen=True, slots=True)
class Safe:
    """Where things are kept on disk, and the seal on what is personal."""

    database: Database
    seal: Seal


def declared_settings() -> list[Setting]:
    """Every variable the house reads."""
    return [*HOUSE, *upstreams.settings(), *sites.settings()]


def secrets_of(settings: Settings) -> list[str]:
    return [
        settings.text(setting.name)
        for setting in declared_settings()
        if setting.secret and settings.is_set(setting.name)
    ]


def make_guard(settings: Settings, allowed_domains: Sequence[str] = ()) -> Guard:
    if port := settings.count("SAMPLE_WEB_PORT"):
        from wellsourced.net.demo_guard import SampleGuard

        return SampleGuard(port, allowed_domains)
    return Guard(allow_private=settings.flag("ALLOW_PRIVATE_IPS"), allowed_domains=allowed_domains)


def browser_maker(settings: Settings, guard: Guard) -> Callable[[], Browser] | None:
    """For when a browser is first needed; None where it is turned off."""
    path = settings.text("CHROME_PATH")
    if path.lower() == "disabled":
        return None

    def make() -> Browser:
        from wellsourced.net.browser.browser import Browser

        return Browser(
            guard,
            chrome_path=path,
            idle_seconds=settings.seconds("BROWSER_IDLE_TIMEOUT"),
            cdp_url=settings.text("BROWSER_CDP_URL"),
            max_pages=max(1, settings.count("MAX_SCRAPE_CONCURRENCY_BROWSER")),
            no_sandbox=settings.flag("CHROME_NO_SANDBOX"),
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
    found = []
    if settings.is_set("REDIS_URL") and not settings.is_set("CACHE_ENCRYPTION_KEY"):
        found.append(
            "REDIS_URL: instances that share Redis need the same key; set CACHE_ENCRYPTION_KEY (64 hexadecimal digits)."
        )
    if settings.is_set("REDIS_URL") and find_spec("redis") is None:
        found.append("REDIS_URL: the package redis is missing; install it with: pip install 'wellsourced[redis]'")
    if settings.is_set("REDIS_URL") and not settings.text("REDIS_URL").startswith(("redis://", "rediss://", "unix://")):
        found.append("REDIS_URL: it is not understood; it accepts an address such as redis://:password@host:6379/0.")
    if settings.is_set("LIBRARY_URL") and not settings.text("LIBRARY_URL").startswith(POSTGRES_SCHEMES):
        found.append(
            "LIBRARY_URL: it is not understood; it accepts an address such as postgresql://user:password@host/database."
        )
    found += browser_problems(settings)
    webhook = settings.text("AUDIT_WEBHOOK_URL")
    if webhook and not webhook.startswith(("http://", "https://")):
        found.append("AUDIT_WEBHOOK_URL: it must be an http:// or https:// address.")
    if webhook and not settings.is_set("AUDIT_OUTPUT_PATH"):
        found.append("AUDIT_WEBHOOK_URL: lines are sent as they are written; set AUDIT_OUTPUT_PATH to a file as well.")
    return found


def browser_problems(settings: Settings) -> list[str]:
    found = []
    chrome, pool = settings.text("CHROME_PATH"), settings.text("BROWSER_CDP_URL")
    if chrome and chrome.lower() != "disabled" and which(chrome) is None:
        found.append(
            f"CHROME_PATH: {chrome[:200]!r} is not a program that can be run; it accepts the path of Chromium, or "
            "disabled."
        )
    if pool and not pool.startswith(("http://", "https://", "ws://", "wss://")):
        found.append("BROWSER_CDP_URL: it is not understood; it accepts an address such as http://browser:9222.")
    return found


def open_safe(settings: Settings) -> Safe | None:
    """The encrypted file; where its key cannot be had, the house goes on in memory and says so."""
    folder = data_folder(settings)
    try:
        key = load_key(folder, settings.text("CACHE_ENCRYPTION_KEY"))
    except (OSError, Misconfigured) as problem:
        logger.warning("Nothing will be kept on disk: %s", problem)
        return None
    previous = load_previous_key(folder, settings.text("CACHE_ENCRYPTION_KEY_PREV"), key)
    return Safe(Database(folder / DATABASE, key, previous), Seal(key, previous))


def make_shared_link(settings: Settings, safe: Safe | None) -> ImpatientLink | None:
    """Redis for the cache and the limits, which go on without it; None where there is none or no key for it."""
    if safe is None or not settings.is_set("REDIS_URL"):
        return None
    from wellsourced.storage.redis_fallback import ImpatientLink

    return ImpatientLink(settings.text("REDIS_URL"), logger.warning)


def make_cache(settings: Settings, safe: Safe | None, redis: ImpatientLink | None) -> Cache:
    make = partial(Cache, max_memory_bytes=settings.count("CACHE_MAX_MEMORY_MB") * MEBIBYTE, on_trouble=logger.warning)
    if safe and redis:
        from wellsourced.storage.cache.redis import RedisCopies

        return make(None, max_disk_bytes=0, shared=RedisCopies(redis, safe.seal))
    return make(safe.database if safe else None, max_disk_bytes=settings.count("CACHE_MAX_DISK_MB") * MEBIBYTE)


def make_limiter(settings: Settings, safe: Safe | None, redis: ImpatientLink | None) -> Limiter:
    """Counted together over Redis; else by this instance, whose daily counts are kept in the file if they may be."""
    if safe and redis:
        from wellsourced.storage.limits.redis import RedisLimiter

        return RedisLimiter(redis, safe.seal.digest, LocalLimiter())
    file = safe.database if safe and settings.flag("RATE_LIMIT_PERSIST") else None
    return LocalLimiter(Counts(file, logger.warning))


def make_session_store(settings: Settings, safe: Safe | None) -> SessionStore:
    """Redis where several instances share it, else the encrypted file, else memory alone."""
    limits = Limits(ttl=settings.seconds("SESSION_TTL"), steps=max(1, settings.count("SESSION_MAX_STEPS")))
    if safe and settings.is_set("REDIS_URL"):
        from wellsourced.storage.sessions.redis import RedisSessions

        return RedisSessions(settings.text("REDIS_URL"), safe.seal, limits)
    if safe:
        from wellsourced.storage.sessions.sqlite import SqliteSessions

        return SqliteSessions(safe.database, safe.seal, limits)
    from wellsourced.storage.sessions.memory import MemorySessions

    return MemorySessions(limits)


def make_personal_stores(settings: Settings, safe: Safe | None) -> PersonalStores:
    """Where research sessions are kept, consents, memories, workspaces and counts of calls are too."""
    from wellsourced.people.stores.stores import Limits, PersonalStores
    from wellsourced.storage.records.memory import MemoryShelf
    from wellsourced.storage.records.redis import RedisShelf
    from wellsourced.storage.records.sqlite import SqliteShelf

    limits = Limits(
        memory_seconds=settings.seconds("MEMORY_RETENTION"), workspace_seconds=settings.seconds("WORKSPACE_TTL")
    )
    if safe and settings.is_set("REDIS_URL"):
        return PersonalStores(RedisShelf(settings.text("REDIS_URL")), safe.seal, limits)
    if safe:
        return PersonalStores(SqliteShelf(safe.database), safe.seal, limits)
    return PersonalStores(MemoryShelf(), Seal(os.urandom(KEY_BYTES)), limits)


def local_user(settings: Settings, problems: list[str]) -> Identity:
    """Who calls where there is no sign-in: on stdio, at the command line, from Python."""
    name = settings.text("STDIO_USER_ID")
    if name and (not LOCAL_NAME.fullmatch(name) or name == ANONYMOUS):
        problems.append(
            "STDIO_USER_ID: a name has 1 to 128 letters, digits or . _ @ - and is not anonymous; until it is mended "
            "the local user has none."
        )
        name = ""
    return Identity(user=name or ANONYMOUS)


def make_audit(settings: Settings, safe: Safe | None, masker: Masker) -> AuditLog | None:
    path = path_or_none(settings, "AUDIT_OUTPUT_PATH")
    if path is None or not settings.flag("AUDIT_ENABLED"):
        return None
    from wellsourced.storage.audit.file import AuditFile
    from wellsourced.storage.audit.overflow import Swap

    file = AuditFile(
        path,
        max_bytes=settings.count("AUDIT_MAX_BYTES"),
        keep_days=min(max(settings.count("AUDIT_RETENTION_DAYS"), 180), 3650),
        seal=safe.seal if safe else None,
    )
    return AuditLog(
        file,
        Swap(path),
        masker,
        include_queries=settings.flag("AUDIT_INCLUDE_REQUEST_BODY"),
        buffer_size=settings.count("AUDIT_BUFFER_SIZE"),
        region=settings.text("DATA_REGION"),
        webhook=make_webhook(settings),
    )


def make_webhook(settings: Settings) -> Webhook | None:
    url = settings.text("AUDIT_WEBHOOK_URL")
    if not url:
        return None
    from wellsourced.net.client import Client, Outgoing
    from wellsourced.storage.audit.webhook import Webhook

    client = Client(make_guard(settings), user_agent="wellsourced")
    headers = {"Content-Type": "application/json"}

    async def post(line: bytes) -> bool:
        reply = await client.send(Outgoing("POST", url, headers, line, timeout=5.0, trusted=True))
        return reply.status < 300

    return Webhook(post)


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
