"""/admin/data, /admin/consent and /admin/workspace/members: what is kept of people, and what they agreed to."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from wellsourced.http.admin.fields import body_of, flag, named, person, query_of, text
from wellsourced.http.admin.gate import ADMIN, EVERYBODY, Errand, answered
from wellsourced.identity import Identity

PERSON = ("tenant_id", "user_id")
CONSENT = (*PERSON, "purpose")
MEMBER = (*PERSON, "workspace_id")


async def export_data(errand: Errand) -> Response:
    tenant, user = await subject(errand)
    exported = await errand.app.services.subjects.export(tenant, user or None)
    counts = {name: len(found) for name, found in exported["namespaces"].items()}
    return concluded(errand, "data.export", exported, exported=counts)


async def erase_data(errand: Errand) -> Response:
    tenant, user = await subject(errand)
    erased = await errand.app.services.subjects.erase(tenant, user or None)
    return concluded(errand, "data.erasure", erased, deleted=erased["deleted"])


async def subject(errand: Errand) -> tuple[str, str]:
    """A user_id that was sent must name somebody, or a whole tenant would be erased."""
    given = await query_of(errand.request, *PERSON)
    return text(given, "tenant_id"), text(given, "user_id", is_needed="user_id" in given)


def concluded(errand: Errand, event_type: str, outcome: dict[str, Any], **counts: object) -> Response:
    """503 when a store could not be asked: the rest was done, and asking again does no harm."""
    is_whole = "errors" not in outcome
    who = Identity(outcome["tenantId"], outcome.get("userId", EVERYBODY))
    errand.record(event_type, who, success=is_whole, **counts, **({} if is_whole else {"errors": outcome["errors"]}))
    return answered(outcome, 200 if is_whole else 503)


async def record_consent(errand: Errand) -> Response:
    given = await body_of(errand.request, *CONSENT, "granted", "terms_version")
    who, purpose, granted = person(given), text(given, "purpose"), flag(given, "granted")
    terms = text(given, "terms_version", is_needed=False) or None
    permission = errand.app.services.personal.permission
    consent = await permission.decide(who, purpose, granted, terms_version=terms, decided_from=ADMIN)
    errand.record("consent.grant" if granted else "consent.withdraw", who, purpose=purpose, terms_version=terms)
    return answered(consent.model_dump(by_alias=True, exclude_none=True))


async def show_consent(errand: Errand) -> Response:
    given = await query_of(errand.request, *CONSENT)
    who, purpose = person(given), text(given, "purpose")
    consent = await errand.app.services.personal.permission.recorded(who, purpose)
    if consent is None:
        return answered({"found": False}, 404)
    return answered({"found": True, **consent.model_dump(by_alias=True, exclude_none=True)})


async def add_member(errand: Errand) -> Response:
    given = await body_of(errand.request, *MEMBER)
    who, workspace = person(given), text(given, "workspace_id")
    member = await errand.app.services.personal.workspaces.add_member(workspace, who)
    errand.record("workspace.member.add", who, workspace_id=member.workspace_id)
    return answered(member.model_dump(by_alias=True, exclude_none=True))


async def remove_member(errand: Errand) -> Response:
    given = await named(errand.request, *MEMBER)
    who, workspace = person(given), text(given, "workspace_id")
    removed = await errand.app.services.personal.workspaces.remove_member(workspace, who)
    errand.record("workspace.member.remove", who, success=removed, workspace_id=workspace)
    return answered({"removed": removed}, 200 if removed else 404)
