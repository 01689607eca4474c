"""Workspaces: members share copies of findings and read those of the others. Who is a member is the operator's to say,
and is asked anew at every reading.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import datetime

from wellsourced.errors import BadInput
from wellsourced.identity import Identity
from wellsourced.people.consent import AccessRefusal, Caller, ConsentService, is_known_user, utc_now
from wellsourced.people.notes import BoundedNotes, check_note, normalize_name
from wellsourced.people.repositories import WorkspaceRepository
from wellsourced.people.types import Contribution, Membership
from wellsourced.text.moments import format_rfc3339

NOT_MEMBER = AccessRefusal(
    "not_member",
    "You are not a member of this workspace, or your membership has run out. Whoever runs this server can add you "
    "(POST /admin/workspace/members).",
)


class WorkspaceService:
    def __init__(
        self, store: WorkspaceRepository, consent: ConsentService, now: Callable[[], datetime] = utc_now
    ) -> None:
        self._store = store
        self._consent = consent
        self._now = now

    async def add_member(self, workspace: str, who: Identity) -> Membership:
        """Stored when this returns; for one who is a member already the time starts anew."""
        if not is_known_user(who):
            raise BadInput("A member is somebody: name the user; anonymous callers cannot be members.")
        membership = Membership(
            workspace_id=workspace_name(workspace),
            tenant_id=who.tenant,
            user_id=who.user,
            added_at=format_rfc3339(self._now()),
        )
        await self._store.join(membership)
        return membership

    async def remove_member(self, workspace: str, who: Identity) -> bool:
        """Whether there was a membership."""
        return await self._store.leave(workspace_name(workspace), who)

    async def contribute(
        self, caller: Caller, workspace: str, note: str, *, url: str | None, tags: list[str] | None
    ) -> tuple[Contribution, int] | AccessRefusal:
        """The contribution as it is stored, and how many of the workspace's oldest had to go for it."""
        new, place = check_note(note, url, tags), workspace_name(workspace)
        if refusal := await self._refusal(caller, place):
            return refusal
        contribution = Contribution(
            id=uuid.uuid4().hex,
            workspace_id=place,
            contributor_tenant=caller.who.tenant,
            contributor_user=caller.who.user,
            note=new.note,
            url=new.url,
            tags=new.tags,
            created_at=format_rfc3339(self._now()),
        )
        dropped = await self._store.add(contribution)
        if refusal := await self._refusal(caller, place):  # withdrawn, perhaps erased, meanwhile
            await self._store.remove(contribution)
            return refusal
        return contribution, dropped

    async def read(self, caller: Caller, workspace: str) -> BoundedNotes[Contribution] | AccessRefusal:
        """The newest first."""
        place = workspace_name(workspace)
        if refusal := await self._refusal(caller, place):
            return refusal
        answered: BoundedNotes[Contribution] = BoundedNotes()
        async for contribution in self._store.iterate_newest(place):
            if not answered.take(contribution):
                break
        return answered

    async def _refusal(self, caller: Caller, workspace: str) -> AccessRefusal | None:
        if refusal := await self._consent.refusal(caller, "workspace"):
            return refusal
        return None if await self._store.has_member(workspace, caller.who) else NOT_MEMBER


def workspace_name(given: str) -> str:
    text = normalize_name("workspace_id", given)
    if not text:
        raise BadInput("workspace_id is required and must not be blank.")
    return text
