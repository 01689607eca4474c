"""The parts that keep something, made from the settings: the encrypted file, cache, limits, sessions, audit log."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from wellsourced.app.configuration import data_folder, path_or_none
from wellsourced.app.network import make_guard
from wellsourced.late_dataclass import dataclass
from wellsourced.settings import Settings
from wellsourced.storage.audit.log import AuditLog
from wellsourced.storage.cache.cache import Cache
from wellsourced.storage.database import Database
from wellsourced.storage.key_file import CannotUseKey, KeySource, LazyKey, load_pair
from wellsourced.storage.limits.daily_counts import DailyCounts
from wellsourced.storage.limits.rate_limits import LocalRateLimiter, RateLimiter
from wellsourced.storage.sealer import Sealer
from wellsourced.text.masker import Masker

if TYPE_CHECKING:
    from wellsourced.people.repositories import PersonalRepositories
    from wellsourced.projects.project_store import ProjectStore
    from wellsourced.projects.schedule import WatchList
    from wellsourced.projects.signing_key_store import SigningKeyStore
    from wellsourced.sessions.session_store import SessionStore
    from wellsourced.storage.audit.webhook import AuditWebhook
    from wellsourced.storage.records.sealed import SealedRecords
    from wellsourced.storage.records.store import RecordStore
    from wellsourced.storage.redis_client import OptionalRedisClient
    from wellsourced.upstream_client.kept_try import KeptTry
    from wellsourced.upstream_client.last_tries import LastTries

DATABASE = "wellsourced.db"
MEBIBYTE = 1024 * 1024
MONTH = 30 * 86400.0

logger = logging.getLogger("wellsourced")


@dataclass(frozen=True, slots=True)
class DiskStorage:
    """The encrypted file, and the sealer of what is personal. Where the key or the file cannot be used, whatever must
    be kept raises an error that says why, until it is put right."""

    database: Database
    sealer: Sealer
    key: KeySource

    @property
    def has_key(self) -> bool:
        try:
            self.key.pair()
        except CannotUseKey:
            return False
        return True


def open_storage(settings: Settings) -> DiskStorage:
    path = data_folder(settings) / DATABASE
    given = settings.text("CACHE_ENCRYPTION_KEY"), settings.text("CACHE_ENCRYPTION_KEY_PREV")
    key = LazyKey(lambda: load_pair(path, *given))
    return DiskStorage(Database(path, key), Sealer(key), key)


def make_optional_redis(settings: Settings) -> OptionalRedisClient | None:
    """Redis for the cache and the limits, which go on without it, and while there is no key for it."""
    if not settings.is_set("REDIS_URL"):
        return None
    from wellsourced.storage.redis_client import OptionalRedisClient

    return OptionalRedisClient(settings.text("REDIS_URL"), logger.warning)


def make_cache(settings: Settings, storage: DiskStorage, redis: OptionalRedisClient | None) -> Cache:
    make = partial(Cache, max_memory_bytes=settings.count("CACHE_MAX_MEMORY_MB") * MEBIBYTE, on_trouble=logger.warning)
    if redis:
        from wellsourced.storage.cache.redis import RedisCache

        return make(None, max_disk_bytes=0, shared=RedisCache(redis, storage.sealer))
    return make(storage.database, max_disk_bytes=settings.count("CACHE_MAX_DISK_MB") * MEBIBYTE)


def make_limiter(settings: Settings, storage: DiskStorage, redis: OptionalRedisClient | None) -> RateLimiter:
    """Counted together over Redis; else by this instance, whose daily counts are kept in the file if they may be."""
    if redis:
        from wellsourced.storage.limits.redis import RedisRateLimiter

        return RedisRateLimiter(redis, storage.sealer.digest, LocalRateLimiter())
    file = storage.database if settings.flag("RATE_LIMIT_PERSIST") else None
    return LocalRateLimiter(DailyCounts(file, logger.warning))


def make_session_store(settings: Settings, storage: DiskStorage) -> SessionStore:
    from wellsourced.sessions.session_store import SessionLimits, SessionStore

    limits = SessionLimits(
        ttl=settings.seconds("SESSION_TTL"),
        steps=max(1, settings.count("SESSION_MAX_STEPS")),
        sessions=max(1, settings.count("SESSION_MAX_PER_USER")),
    )
    return SessionStore(*_record_store(settings, storage), limits)


def make_project_store(settings: Settings, storage: DiskStorage) -> ProjectStore:
    from wellsourced.projects.project_store import ProjectStore

    return ProjectStore(*_record_store(settings, storage))


def make_signing_keys(settings: Settings, storage: DiskStorage) -> SigningKeyStore:
    from wellsourced.projects.signing_key_store import KeptSigningKey, SigningKeyStore
    from wellsourced.storage.records.sealed import SealedRecords

    return SigningKeyStore(SealedRecords(*_record_store(settings, storage), "signing_key", KeptSigningKey))


def make_watch_list(settings: Settings, storage: DiskStorage) -> WatchList:
    from wellsourced.projects.project_store import WATCHED
    from wellsourced.projects.schedule import WatchedProject, WatchList
    from wellsourced.storage.records.sealed import SealedRecords

    return WatchList(SealedRecords(*_record_store(settings, storage), WATCHED, WatchedProject))


def make_personal_repositories(settings: Settings, storage: DiskStorage) -> PersonalRepositories:
    from wellsourced.people.repositories import PersonalLimits, PersonalRepositories

    limits = PersonalLimits(
        memory_seconds=settings.seconds("MEMORY_RETENTION"), workspace_seconds=settings.seconds("WORKSPACE_TTL")
    )
    return PersonalRepositories(*_record_store(settings, storage), limits)


def make_last_tries(settings: Settings, storage: DiskStorage) -> LastTries:
    from wellsourced.upstream_client.last_tries import LastTries

    return LastTries(lambda: _last_try_records(settings, storage))


def _last_try_records(settings: Settings, storage: DiskStorage) -> SealedRecords[KeptTry]:
    from wellsourced.storage.records.sealed import SealedRecords
    from wellsourced.upstream_client.kept_try import KeptTry

    return SealedRecords(*_record_store(settings, storage), "last_try", KeptTry, lifetime=MONTH)


def _record_store(settings: Settings, storage: DiskStorage) -> tuple[RecordStore, Sealer]:
    """Redis where several instances share it, else the encrypted file."""
    if settings.is_set("REDIS_URL"):
        from wellsourced.storage.records.redis import RedisRecordStore

        return RedisRecordStore(settings.text("REDIS_URL")), storage.sealer
    from wellsourced.storage.records.sqlite import SqliteRecordStore

    return SqliteRecordStore(storage.database), storage.sealer


def make_audit(settings: Settings, storage: DiskStorage, masker: Masker) -> AuditLog | None:
    path = path_or_none(settings, "AUDIT_OUTPUT_PATH")
    if path is None or not settings.flag("AUDIT_ENABLED"):
        return None
    from wellsourced.storage.audit.file import AuditFile
    from wellsourced.storage.audit.overflow_file import OverflowFile

    file = AuditFile(
        path,
        max_bytes=settings.count("AUDIT_MAX_BYTES"),
        keep_days=min(max(settings.count("AUDIT_RETENTION_DAYS"), 180), 3650),
        sealer=storage.sealer,
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
    from wellsourced.net.client import HttpClient, OutgoingRequest
    from wellsourced.storage.audit.webhook import AuditWebhook

    client = HttpClient(make_guard(settings), user_agent="wellsourced")
    headers = {"Content-Type": "application/json"}

    async def post(line: bytes) -> bool:
        reply = await client.send(OutgoingRequest("POST", url, headers, line, timeout=5.0, trusted=True))
        return reply.status < 300

    return AuditWebhook(post)
