"""Reports of a project for people: one HTML file with its evidence table, or markdown; and what a watch found, as HTML,
markdown and an Atom feed. Everything that comes from outside is escaped, and only web addresses become links.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

from wellsourced.projects.project import DriftFinding, DriftReport, Mark, Project, ProjectItem
from wellsourced.projects.receipts import fingerprint
from wellsourced.projects.watch import QUIET, finding_words
from wellsourced.sessions.export_html import cell, line, link, page_opening
from wellsourced.text.plain_text import one_line
from wellsourced.text.urls import display_host

NO_CLAIM = "Quotations without a claim"
GOOD = frozenset({"unchanged", "alive"})


def html_report(project: Project, at: str) -> str:
    head = project.head
    facts = {"Begun": head.created_at[:10], "Captures": head.captures, "Receipts": head.receipts}
    facts |= {"Watched": head.watched_at[:10]} if head.watched_at else {}
    listed = "".join(f"<li>{name} <b>{escape(str(value))}</b></li>" for name, value in facts.items())
    question = f"<p class=text dir=auto>{line(head.question)}</p>\n" if head.question else ""
    parts = [
        f"<h1 dir=auto>{line(head.name)}</h1>\n{question}<ul class=facts>{listed}</ul>\n",
        _evidence(project),
        _others(project),
        "".join(_receipt(receipt) for receipt in project.receipts.values()),
    ]
    closing = f"<footer>Exported {escape(at)} by Wellsourced, project {escape(project.id)}. {PROOF}</footer>\n</main>\n"
    return page_opening(head.name) + "".join(parts) + closing


PROOF = (
    "Quotations are the pages' own words. A receipt can be checked with: wellsourced receipt verify FILE; "
    "the pages as they were are in the project's WACZ file."
)


def _evidence(project: Project) -> str:
    groups: dict[str, list[ProjectItem]] = {}
    for item in project.listed("quote"):
        groups.setdefault(item.claim or "", []).append(item)
    if not groups:
        return "<h2>Evidence</h2>\n<p>Nothing is quoted.</p>\n"
    bodies = "".join(
        f"<tbody><tr class=head><th class=group colspan=4 scope=rowgroup dir=auto>"
        f"{line(f'Claim: {claim}' if claim else NO_CLAIM)}</th></tr>"
        f"{''.join(_quote_row(project, item) for item in items)}</tbody>\n"
        for claim, items in sorted(groups.items(), key=lambda group: not group[0])
    )
    return (
        "<h2>Evidence</h2>\n<table class=evidence>\n<caption>What captured pages say, what became of it.</caption>\n"
        "<thead><tr><th scope=col>Source<th scope=col>Quotation<th scope=col>Proof<th scope=col>State</tr></thead>\n"
        f"{bodies}</table>\n"
    )


def _quote_row(project: Project, item: ProjectItem) -> str:
    capture = project.capture_of(item)
    captured = f"captured {capture.captured_at[:10]}" if capture else ""
    receipt = f'<a href="#receipt-{item.receipt}">receipt {item.receipt}</a>' if item.receipt else ""
    quoted = link(f"“{item.quote}”", item.link or item.url or "")
    proof = cell("Proof", f"{receipt}<div class=site>{captured}</div>")
    return (
        f"<tr id=item-{item.item}><td>{_named(item)}</td>{cell('', f'<blockquote dir=auto>{quoted}</blockquote>')}"
        f"{proof}{cell('State', _marks([*_source_marks(project, item), *item.marks], item))}</tr>\n"
    )


def _source_marks(project: Project, quote: ProjectItem) -> Iterator[Mark]:
    """What stands against the source of a quotation stands against the quotation."""
    for source in project.listed("source"):
        if source.url == quote.url:
            yield from (mark for mark in source.marks if mark.mark not in {own.mark for own in quote.marks})


def _marks(marks: Iterable[Mark], item: ProjectItem) -> str:
    parts = [
        f"<span class=bad dir=auto title='{line(mark.detail)}'>{line(mark.mark)}</span> {line(mark.detail)}"
        for mark in marks
    ]
    if not parts and item.drift:
        parts = [f"<span class={'good' if item.drift.state in GOOD else 'unsure'}>{line(item.drift.state)}</span>"]
    return "<br>".join(parts)


def _named(item: ProjectItem) -> str:
    about = [display_host(item.url or ""), item.author, item.date, f"doi:{item.doi}" if item.doi else None]
    details = " · ".join(f"<bdi>{line(fact)}</bdi>" for fact in about if fact)
    named = link(item.title or item.text or item.url or "", item.url or "")
    return f"[{item.item}] <span dir=auto>{named}</span><div class=site>{details}</div>"


def _others(project: Project) -> str:
    names = {"source": "Sources", "citation": "Citations", "file": "Files", "session": "Sessions"}
    tables = []
    for kind, title in names.items():
        rows = [
            f"<tr id=item-{item.item}><td>{_named(item)}</td>{cell('Tags', line(', '.join(item.tags)))}"
            f"{cell('State', _marks(item.marks, item))}</tr>\n"
            for item in project.listed(kind)  # type: ignore[arg-type]
        ]
        if rows:
            head = "<thead><tr><th scope=col>What<th scope=col>Tags<th scope=col>State</tr></thead>"
            tables.append(f"<h2>{title}</h2>\n<table>{head}\n<tbody>{''.join(rows)}</tbody></table>\n")
    return "".join(tables)


def _receipt(receipt: Mapping[str, Any]) -> str:
    """A receipt with what people ask of it, and whole, to be checked elsewhere."""
    captured, place = receipt["capture"], receipt["quotation"]
    facts = {
        "Captured": captured["at"],
        "From": captured["finalUrl"],
        "Place": f"characters {place['start']} to {place['end']} of the text",
        "Body": captured["bodyDigest"],
        "Key": fingerprint(receipt["key"]),
    }
    whole = escape(json.dumps(receipt, indent=1, ensure_ascii=False))
    items = "".join(f"<li>{name}: <bdi>{line(str(value))}</bdi></li>" for name, value in facts.items())
    return (
        f"<section id=receipt-{int(receipt['number'])}><h3>Receipt {int(receipt['number'])}</h3><ul>{items}</ul>"
        f"<details><summary>The whole receipt</summary><pre class=text>{whole}</pre></details></section>\n"
    )


def markdown_report_of(project: Project, at: str) -> str:
    head = project.head
    lines = [f"# {one_line(head.name)}", "", one_line(head.question), ""]
    for kind in ("quote", "source", "citation", "file", "session"):
        items = project.listed(kind)
        if items:
            lines += [f"## {kind.capitalize()}s", "", *(_markdown_item(item) for item in items), ""]
    return "\n".join([*lines, f"Exported {at} by Wellsourced. {PROOF}", ""])


def _markdown_item(item: ProjectItem) -> str:
    said = f"“{one_line(item.quote)}” — " if item.quote else ""
    where = f" <{item.link or item.url}>" if item.url else ""
    parts = [*(f"{mark.mark}: {one_line(mark.detail)}" for mark in item.marks)]
    parts += [f"receipt {item.receipt}"] if item.receipt else []
    more = f" ({'; '.join(parts)})" if parts else ""
    return f"- {said}{one_line(item.title or item.text or '')}{where}{more}"


def drift_markdown(report: DriftReport) -> str:
    counted = ", ".join(f"{count} {state}" for state, count in report.counts.items()) or "nothing to watch"
    lines = [f"# What changed: {one_line(report.name)}", "", f"Watched {report.watched_at}: {counted}.", ""]
    for finding in told_first(report):
        where = f" <{finding.url}>" if finding.url else ""
        lines.append(f"- **{finding.state}**: {_subject(finding)}{where} {one_line(finding_words(finding))}".rstrip())
        if finding.now and finding.was:
            lines += [f"  - was: “{one_line(finding.was)}”", f"  - now: “{one_line(finding.now)}”"]
    return "\n".join([*lines, ""])


def drift_html(report: DriftReport) -> str:
    rows = "".join(
        f"<tr><td><span class={'good' if finding.state in GOOD else 'bad'}>{finding.state}</span></td>"
        f"<td dir=auto>{link(_subject(finding), finding.url or '')}</td><td dir=auto>{line(finding_words(finding))}"
        f"{_both_wordings(finding)}</td></tr>\n"
        for finding in told_first(report)
    )
    head = "<thead><tr><th scope=col>State<th scope=col>What<th scope=col>How</tr></thead>"
    return (
        f"{page_opening(report.name)}<h1 dir=auto>What changed: {line(report.name)}</h1>\n"
        f"<p>Watched {escape(report.watched_at)}.</p>\n<table>{head}\n<tbody>{rows}</tbody></table>\n</main>\n"
    )


def _both_wordings(finding: DriftFinding) -> str:
    said = [words for words in (finding.was, finding.now) if words] if finding.now else []
    return "".join(f"<blockquote>{line(words)}</blockquote>" for words in said)


def drift_atom(report: DriftReport) -> str:
    """A feed of what is worth telling: an entry for each item and moment."""
    id = f"urn:uuid:{report.project_id}"
    entries = "".join(
        f"<entry><id>{id}:{finding.item}:{finding.state}:{finding.checked_at}</id>"
        f"<title>{finding.state}: {line(_subject(finding))}</title><updated>{finding.checked_at}</updated>"
        f"{f'<link href={chr(34)}{escape(finding.url)}{chr(34)}/>' if finding.url else ''}"
        f"<summary>{line(finding_words(finding))}</summary></entry>\n"
        for finding in told_first(report)
        if finding.state not in QUIET
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
        f"<id>{id}</id><title>What changed: {line(report.name)}</title><updated>{report.watched_at}</updated>"
        f"<author><name>Wellsourced</name></author>\n{entries}</feed>\n"
    )


def told_first(report: DriftReport) -> list[DriftFinding]:
    """What is worth telling first."""
    return sorted(report.findings, key=lambda finding: (finding.state in QUIET, finding.item))


def _subject(finding: DriftFinding) -> str:
    return one_line(finding.was or finding.title or finding.url or f"item {finding.item}")


DRIFT_FORMATS = {
    "html": (drift_html, "text/html; charset=utf-8"),
    "markdown": (drift_markdown, "text/markdown; charset=utf-8"),
    "atom": (drift_atom, "application/atom+xml"),
}
