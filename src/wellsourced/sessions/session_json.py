"""The parts of a research session as JSON and back: one form for storing, exporting and answering.

What is stored carries a version. A later version is refused in words; fields that are empty are left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from wellsourced.errors import Misconfigured
from wellsourced.sessions.session import Gap, RequestOutcome, Session, Step
from wellsourced.tool.sources import FoundSource, SourceEvidence, WorkDetails

VERSION = 1


def pack(fields: Mapping[str, Any]) -> bytes:
    """Bytes for the store; lone surrogates from hostile pages become replacement characters."""
    return json.dumps({"v": VERSION, **fields}, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def unpack(stored: bytes) -> dict[str, Any]:
    fields = json.loads(stored)
    if not isinstance(fields, dict) or not isinstance(fields.get("v"), int) or fields["v"] > VERSION:
        raise Misconfigured("A research session was written by a newer version of Wellsourced; install that version.")
    return fields


def moment_text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def moment_from(text: str) -> datetime:
    return datetime.fromisoformat(text)


def step_json(step: Step) -> dict[str, Any]:
    """Every field that was stored; what supersedes the step is added by whoever knows the session."""
    return _filled(
        stepNumber=step.number,
        description=step.description,
        reasoning=step.reasoning,
        confidence=step.confidence,
        rejectedApproaches=list(step.rejected_approaches),
        isRevision=step.is_revision or None,
        revisesStep=step.revises_step,
        branchId=step.branch_id,
        branchFromStep=step.branch_from_step,
        knowledgeGap=step.knowledge_gap,
        resolvedGaps=list(step.resolved_gaps),
        timestamp=moment_text(step.timestamp),
    )


def stored_step(step: Step) -> dict[str, Any]:
    return {**step_json(step), "position": step.position, "parent": step.parent, "revises": step.revises}


def step_from(fields: Mapping[str, Any]) -> Step:
    return Step(
        position=fields["position"],
        number=fields["stepNumber"],
        description=fields.get("description", ""),
        timestamp=moment_from(fields["timestamp"]),
        parent=fields["parent"],
        revises=fields.get("revises"),
        reasoning=fields.get("reasoning"),
        confidence=fields.get("confidence"),
        rejected_approaches=tuple(fields.get("rejectedApproaches", ())),
        is_revision=fields.get("isRevision", False),
        revises_step=fields.get("revisesStep"),
        branch_id=fields.get("branchId"),
        branch_from_step=fields.get("branchFromStep"),
        knowledge_gap=fields.get("knowledgeGap"),
        resolved_gaps=tuple(fields.get("resolvedGaps", ())),
    )


def source_json(source: FoundSource) -> dict[str, Any]:
    return _filled(
        url=source.url,
        title=source.title,
        relevance=source.type,
        author=source.author,
        date=source.date,
        doi=source.doi,
        foundInStep=source.found_in_step,
        afterStep=source.after_step,
        httpStatus=source.http_status,
        verified=source.verified,
        archivedUrl=source.archived_url,
        verifiedAt=source.verified_at,
        retraction=source.retraction,
        rejected=source.rejected,
        standing=list(source.standing),
        evidence=[
            _filled(claim=e.claim, quote=e.quote, link=e.link, stance=e.stance, differs=e.differs)
            for e in source.evidence
        ],
        work=source.work.known() or None,
    )


def source_from(fields: Mapping[str, Any]) -> FoundSource:
    return FoundSource(
        url=fields.get("url", ""),
        title=fields.get("title", ""),
        type=fields.get("relevance"),
        author=fields.get("author"),
        date=fields.get("date"),
        doi=fields.get("doi"),
        found_in_step=fields.get("foundInStep"),
        after_step=fields.get("afterStep"),
        http_status=fields.get("httpStatus"),
        verified=fields.get("verified"),
        archived_url=fields.get("archivedUrl"),
        verified_at=fields.get("verifiedAt"),
        retraction=fields.get("retraction"),
        rejected=fields.get("rejected"),
        evidence=tuple(_evidence_from(item) for item in fields.get("evidence", ())),
        standing=tuple(fields.get("standing", ())),
        work=_work_from(fields.get("work", {})),
    )


def outcome_json(outcome: RequestOutcome) -> dict[str, Any]:
    return _filled(
        provider=outcome.provider,
        success=outcome.success,
        errorKind=outcome.error_kind,
        url=outcome.url,
        stepNumber=outcome.step_number,
        timestamp=moment_text(outcome.timestamp) if outcome.timestamp else None,
    )


def outcome_from(fields: Mapping[str, Any]) -> RequestOutcome:
    return RequestOutcome(
        success=fields["success"],
        provider=fields.get("provider"),
        error_kind=fields.get("errorKind"),
        url=fields.get("url"),
        step_number=fields.get("stepNumber"),
        timestamp=moment_from(fields["timestamp"]) if "timestamp" in fields else None,
    )


def gap_json(gap: Gap) -> dict[str, Any]:
    return _filled(description=gap.description, foundInStep=gap.found_in_step, closedInStep=gap.closed_in_step)


def session_json(session: Session) -> dict[str, Any]:
    """The whole session, as it is exported."""
    steps = [{**step_json(step), **_filled(supersededBy=session.superseded_by(step))} for step in session.steps]
    return _filled(
        id=session.id,
        tenantId=session.owner.tenant,
        researchGoal=session.goal,
        totalStepsEstimate=session.total_steps_estimate or None,
        createdAt=moment_text(session.created_at),
        completedAt=moment_text(session.completed_at) if session.completed_at else None,
        summary=session.summary,
    ) | {
        "steps": steps,
        "sources": [source_json(source) for source in session.sources],
        "gaps": [gap_json(gap) for gap in session.gaps],
        "outcomes": [outcome_json(outcome) for outcome in session.outcomes],
    }


def session_summary(session: Session) -> dict[str, Any]:
    """A session in a list of sessions."""
    return {
        "sessionId": session.id,
        "researchGoal": session.goal,
        "stepCount": session.step_count,
        "sourceCount": session.source_count,
        "startedAt": moment_text(session.created_at),
        "lastUsed": moment_text(session.last_used),
        "isComplete": session.completed_at is not None,
    }


def _work_from(fields: Mapping[str, Any]) -> WorkDetails:
    """Sessions of earlier versions have none of it, those of later ones perhaps more than is known here."""
    return WorkDetails(**{name: fields[name] for name in WorkDetails.__slots__ if name in fields})


def _evidence_from(fields: Mapping[str, Any]) -> SourceEvidence:
    """Sessions of earlier versions do not say which way a quotation points."""
    names = SourceEvidence.__slots__
    return SourceEvidence(**{name: fields.get(name, "") for name in names})


def _filled(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None and value not in ("", [])}
