"""A session as callers are shown it: an index of the steps, the last ones in full, a summary, and what went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from wellsourced.sessions.session import RequestOutcome, Session, Step
from wellsourced.sessions.session_json import gap_json, moment_text, source_json, step_json
from wellsourced.text.sentences import cut_text
from wellsourced.tool.sources import FoundSource

LONGEST_ONE_LINER = 120
LONGEST_PROGRESS = 80
PROGRESS_STEPS = 5
LAST_STEPS = 3
FULL_STEPS = 8
LISTED_SOURCES = 25
RECOVERED_SOURCES = 200
PATTERN_FAILURES = 3
AFFECTED_URLS = 5

Mode = Literal["full", "summary"]

SUGGESTIONS = {
    "auth_required": "Several pages ask for a login: look for open-access copies (open_access=true) or preprints.",
    "blocked": "Several sites refuse automated readers: use other sources, or archived copies of these pages.",
    "rate_limited": "A quota is being hit: choose another provider, or leave more time between calls.",
    "browser_unavailable": "Pages need a browser that is not there: install Chromium or set CHROME_PATH.",
    "network": "Several addresses cannot be reached: try again later, or use another source.",
    "content_empty": "Several pages hold no readable text: use another source, or the PDF of the same work.",
    "upstream_unavailable": "A provider keeps failing: choose another one, or try again later.",
}


def response_mode(session: Session, asked: str | None) -> Mode:
    if asked in ("full", "summary"):
        return "full" if asked == "full" else "summary"
    return "full" if len(session.steps) <= FULL_STEPS else "summary"


def summary_text(session: Session) -> str:
    """The caller's own summary, else the goal and the last few steps."""
    if session.summary:
        return session.summary
    progress = "; ".join(one_line(step, LONGEST_PROGRESS) for step in session.steps[-PROGRESS_STEPS:])
    return f"{session.goal}. Progress: {progress}" if progress else session.goal


def step_index(session: Session) -> list[dict[str, Any]]:
    return [_index_entry(session, step) for step in session.steps]


def full_step(session: Session, step: Step) -> dict[str, Any]:
    superseded = session.superseded_by(step)
    return {**step_json(step), **({"supersededBy": superseded} if superseded else {})}


def last_steps(session: Session) -> list[dict[str, Any]]:
    return [full_step(session, step) for step in session.steps[-LAST_STEPS:]]


def open_gaps(session: Session) -> list[dict[str, Any]]:
    return [gap_json(gap) for gap in session.open_gaps]


def sources(session: Session, most: int) -> list[dict[str, Any]]:
    """The last ones, with how much evidence each holds; the words themselves are in the export."""
    return [_light(source) for source in session.sources[-most:]]


def branch_tree(session: Session) -> list[dict[str, Any]]:
    """Each branch with where it began and its steps; nothing where there is only the main line."""
    if session.branches in ([], [""]):
        return []
    return [_branch(session, name) for name in session.branches]


def error_patterns(outcomes: Sequence[RequestOutcome]) -> list[dict[str, Any]]:
    """Kinds of failure that occurred often enough to mean something."""
    counts = Counter(outcome.error_kind for outcome in outcomes if not outcome.success and outcome.error_kind)
    frequent = sorted(
        ((kind, count) for kind, count in counts.items() if kind and count >= PATTERN_FAILURES),
        key=lambda pair: (-pair[1], pair[0]),
    )
    return [_pattern(kind, count, [o for o in outcomes if o.error_kind == kind]) for kind, count in frequent]


def provider_stats(outcomes: Sequence[RequestOutcome]) -> dict[str, dict[str, int]]:
    stats: dict[str, dict[str, int]] = {}
    for outcome in outcomes:
        if outcome.provider:
            own = stats.setdefault(outcome.provider, {"attempts": 0, "successes": 0})
            own["attempts"] += 1
            own["successes"] += outcome.success
    return dict(sorted(stats.items()))


def one_line(step: Step, limit: int) -> str:
    return cut_text(" ".join(step.description.split()), limit)


def _index_entry(session: Session, step: Step) -> dict[str, Any]:
    entry: dict[str, Any] = {"stepNumber": step.number, "oneLiner": one_line(step, LONGEST_ONE_LINER)}
    optional = {
        "branchId": step.branch_id,
        "branchFromStep": step.branch_from_step,
        "confidence": step.confidence,
        "supersededBy": session.superseded_by(step),
    }
    return entry | {name: value for name, value in optional.items() if value is not None}


def _light(source: FoundSource) -> dict[str, Any]:
    fields = source_json(replace(source, evidence=()))
    return fields | ({"evidenceCount": len(source.evidence)} if source.evidence else {})


def _branch(session: Session, name: str) -> dict[str, Any]:
    line = session.line(name)
    begun = {"branchFromStep": line[0].branch_from_step} if line[0].branch_from_step else {}
    return {"branchId": name or "main", **begun, "steps": [step.number for step in line]}


def _pattern(kind: str, count: int, outcomes: Sequence[RequestOutcome]) -> dict[str, Any]:
    urls = list(dict.fromkeys(outcome.url for outcome in outcomes if outcome.url))
    times = [outcome.timestamp for outcome in outcomes if outcome.timestamp]
    pattern = {"kind": kind, "count": count, "affectedUrls": urls[:AFFECTED_URLS]}
    pattern["suggestion"] = SUGGESTIONS.get(kind, "")
    return pattern | ({"lastSeen": moment_text(max(times))} if times else {})
