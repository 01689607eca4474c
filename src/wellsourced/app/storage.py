"""The parts that keep something, made from the settings: the encrypted file, cache, limits, sessions, audit log."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from wellsourced.app.configuration import data_folder, path_or_none
from wellsourced.app.network import make_guard
from wellsourced.errors import Misconfigured
from wellsourced.settings import Settings
from wellsourced.storage.audit.log import AuditLog
from wellsourced.storage.cache.cache import Cache
from wellsourced.storage.database import Database
from wellsourced.storage.key_file import KEY_BYTES, load_key, load_previous_key
from wellsourced.storage.limits.daily_counts import DailyCounts
from wellsourced.storage.limits.rate_limits import LocalRateLimiter, RateLimiter
from wellsourced.storage.sealer import Sealer
from wellsourced.storage.sessions.store import Limits, SessionStore
from wellsourced.text.masker import Masker

if TYPE_CHECKING:
    from wellsourced.people.stores.stores import PersonalStores
    from wellsourced.storage.audit.webhook import AuditWebhook
    from wellsourced.storage.redis_fallback import OptionalRedisClient

DATABASE = "wellsourced.db"
MEBIBYTE = 1024 * 1024

logger = logging.getLogger("wellsourced")


@dataclass(frozen=True, slots=True)
class DiskStorage:
    """Where things are kept on disk, and the seal on what is personal."""

    database: Database
    seal: Sealer


def open_store(settings: Settings) -> DiskStorage | None:
    """The encrypted file; where its key cannot be had, the house goes on in memory and says so."""
    folder = data_folder(settings)
    try:
        key = load_key(folder, settings.text("CACHE_ENCRYPTION_KEY"))
    except (OSError, Misconfigured) as problem:
        logger.warning("Nothing will be kept on disk: %s", problem)
        return None
    previous = load_previous_key(folder, settings.text("CACHE_ENCRYPTION_KEY_PREV"), key)
    return DiskStorage(Database(folder / DATABASE, key, previous), Sealer(key, previous))


def make_shared_link(settings: Settings, store: DiskStorage | None) -> OptionalRedisClient | None:
    """Redis for the cache and the limits, which go on without it; None where there is none or no key for it."""
    if store is None or not settings.is_set("REDIS_URL"):
        return None
    from wellsourced.storage.redis_fallback import OptionalRedisClient

    return OptionalRedisClient(settings.text("REDIS_URL"), logger.warning)


def make_cache(settings: Settings, store: DiskStorage | None, redis: OptionalRedisClient | None) -> Cache:
    make = partial(Cache, max_memory_bytes=settings.count("CACHE_MAX_MEMORY_MB") * MEBIBYTE, on_trouble=logger.warning)
    if store and redis:
        from wellsourced.storage.cache.redis import RedisCache

        return make(None, max_disk_bytes=0, shared=RedisCache(redis, store.seal))
    return make(store.database if store else None, max_disk_bytes=settings.count("CACHE_MAX_DISK_MB") * MEBIBYTE)


def make_limiter(settings: Settings, store: DiskStorage | None, redis: OptionalRedisClient | None) -> RateLimiter:
    """Counted together over Redis; else by this instance, whose daily counts are kept in the file if they may be."""
    if store and redis:
        from wellsourced.storage.limits.redis import RedisRateLimiter

        return RedisRateLimiter(redis, store.seal.digest, LocalRateLimiter())
    file = store.database if store and settings.flag("RATE_LIMIT_PERSIST") else None
    return LocalRateLimiter(DailyCounts(file, logger.warning))


def make_session_store(settings: Settings, store: DiskStorage | None) -> SessionStore:
    """Redis where several instances share it, else the encrypted file, else memory alone."""
    limits = Limits(ttl=settings.seconds("SESSION_TTL"), steps=max(1, settings.count("SESSION_MAX_STEPS")))
    if store and settings.is_set("REDIS_URL"):
        from wellsourced.storage.sessions.redis import RedisSessions

        return RedisSessions(settings.text("REDIS_URL"), store.seal, limits)
    if store:
        from wellsourced.storage.sessions.sqlite import SqliteSessions

        return SqliteSessions(store.database, store.seal, limits)
    from wellsourced.storage.sessions.memory import MemorySessions

    return MemorySessions(limits)


def make_personal_stores(settings: Settings, store: DiskStorage | None) -> PersonalStores:
    """Where research sessions are kept, consents, memories, workspaces and counts of calls are too."""
    from wellsourced.people.stores.stores import Limits, PersonalStores
    from wellsourced.storage.records.memory import MemoryShelf
    from wellsourced.storage.records.redis import RedisShelf
    from wellsourced.storage.records.sqlite import SqliteShelf

    limits = Limits(
        memory_seconds=settings.seconds("MEMORY_RETENTION"), workspace_seconds=settings.seconds("WORKSPACE_TTL")
    )
    if store and settings.is_set("REDIS_URL"):
        return PersonalStores(RedisShelf(settings.text("REDIS_URL")), store.seal, limits)
    if store:
        return PersonalStores(SqliteShelf(store.database), store.seal, limits)
    return PersonalStores(MemoryShelf(), Sealer(os.urandom(KEY_BYTES)), limits)


def make_audit(settings: Settings, store: DiskStorage | None, masker: Masker) -> AuditLog | None:
    path = path_or_none(settings, "AUDIT_OUTPUT_PATH")
    if path is None or not settings.flag("AUDIT_ENABLED"):
        return None
    from wellsourced.storage.audit.file import AuditFile
    from wellsourced.storage.audit.overflow import OverflowFile

    file = AuditFile(
        path,
        max_bytes=settings.count("AUDIT_MAX_BYTES"),
        keep_days=min(max(settings.count("AUDIT_RETENTION_DAYS"), 180), 3650),
        seal=store.seal if store else None,
    )
    return AuditLog(
        file,
        OverflowFile(path),
        masker,
        include_queries=settings.flag("AUDIT_INCLUDE_REQUEST_BODY"),
        buffer_size=settings.count("AUDIT_BUFFER_SIZE"),
        region=settings.text("DATA_REGION"),
        webhook=make_webhook(settings),
    )


def make_webhook(settings: Settings) -> AuditWebhook | None:
    url = settings.text("AUDIT_WEBHOOK_URL")
    if not url:
        return None
    from wellsourced.net.client import Client, Outgoing
    from wellsourced.storage.audit.webhook import AuditWebhook

    client = Client(make_guard(settings), user_agent="wellsourced")
    headers = {"Content-Type": "application/json"}

    async def post(line: bytes) -> bool:
        reply = await client.send(Outgoing("POST", url, headers, line, timeout=5.0, trusted=True))
        return reply.status < 300

    return AuditWebhook(post)
