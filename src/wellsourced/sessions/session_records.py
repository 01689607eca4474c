"""The records a session is stored as: which there are, how they are sealed, and the session they add up to.

A head (goal, times, counts), a part for each step and source, one for the caller's summary, and a ring of parts for
the last outcomes: the two-hundred-and-first takes the place of the first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from wellsourced.identity import Identity, digest_of
from wellsourced.sessions import session_json as form
from wellsourced.sessions.session import RequestOutcome, Session
from wellsourced.storage.records.sealed import place_of_person
from wellsourced.storage.records.store import RecordKey, RecordPart, StoredRecord
from wellsourced.storage.sealer import Sealer
from wellsourced.text.sentences import cut_text
from wellsourced.text.urls import url_comparison_key
from wellsourced.tool.sources import FoundSource, SourceEvidence

KIND = "session"
STEP, SOURCE, OUTCOME, SUMMARY = "step", "source", "outcome", "summary"
OUTCOMES = 200
LONGEST_URL = 4096
LONGEST_FIELD = 500
LONGEST_QUOTE = 2000
MOST_EVIDENCE = 20


class SessionSealer:
    def __init__(self, sealer: Sealer) -> None:
        self._sealer = sealer

    def seal(self, before: Session | None, after: Session, now: float) -> StoredRecord:
        """The record of `after`, with the parts that it has and `before` has not."""
        owner = after.owner
        parts = [
            RecordPart(kind, number, self._sealer.seal(form.pack(fields), _identity(owner, after.id, kind, number)))
            for kind, number, fields in _new_parts(before, after)
        ]
        return StoredRecord(
            key=session_key(owner, after.id),
            tenant=digest_of(owner.tenant),
            owner=digest_of(owner.tenant, owner.user),
            time=now,
            sealed=self._sealer.seal(form.pack(_head(after)), _identity(owner, after.id, "head", 0)),
            revision=after.revision,
            owner_name=self._sealer.seal(owner.user.encode("utf-8", "surrogatepass"), _user_identity(owner.tenant)),
            parts=parts,
        )

    def open(self, record: StoredRecord, owner: Identity, copy: Session | None) -> tuple[Session, bool]:
        """The session from a copy of it and what was written since, and whether any of it needs sealing anew."""
        if copy is not None and copy.revision == record.revision:
            return copy, False
        id = record.key.id
        parts = {kind: dict[int, Any]() for kind in (STEP, SOURCE, OUTCOME, SUMMARY)}
        stale = False
        for part in record.parts:
            if part.kind not in parts:  # written by a later version; it is left alone
                continue
            opened = self._sealer.open(part.sealed, _identity(owner, id, part.kind, part.number))
            parts[part.kind][part.number] = form.unpack(opened.plain)
            stale |= opened.stale
        head = self._sealer.open(record.sealed, _identity(owner, id, "head", 0))
        session = _with_head(record, owner, form.unpack(head.plain))
        return _assembled(session, copy, parts), stale or head.stale

    def open_user(self, tenant: str, sealed: bytes) -> str:
        return self._sealer.open(sealed, _user_identity(tenant)).plain.decode("utf-8", "surrogatepass")


def session_key(owner: Identity, id: str) -> RecordKey:
    return RecordKey(KIND, place_of_person(owner), id)


def with_sources(session: Session, sources: Sequence[FoundSource], most: int) -> Session:
    """Each address once: what is known of it already is added to. Beyond `most` addresses no new one is taken."""
    known = {_key(source.url): number for number, source in enumerate(session.sources)}
    listed = list(session.sources)
    for source in map(bounded, sources):
        number = known.get(_key(source.url))
        if number is not None:
            merged = bounded(listed[number].merge_with(source))
            listed[number] = merged if merged != listed[number] else listed[number]
        elif source.url and len(listed) < most:
            known[_key(source.url)] = len(listed)
            listed.append(source)
    return replace(session, sources=tuple(listed), source_count=len(listed))


def with_outcomes(session: Session, outcomes: Sequence[RequestOutcome]) -> Session:
    latest = (*session.outcomes, *outcomes)[-OUTCOMES:]
    return replace(session, outcomes=latest, outcome_count=session.outcome_count + len(outcomes))


def bounded(source: FoundSource) -> FoundSource:
    """Foreign text at most as long as is of use. An address that is too long is no address any more."""
    names = ("title", "type", "author", "date", "doi", "archived_url", "verified_at", "retraction", "rejected")
    fields: dict[str, Any] = {
        name: cut_text(value, LONGEST_FIELD) for name in names if (value := getattr(source, name))
    }
    evidence = tuple(
        SourceEvidence(
            quote=cut_text(item.quote, LONGEST_QUOTE),
            claim=cut_text(item.claim, LONGEST_FIELD),
            link=item.link[:LONGEST_URL],
            stance=item.stance[:LONGEST_FIELD],
            differs=cut_text(item.differs, LONGEST_FIELD),
        )
        for item in source.evidence[:MOST_EVIDENCE]
    )
    url = source.url.strip()
    standing = tuple(cut_text(note, LONGEST_FIELD) for note in source.standing[:MOST_EVIDENCE])
    return replace(source, url=url if len(url) <= LONGEST_URL else "", evidence=evidence, standing=standing, **fields)


@lru_cache(maxsize=8192)
def _key(url: str) -> str:
    return url_comparison_key(url)


def _identity(owner: Identity, id: str, kind: str, number: int) -> str:
    return json.dumps([owner.tenant, owner.user, id, kind, number])


def _user_identity(tenant: str) -> str:
    return json.dumps([tenant, "user"])


def _new_parts(before: Session | None, after: Session) -> Iterator[tuple[str, int, dict[str, Any]]]:
    steps = before.steps if before else ()
    sources = before.sources if before else ()
    for step in after.steps[len(steps) :]:
        yield STEP, step.position, form.stored_step(step)
    for number, source in enumerate(after.sources):
        if number >= len(sources) or source is not sources[number]:
            yield SOURCE, number, form.source_json(source)
    new = min(after.outcome_count - (before.outcome_count if before else 0), len(after.outcomes))
    for back in range(new, 0, -1):
        yield OUTCOME, (after.outcome_count - back) % OUTCOMES, form.outcome_json(after.outcomes[-back])
    if after.summary != (before.summary if before else ""):
        yield SUMMARY, 0, {"summary": after.summary}


def _head(session: Session) -> dict[str, Any]:
    return {
        "goal": session.goal,
        "createdAt": form.moment_text(session.created_at),
        "completedAt": form.moment_text(session.completed_at) if session.completed_at else None,
        "estimate": session.total_steps_estimate,
        "steps": session.step_count,
        "sources": session.source_count,
        "outcomes": session.outcome_count,
        **({"project": session.project} if session.project else {}),
    }


def _with_head(record: StoredRecord, owner: Identity, head: dict[str, Any]) -> Session:
    return Session(
        id=record.key.id,
        owner=owner,
        goal=head["goal"],
        created_at=form.moment_from(head["createdAt"]),
        last_used=datetime.fromtimestamp(record.time, UTC),
        total_steps_estimate=head["estimate"],
        completed_at=form.moment_from(head["completedAt"]) if head["completedAt"] else None,
        step_count=head["steps"],
        source_count=head["sources"],
        outcome_count=head["outcomes"],
        project=head.get("project", ""),
        revision=record.revision,
    )


def _assembled(session: Session, copy: Session | None, parts: dict[str, dict[int, Any]]) -> Session:
    steps = {step.position: step for step in copy.steps} if copy else {}
    steps |= {number: form.step_from(fields) for number, fields in parts[STEP].items()}
    sources = dict(enumerate(copy.sources)) if copy else {}
    sources |= {number: form.source_from(fields) for number, fields in parts[SOURCE].items()}
    outcomes = _ring(copy) if copy else {}
    outcomes |= {number: form.outcome_from(fields) for number, fields in parts[OUTCOME].items()}
    oldest = max(0, session.outcome_count - OUTCOMES)
    said = parts[SUMMARY].get(0, {"summary": copy.summary if copy else ""})
    return replace(
        session,
        steps=tuple(steps[number] for number in sorted(steps)),
        sources=tuple(sources[number] for number in sorted(sources)),
        outcomes=tuple(
            outcomes[slot] for n in range(oldest, session.outcome_count) if (slot := n % OUTCOMES) in outcomes
        ),
        summary=said["summary"],
    )


def _ring(session: Session) -> dict[int, RequestOutcome]:
    first = session.outcome_count - len(session.outcomes)
    return {(first + place) % OUTCOMES: outcome for place, outcome in enumerate(session.outcomes)}
