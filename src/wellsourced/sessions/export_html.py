"""A research session as one HTML page: the tree of steps and a table of the evidence.

It needs no script, no asset and no connection, and its content security policy allows none. Everything that comes
from outside is escaped, and only web addresses become links.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from html import escape

from wellsourced.data import read_data
from wellsourced.sessions.export_parts import failures, labels, passage, stance_words, states
from wellsourced.sessions.session import Session, Step
from wellsourced.sessions.session_json import moment_text
from wellsourced.text.plain_text import one_line, strip_invisible
from wellsourced.text.sentences import cut_text
from wellsourced.text.urls import display_host, is_web_url
from wellsourced.tool.sources import FoundSource, SourceEvidence

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
LONGEST_GROUP = 160
LONGEST_SHOWN_URL = 80


def html_page(session: Session, at: datetime) -> str:
    parts = [_head(session), _steps(session), _questions(session), _evidence(session), _left_out(session)]
    return "".join([page_opening(session.goal), *parts, _closing(session, at)])


def line(text: str) -> str:
    return escape(one_line(text))


def page_opening(title: str) -> str:
    """The start of a page that needs nothing else: its policy, its title, its style."""
    return (
        "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n"
        f'<meta http-equiv=Content-Security-Policy content="{POLICY}">\n'
        '<meta name=viewport content="width=device-width, initial-scale=1">\n<meta name=referrer content=no-referrer>\n'
        f"<title>{line(cut_text(title, LONGEST_GROUP))}</title>\n"
        f"<style>\n{read_data('session_export.css')}</style>\n<main>\n"
    )


def _closing(session: Session, at: datetime) -> str:
    return (
        f"<footer>Exported {moment_text(at)} by Wellsourced, tenant {line(session.owner.tenant)}, session "
        f"{escape(session.id)}. Titles and quotes are the sources' own words.</footer>\n</main>\n"
    )


def _head(session: Session) -> str:
    facts = [("Started", _time(session.created_at))]
    facts += [("Completed", _time(session.completed_at))] if session.completed_at else []
    facts += [("Steps", str(len(session.steps))), ("Sources", str(len(session.sources)))]
    facts += [("Open questions", str(len(session.open_gaps)))]
    items = "".join(f"<li>{name} <b>{value}</b></li>" for name, value in facts)
    said = f'<p class="summary text" dir=auto>{_text(session.summary)}</p>\n' if session.summary else ""
    return f"<h1 dir=auto>{line(session.goal)}</h1>\n<ul class=facts>{items}</ul>\n{said}"


def _steps(session: Session) -> str:
    begun: dict[int, list[str]] = {}
    for name in session.branches:
        begun.setdefault(session.line(name)[0].parent, []).append(name)
    lines = "".join(_line(session, name, begun) for name in begun.get(0, ()))
    return f"<h2>Steps</h2>\n{lines}"


def _line(session: Session, name: str, begun: dict[int, list[str]]) -> str:
    """A branch; the branches that begin at one of its steps stand under that step."""
    items = []
    for step in session.line(name):
        under = (
            f"<div class=branch><h4>branch <bdi>{line(other)}</bdi> from step {step.number}</h4>"
            f"{_line(session, other, begun)}</div>"
            for other in begun.get(step.position, ())
        )
        items.append(_step(session, step, "".join(under)))
    return f"<ol class=line>{''.join(items)}</ol>\n"


def _step(session: Session, step: Step, branches: str) -> str:
    step_labels = labels(session, step)[1 if step.branch_id else 0 :]
    tags = "".join(f" <span class=tag>{line(label)}</span>" for label in step_labels)
    confidence = f" <span class=tag>{escape(step.confidence)} confidence</span>" if step.confidence else ""
    more = "".join(f"<li dir=auto>{name}: {line(text)}</li>" for name, text in _remarks(step))
    return (
        f"<li class='step{' old' if session.superseded_by(step) else ''}'>"
        f"<h3>Step {step.number}{tags}{confidence} {_time(step.timestamp)}</h3>"
        f"<p class=text dir=auto>{_text(step.description)}</p>"
        + (f"<ul class=step-more>{more}</ul>" if more else "")
        + f"{branches}</li>\n"
    )


def _remarks(step: Step) -> Iterator[tuple[str, str]]:
    if step.reasoning:
        yield "Why", step.reasoning
    yield from (("Rejected", approach) for approach in step.rejected_approaches)
    if step.knowledge_gap:
        yield "Gap found", step.knowledge_gap
    yield from (("Gap closed", gap) for gap in step.resolved_gaps)


def _questions(session: Session) -> str:
    if not session.gaps:
        return ""
    items = "".join(
        f"<li dir=auto>{line(gap.description)} <span class=tag>step {gap.found_in_step}</span>"
        + ("" if gap.is_open else f" <span class='tag good'>closed in step {gap.closed_in_step}</span>")
        + "</li>"
        for gap in sorted(session.gaps, key=lambda gap: not gap.is_open)
    )
    return f"<h2>Questions</h2>\n<ul>{items}</ul>\n"


def _evidence(session: Session) -> str:
    groups: dict[tuple[int, int, str], list[str]] = {}
    for number, source in enumerate(session.sources, start=1):
        if source.rejected is not None:
            continue
        for item in source.evidence or (None,):
            groups.setdefault(_group(session, source, item), []).append(_row(number, source, item))
    if not groups:
        return "<h2>Evidence</h2>\n<p>No source was recorded.</p>\n"
    first = {name: position for position, name in enumerate(groups)}
    ordered = sorted(groups, key=lambda name: (name[0], name[1], first[name]))
    bodies = "".join(
        f"<tbody><tr class=head><th class=group colspan=5 scope=rowgroup dir=auto>{line(name[2])}</th></tr>"
        f"{''.join(groups[name])}</tbody>\n"
        for name in ordered
    )
    return (
        "<h2>Evidence</h2>\n<table class=evidence>\n"
        "<caption>Claims and steps, and what sources say beside them.</caption>\n"
        "<thead><tr><th scope=col>Source<th scope=col>Quote<th scope=col>Date<th scope=col>Type<th scope=col>State"
        f"</tr></thead>\n{bodies}</table>\n"
    )


def _group(session: Session, source: FoundSource, item: SourceEvidence | None) -> tuple[int, int, str]:
    """What a row stands under: its claim, else its step, else nothing; in this order."""
    if item and item.claim:
        return 0, 0, f"Claim: {item.claim}"
    number = source.found_in_step or source.after_step
    if not number:
        return 2, 0, "Recorded outside any step"
    step = session.find(number)
    said = f": {step.description}" if step else ""
    return (
        1,
        number,
        cut_text(one_line(f"{'Step' if source.found_in_step else 'After step'} {number}{said}"), LONGEST_GROUP),
    )


def _row(number: int, source: FoundSource, item: SourceEvidence | None) -> str:
    state_tags = ", ".join(f"<span class={state.tone} dir=auto>{line(state.words)}</span>" for state in states(source))
    archived = f" {link('archived copy', source.archived_url)}" if source.archived_url else ""
    pointing = f"<div class=site>{line(words)}</div>" if item and (words := stance_words(item)) else ""
    quoted = f"<blockquote dir=auto>{link(f'“{item.quote}”', passage(source, item))}</blockquote>" if item else ""
    dated = cell("Date", line(source.date or "")[:10], "date")
    return (
        f"<tr><td>{_named(number, source)}</td>{cell('', pointing + quoted)}{dated}"
        f"{cell('Type', line(source.type or ''))}{cell('State', state_tags + archived)}</tr>\n"
    )


def _named(number: int, source: FoundSource) -> str:
    about = [display_host(source.url), source.author, f"doi:{source.doi}" if source.doi else None]
    details = " · ".join(f"<bdi>{line(fact)}</bdi>" for fact in about if fact)
    named = link(source.title or source.url, source.url)
    return f"[{number}] <span dir=auto>{named}</span><div class=site>{details}</div>"


def cell(label: str, content: str, kind: str = "") -> str:
    named = f' data-label="{label}"' if label else ""
    return f"<td{f' class={kind}' if kind else ''}{named if content else ''}>{content}</td>"


def _left_out(session: Session) -> str:
    rows = [
        f"<tr><td>{_named(number, source)}</td><td>set aside: <span dir=auto>{line(source.rejected)}</span></td></tr>"
        for number, source in enumerate(session.sources, start=1)
        if source.rejected is not None
    ]
    rows += [f"<tr><td>{link(url, url)}</td>{cell('', line(reason))}</tr>" for url, reason in failures(session)]
    if not rows:
        return ""
    return (
        "<h2>Set aside or not read</h2>\n<table><thead><tr><th scope=col>Source<th scope=col>Reason</tr></thead>\n"
        f"<tbody>{''.join(rows)}</tbody></table>\n"
    )


def link(text: str, url: str) -> str:
    shown = cut_text(one_line(text), LONGEST_SHOWN_URL) if text == url else one_line(text)
    if not is_web_url(url):
        return escape(shown)
    return f'<a href="{escape(one_line(url))}" rel="noopener noreferrer">{escape(shown)}</a>'


def _time(moment: datetime) -> str:
    return f"<time datetime={moment_text(moment)}>{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC</time>"


def _text(text: str) -> str:
    return escape(strip_invisible(text).strip())
