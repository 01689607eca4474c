"""What every form of an export says in the same words: the state of a source, and what could not be read."""

from __future__ import annotations

from dataclasses import dataclass

from wellsourced.sessions.session import RequestOutcome, Session, Step
from wellsourced.text.text_fragments import passage_link
from wellsourced.text.urls import is_web_url
from wellsourced.tool.sources import FoundSource, SourceEvidence

FAILURES = {
    "auth_required": "asks for a login",
    "blocked": "refused to be read",
    "rate_limited": "was asked too often",
    "browser_unavailable": "needs a browser, and none was there",
    "network": "could not be reached",
    "content_empty": "held nothing readable",
    "not_found": "was not found",
    "validation": "is an address that may not be read",
}
UNREAD = "could not be read"
NOTICES = {
    "retraction": ("retracted", "bad"),
    "expression_of_concern": ("expression of concern", "warning"),
    "correction": ("corrected", "warning"),
}


@dataclass(frozen=True, slots=True)
class State:
    """`tone` is good, bad, warning or plain."""

    words: str
    tone: str


STANCES = {
    "states": "The source says so",
    "differs": "The source says otherwise",
    "near": "The source on this",
}
"""How a quotation is introduced beside its claim: never as speaking for it where it differs."""


def stance_words(item: SourceEvidence) -> str:
    """Which way a quotation points, in words; "" where that was not looked at."""
    words = STANCES.get(item.stance, "")
    return f"{words} ({item.differs})" if words and item.differs else words


def states(source: FoundSource) -> list[State]:
    """The worst first."""
    found = []
    if source.retraction:
        found.append(_notice(source.retraction))
    if source.verified is False:
        status = f" (HTTP {source.http_status})" if source.http_status else ""
        found.append(State(f"dead link{status}", "warning"))
    if source.verified:
        found.append(State(f"live{' on ' + source.verified_at[:10] if source.verified_at else ''}", "good"))
    return [*(found or [State("link not checked", "plain")]), *(State(note, "warning") for note in source.standing)]


def _notice(said: str) -> State:
    """What stands against a work: a kind that may have a date behind it, or the words of a retraction."""
    kind, _, when = said.partition(" ")
    words, tone = NOTICES.get(kind, (f"retracted: {kind}", "bad"))
    return State(f"{words} {when}".rstrip(), tone)


def failures(session: Session) -> list[tuple[str, str]]:
    """Addresses that never gave anything, with the reason of the last attempt."""
    last: dict[str, RequestOutcome] = {outcome.url: outcome for outcome in session.outcomes if outcome.url}
    return [
        (url, FAILURES.get(outcome.error_kind or "", UNREAD)) for url, outcome in last.items() if not outcome.success
    ]


def where(source: FoundSource) -> str:
    if source.found_in_step:
        return f"found in step {source.found_in_step}"
    return f"found after step {source.after_step}" if source.after_step else ""


def labels(session: Session, step: Step) -> list[str]:
    """What is special about a step, in words."""
    found = []
    if step.branch_id:
        begun = f" from step {step.branch_from_step}" if step.branch_from_step else ""
        found.append(f"branch {step.branch_id}{begun}")
    if step.revises_step:
        found.append(f"revises step {step.revises_step}")
    elif step.is_revision:
        found.append("revision")
    superseded = session.superseded_by(step)
    return [*found, f"superseded by step {superseded}"] if superseded else found


def passage(source: FoundSource, evidence: SourceEvidence) -> str:
    """A link to the quoted words."""
    if is_web_url(evidence.link):
        return evidence.link
    return passage_link(source.url, evidence.quote, 0, len(evidence.quote)) if is_web_url(source.url) else ""
