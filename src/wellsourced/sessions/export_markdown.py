"""A research session as a markdown report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from wellsourced.sessions.export_parts import failures, labels, passage, stance_words, states, where
from wellsourced.sessions.session import Session, Step
from wellsourced.sessions.session_json import moment_text
from wellsourced.text.plain_text import one_line, strip_invisible
from wellsourced.text.urls import is_web_url
from wellsourced.tool.sources import FoundSource

SPECIAL = re.compile(r"([\\`*_\[\]<>#|~])")
LINE_START = re.compile(r"^([^\S\n]*)(#{1,6}\s|[-+*]\s|\d+[.)]\s|>|={3,}|-{3,}|```|~~~)", re.MULTILINE)
UNWANTED = re.compile(r"!(?=\[)|\](?=:|\((?!https?://))|<")
MARKS = {"good": "✓ ", "bad": "⚠️ ", "warning": "⚠️ ", "plain": ""}


def markdown_report(session: Session, at: datetime) -> str:
    blocks = [
        f"# {inline(session.goal)}",
        "\n".join(_facts(session)),
        *(["## Summary", prose(session.summary)] if session.summary else []),
        "## Research Steps",
        *(_step(session, step) for step in session.steps),
        *_questions(session),
        *_sources(session),
        "---",
        f"*Exported {moment_text(at)} from tenant {inline(session.owner.tenant)}. Titles and quotes are the sources' "
        "own words.*",
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def inline(text: str) -> str:
    """Foreign text on one line, with nothing in it that markdown would read."""
    return SPECIAL.sub(r"\\\1", one_line(text))


def prose(text: str) -> str:
    """Paragraphs as they were written, but no heading, list, fence, markup or picture, and links to the web alone."""
    return LINE_START.sub(r"\1\\\2", UNWANTED.sub(r"\\\g<0>", strip_invisible(text).strip()))


def _facts(session: Session) -> Iterator[str]:
    yield f"- Session: `{session.id}`"
    yield f"- Started: {moment_text(session.created_at)}"
    if session.completed_at:
        yield f"- Completed: {moment_text(session.completed_at)}"
    yield f"- Steps: {len(session.steps)}"
    yield f"- Sources: {len(session.sources)}"


def _step(session: Session, step: Step) -> str:
    notes = labels(session, step)
    heading = f"### Step {step.number}" + (f" ({inline(', '.join(notes))})" if notes else "")
    details = [
        f"- Reasoning: {inline(step.reasoning)}" if step.reasoning else "",
        f"- Confidence: {step.confidence}" if step.confidence else "",
        *(f"- Rejected: {inline(approach)}" for approach in step.rejected_approaches),
        f"- Gap found: {inline(step.knowledge_gap)}" if step.knowledge_gap else "",
        *(f"- Gap closed: {inline(gap)}" for gap in step.resolved_gaps),
        f"- Time: {moment_text(step.timestamp)}",
    ]
    return f"{heading}\n\n{prose(step.description)}\n\n" + "\n".join(filter(None, details))


def _questions(session: Session) -> list[str]:
    gaps = session.gaps
    if not gaps:
        return []
    lines = [f"- {inline(gap.description)} (step {gap.found_in_step})" for gap in gaps if gap.is_open]
    closed = [f"- ~~{inline(gap.description)}~~ closed in step {gap.closed_in_step}" for gap in gaps if not gap.is_open]
    return ["## Open Questions", "\n".join([*(lines or ["None is left open."]), *([""] if closed else []), *closed])]


def _sources(session: Session) -> list[str]:
    listed = [f"{number}. {_source(source)}" for number, source in enumerate(session.sources, start=1)]
    unread = [f"- {_link(url, url)} {reason}" for url, reason in failures(session)]
    return [
        "## Sources",
        "\n".join(listed) or "None was recorded.",
        *(["## Could Not Be Read", "\n".join(unread)] if unread else []),
    ]


def _source(source: FoundSource) -> str:
    known = [source.author, source.date, source.type, f"doi:{source.doi}" if source.doi else None, where(source)]
    about = ", ".join(inline(fact) for fact in known if fact)
    state = "; ".join(MARKS[state.tone] + inline(state.words) for state in states(source) if state.tone != "plain")
    lines = [_link(source.title or source.url, source.url) + (f" ({about})" if about else "")]
    lines += [f"   - {state}"] if state else []
    lines += [f"   - Archived copy: {_link(source.archived_url, source.archived_url)}"] if source.archived_url else []
    lines += [f"   - Set aside: {inline(source.rejected)}"] if source.rejected else []
    for item in source.evidence:
        claim = f"{inline(item.claim)}: " if item.claim else ""
        pointing = f"{inline(words)}: " if (words := stance_words(item)) else ""
        lines.append(f"   - {claim}{pointing}{_link(f'“{item.quote}”', passage(source, item))}")
    return "\n".join(lines)


def _link(text: str, url: str) -> str:
    if not is_web_url(url):
        return inline(text)
    target = one_line(url).replace(" ", "%20").replace("(", "%28").replace(")", "%29")
    return f"[{inline(text)}]({target.replace('<', '%3C').replace('>', '%3E')})"
