"""Who may have what kept of them. Without a record of consent the answer is no; for anonymous callers it always is.

A person at this machine who gave a name (STDIO_USER_ID) has thereby agreed to memory and analytics, unless a record
says otherwise. Over HTTP nothing is agreed to by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from wellsourced.errors import BadInput
from wellsourced.identity import Identity
from wellsourced.people.repositories import ConsentRepository
from wellsourced.people.types import PURPOSES, Consent, Purpose
from wellsourced.sessions.session_json import moment_from, moment_text

AGREED_LOCALLY: tuple[Purpose, ...] = ("memory", "analytics")
LOCAL = "stdio"
ALWAYS = datetime.min.replace(tzinfo=UTC)
SWITCHES: dict[Purpose, str] = {
    "memory": "MEMORY_ENABLED",
    "analytics": "USER_ANALYTICS_ENABLED",
    "workspace": "WORKSPACES_ENABLED",
}
"""The variables that offer a purpose."""


def utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Caller:
    """`is_local` where there is no sign-in: on stdio, at the command line, from Python."""

    who: Identity
    is_local: bool = False


@dataclass(frozen=True, slots=True)
class AccessRefusal:
    """Not an error: an answer that refuses, with a sentence that says what would be needed."""

    status: str
    reason: str


class ConsentService:
    """`enabled` is what the operator offers at all."""

    def __init__(
        self,
        consents: ConsentRepository,
        enabled: Collection[Purpose] = PURPOSES,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._consents = consents
        self._enabled = enabled
        self._now = now

    async def decide(
        self, who: Identity, purpose: str, granted: bool, *, terms_version: str | None = None, decided_from: str
    ) -> Consent:
        """Record a decision; it counts from now on and is stored when this returns."""
        if not is_known_user(who):
            raise BadInput("Consent is somebody's: name the user; anonymous callers cannot agree to anything.")
        consent = Consent(
            tenant_id=who.tenant,
            user_id=who.user,
            purpose=known_purpose(purpose),
            granted=granted,
            terms_version=terms_version,
            decided_at=moment_text(self._now()),
            decided_from=decided_from,
        )
        await self._consents.save(consent)
        return consent

    async def recorded(self, who: Identity, purpose: str) -> Consent | None:
        """The last decision; None when there was none."""
        return await self._consents.get(who, known_purpose(purpose))

    async def refusal(self, caller: Caller, purpose: Purpose) -> AccessRefusal | None:
        """Why not; None when the caller agreed."""
        if purpose not in self._enabled:
            switch = SWITCHES.get(purpose, "no setting")
            return AccessRefusal("unavailable", f"The {purpose} feature is off on this server; {switch} turns it on.")
        if not is_known_user(caller.who):
            return AccessRefusal(
                "unavailable",
                f"The {purpose} feature is for known users: sign in, or on your own machine set STDIO_USER_ID.",
            )
        if await self._granted(caller, purpose):
            return None
        return AccessRefusal(
            "no_consent",
            f"You have not agreed to {purpose}, so nothing is kept or shown. Whoever runs this server can record your "
            f'consent for the purpose "{purpose}" (POST /admin/consent).',
        )

    async def agreed_since(self, caller: Caller, purpose: Purpose) -> datetime | None:
        """From when on; None when the caller did not. Whoever is on this machine has agreed all along."""
        if purpose not in self._enabled or not is_known_user(caller.who):
            return None
        consent = await self._granted(caller, purpose)
        if consent is None:
            return None
        return ALWAYS if consent.decided_from == LOCAL else moment_from(consent.decided_at)

    async def _granted(self, caller: Caller, purpose: Purpose) -> Consent | None:
        consent = await self._consents.get(caller.who, purpose)
        if consent is None and caller.is_local and purpose in AGREED_LOCALLY:
            consent = await self.decide(caller.who, purpose, granted=True, decided_from=LOCAL)
        return consent if consent is not None and consent.granted else None


def is_known_user(who: Identity) -> bool:
    return bool(who.user.strip()) and not who.is_anonymous


def known_purpose(purpose: str) -> Purpose:
    for known in PURPOSES:
        if purpose == known:
            return known
    raise BadInput(f"unknown purpose {purpose[:60]!r}; it is one of {', '.join(PURPOSES)}.")
