"""/admin/data, /admin/consent and /admin/workspace/members: stored personal data, and what people agreed to."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from wellsourced.http.admin.admin_request import ADMIN, EVERYBODY, AdminRequest, json_response
from wellsourced.identity import Identity

PERSON = ("tenant_id", "user_id")
CONSENT = (*PERSON, "purpose")
MEMBER = (*PERSON, "workspace_id")


async def export_data(admin_request: AdminRequest) -> Response:
    tenant, user = await subject(admin_request)
    exported = await admin_request.app.services.personal_data.export(tenant, user)
    counts = {name: len(records) for name, records in exported["namespaces"].items()}
    return audited_outcome(admin_request, "data.export", exported, exported=counts)


async def erase_data(admin_request: AdminRequest) -> Response:
    tenant, user = await subject(admin_request)
    erased = await admin_request.app.services.personal_data.erase(tenant, user)
    return audited_outcome(admin_request, "data.erasure", erased, deleted=erased["deleted"])


async def subject(admin_request: AdminRequest) -> tuple[str, str | None]:
    """The tenant and, where one was named, the user."""
    fields = await admin_request.query(*PERSON)
    return fields.text("tenant_id"), fields.sent_text("user_id")


def audited_outcome(
    admin_request: AdminRequest, event_type: str, outcome: dict[str, Any], **counts: object
) -> Response:
    """503 when a store could not be reached: the rest was done, and a repeated request does no harm."""
    is_complete = "errors" not in outcome
    who = Identity(outcome["tenantId"], outcome.get("userId", EVERYBODY))
    admin_request.write_audit(event_type, who, success=is_complete, **counts, errors=outcome.get("errors"))
    return json_response(outcome, 200 if is_complete else 503)


async def record_consent(admin_request: AdminRequest) -> Response:
    fields = await admin_request.body(*CONSENT, "granted", "terms_version")
    who, purpose, granted = fields.person(), fields.text("purpose"), fields.flag("granted")
    terms = fields.optional_text("terms_version")
    consents = admin_request.app.services.people.consent
    consent = await consents.decide(who, purpose, granted, terms_version=terms, decided_from=ADMIN)
    admin_request.write_audit(
        "consent.grant" if granted else "consent.withdraw", who, purpose=purpose, terms_version=terms
    )
    return json_response(consent.model_dump(by_alias=True, exclude_none=True))


async def show_consent(admin_request: AdminRequest) -> Response:
    fields = await admin_request.query(*CONSENT)
    who, purpose = fields.person(), fields.text("purpose")
    consent = await admin_request.app.services.people.consent.recorded(who, purpose)
    if consent is None:
        return json_response({"found": False}, 404)
    return json_response({"found": True, **consent.model_dump(by_alias=True, exclude_none=True)})


async def add_member(admin_request: AdminRequest) -> Response:
    fields = await admin_request.body(*MEMBER)
    who, workspace = fields.person(), fields.text("workspace_id")
    member = await admin_request.app.services.people.workspaces.add_member(workspace, who)
    admin_request.write_audit("workspace.member.add", who, workspace_id=member.workspace_id)
    return json_response(member.model_dump(by_alias=True, exclude_none=True))


async def remove_member(admin_request: AdminRequest) -> Response:
    fields = await admin_request.query_or_body(*MEMBER)
    who, workspace = fields.person(), fields.text("workspace_id")
    removed = await admin_request.app.services.people.workspaces.remove_member(workspace, who)
    admin_request.write_audit("workspace.member.remove", who, success=removed, workspace_id=workspace)
    return json_response({"removed": removed}, 200 if removed else 404)
