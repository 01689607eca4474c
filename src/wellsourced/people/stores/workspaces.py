"""Workspaces: who belongs to one, and what its members shared. A workspace may have members of several tenants."""

from __future__ import annotations

from collections.abc import AsyncIterator

from wellsourced.identity import Identity, digest_of
from wellsourced.people.types import Contribution, Membership
from wellsourced.storage.records.sealed import Records


class Workspaces:
    def __init__(self, members: Records[Membership], contributions: Records[Contribution]) -> None:
        self.members = members
        self.contributions = contributions

    async def join(self, membership: Membership) -> None:
        """Again for a member prolongs the membership."""
        who = Identity(membership.tenant_id, membership.user_id)
        await self.members.put(_place(membership.workspace_id), who, _id(who), membership)

    async def leave(self, workspace: str, who: Identity) -> bool:
        """Whether there was a membership. What was shared stays until its time is over or it is erased."""
        return await self.members.remove(_place(workspace), _id(who)) > 0

    async def has_member(self, workspace: str, who: Identity) -> bool:
        return await self.members.get(_place(workspace), _id(who)) is not None

    async def add(self, contribution: Contribution) -> int:
        """How many of the workspace's oldest contributions had to go for it."""
        who = Identity(contribution.contributor_tenant, contribution.contributor_user)
        return await self.contributions.put(_place(contribution.workspace_id), who, contribution.id, contribution)

    def newest(self, workspace: str) -> AsyncIterator[Contribution]:
        return self.contributions.newest(_place(workspace))

    async def remove(self, contribution: Contribution) -> int:
        return await self.contributions.remove(_place(contribution.workspace_id), contribution.id)


def _place(workspace: str) -> str:
    return digest_of("workspace", workspace)


def _id(who: Identity) -> str:
    return digest_of(who.tenant, who.user)
