"""Crossref: the register of most journal articles, and with it the retractions that Retraction Watch collects.

API: api.crossref.org. No key; a contact address buys the better pool. The allowed pace is announced in headers and fell
in December 2025, so the default is slow. An unknown DOI is HTTP 404 in plain text, and proves nothing: other agencies
register DOIs too. A nonsense title still gets a best hit. What was published against a work stands in its `updated-by`,
often twice for one notice; a notice names its target in `update-to`, and one that names itself was corrected in place.
`select` is never sent, because it would silently hide all that. Filters of one name mean "or", so many DOIs go into one
request, whose works are as complete as single ones. Checked 2026-11-15.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from wellsourced.errors import BadInput, NotFound, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.identifiers import doi_path, doi_url, find_isbn, normalise_doi
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.database_query import without_unwanted
from wellsourced.upstreams.helpers.jats import abstract_text, title_text
from wellsourced.upstreams.helpers.json_fields import (
    as_count,
    as_object,
    as_text,
    as_web_address,
    as_year,
    first_text,
    iso_from_date_parts,
    number_or_text,
    objects_in,
    parse_rows,
    texts_in,
)
from wellsourced.upstreams.types.paper import Author, Integrity, IntegrityKind, Paper, PaperId, PaperQuery
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="crossref",
    title="Crossref",
    bases={"": "https://api.crossref.org"},
    uses=(
        Setting("CROSSREF_EMAIL", "Contact address sent to Crossref for its faster pool; else OPENALEX_EMAIL."),
        Setting("OPENALEX_EMAIL", "Contact address sent to OpenAlex, and to Unpaywall when it has none of its own."),
    ),
    pace=Pace(3, 1.0),
    timeout=15,
    preference=30,
    about="The DOI register of most publishers; retractions, concerns and corrections.",
)

PREFIXES = {"ieee": "10.1109", "nature": "10.1038", "springer": "10.1007"}
MOST_ROWS = 100
DATE_POOL = 50  # the most relevant works, of which the newest are then shown first
TYPES = {
    "proceedings-article": "conference-paper",
    "posted-content": "preprint",
    "dissertation": "thesis",
    "monograph": "book",
    "edited-book": "book",
    "reference-book": "book",
    "book-section": "book-chapter",
    "book-part": "book-chapter",
}
KINDS: dict[str, IntegrityKind] = {
    **dict.fromkeys(("retraction", "partial_retraction", "withdrawal", "removal"), "retraction"),
    "expression_of_concern": "expression_of_concern",
    **dict.fromkeys(("correction", "corrigendum", "erratum", "err", "addendum", "clarification"), "correction"),
}
SEVERITY: tuple[IntegrityKind, ...] = ("retraction", "expression_of_concern", "correction")
UNKNOWN_DATE = "9999"
# The dates at which a work may be said to have appeared.
YEARS = ("issued", "published", "published-print", "published-online", "published-other", "posted")


def papers(query: PaperQuery, access: Access) -> Steps[ResultSet[Paper]]:
    text, _ = without_unwanted(query.text)
    if not text.strip():
        raise BadInput("The query holds nothing to search for; it needs at least one word.")
    by_date = query.sort_by == "date"
    params: dict[str, Param] = {
        "query.bibliographic": text,
        "rows": max(1, min(max(query.count, DATE_POOL) if by_date else query.count, MOST_ROWS)),
        "filter": ",".join(_filters(query)) or None,
    }
    reply = yield Request.get("/works", {**params, **_identity_params(access)})
    message = _parse_message(reply, "work-list")
    papers_found = parse_rows(_list_items(message), _parse_paper)
    if by_date:
        papers_found.sort(key=lambda paper: paper.date or "", reverse=True)
    total = as_count(message["total-results"])
    more = None if total is None else total > len(papers_found)
    return ResultSet(tuple(papers_found[: query.count]), frozenset(_not_applied(query)), more)


def record(work: PaperId, access: Access) -> Steps[Paper]:
    """The work of exactly this DOI. A 404 means that Crossref has none, not that nobody has."""
    if work.scheme != "doi":
        raise BadInput(f"Crossref knows works by DOI only; {work} is none.")
    message = yield from _fetch_work(work.value, access)
    paper = _parse_paper(message)
    if paper.doi != normalise_doi(work.value):
        raise NotFound(f"Crossref has no work with the DOI {work.value}; it answered with {paper.doi}.")
    return paper


def records(dois: Sequence[str], access: Access) -> Steps[tuple[Paper, ...]]:
    """The works of these DOIs, as far as Crossref has them and a filter can name them: a comma would end one."""
    named = [doi for doi in dois if "," not in doi]
    if not named:
        return ()
    params: dict[str, Param] = {"filter": ",".join(f"doi:{doi}" for doi in named), "rows": len(named)}
    reply = yield Request.get("/works", {**params, **_identity_params(access)})
    return tuple(parse_rows(_list_items(_parse_message(reply, "work-list")), _parse_paper))


def integrity(doi: str, access: Access) -> Steps[Integrity | None]:
    """The gravest thing published against the work of a DOI, or None when Crossref lists nothing."""
    message = yield from _fetch_work(doi, access)
    return _parse_integrity(message)


def _identity_params(access: Access) -> dict[str, Param]:
    return {"mailto": access["CROSSREF_EMAIL"] or access["OPENALEX_EMAIL"] or None}


def _filters(query: PaperQuery) -> Iterator[str]:
    if query.year_from:
        yield f"from-pub-date:{query.year_from:04}"
    if query.year_to:
        yield f"until-pub-date:{query.year_to:04}"
    if query.source in PREFIXES:
        yield f"prefix:{PREFIXES[query.source]}"


def _not_applied(query: PaperQuery) -> Iterator[str]:
    yield from (name for name in ("open_access", "pdf_only", "full_text") if getattr(query, name))
    if query.source != "all" and query.source not in PREFIXES:
        yield "source"


def _fetch_work(doi: str, access: Access) -> Steps[Mapping[str, Any]]:
    reply = yield Request.get(f"/works/{doi_path(doi)}", _identity_params(access))
    if reply.status == 404 and reply.body.lstrip()[:1] not in (b"<", b"{") and len(reply.body) < 200:
        raise NotFound(f"Crossref has no work with the DOI {normalise_doi(doi)}.")
    return _parse_message(reply, "work")


def _parse_message(reply: Reply, kind: str) -> Mapping[str, Any]:
    if reply.status >= 400:
        _raise_refusal(reply)
    body = reply.expect_ok().json()
    if not isinstance(body, dict) or body["status"] != "ok" or body["message-type"] != kind:
        raise UpstreamChanged(f"Crossref's answer is not a {kind}.", detail=reply.summary)
    message = body["message"]
    if not isinstance(message, dict):
        raise UpstreamChanged("Crossref's answer has no message.", detail=reply.summary)
    return message


def _raise_refusal(reply: Reply) -> NoReturn:
    """Complaints about parameters come as JSON, whatever the status, with a list for a message."""
    if reply.status not in {403, 429} and reply.body.lstrip().startswith(b"{"):
        problems = objects_in(as_object(reply.json()).get("message"))
        reason = "; ".join(text for problem in problems if (text := as_text(problem.get("message"))))
        raise UpstreamUnavailable(
            f"Crossref refused the request: {reason[:300] or reply.summary}",
            detail=reply.summary,
            retry_after=reply.retry_after,
        )
    if reply.status == 404:
        raise UpstreamChanged("Crossref's answer was a page of somebody else.", detail=reply.summary)
    reply.expect_ok()
    raise UpstreamUnavailable(f"Crossref answered HTTP {reply.status}.")


def _list_items(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    items = message["items"]
    if not isinstance(items, list) or (not items and as_count(message["total-results"]) != 0):
        raise UpstreamChanged("Crossref's answer announces works and holds none.")
    return items


def _parse_paper(item: Mapping[str, Any]) -> Paper:
    doi = normalise_doi(str(item["DOI"]))
    if not doi:
        raise UpstreamChanged("Crossref's answer has a work without its DOI.")
    names = tuple(_parse_authors(item.get("author")))
    date = iso_from_date_parts(item.get("issued")) or iso_from_date_parts(item.get("published"))
    kind = as_text(item.get("type"))
    is_open = any("creativecommons.org" in as_text(entry.get("URL")) for entry in objects_in(item.get("license")))
    return Paper(
        title=title_text(item.get("title")) or doi_url(doi),
        url=doi_url(doi),
        source=PROVIDER.name,
        doi=doi,
        authors=tuple(author.name for author in names),
        author_names=names,
        journal=first_text(item.get("container-title")) or as_text(_institution_name(item)) or None,
        year=as_year(date),
        date=date,
        type=TYPES.get(kind, kind) or None,
        abstract=abstract_text(item["abstract"]) or None if isinstance(item.get("abstract"), str) else None,
        citation_count=as_count(item.get("is-referenced-by-count")),
        open_access=True if is_open else None,
        pdf_url=_pdf_link(item) if is_open else None,
        retraction=_parse_integrity(item),
        volume=number_or_text(item.get("volume")),
        issue=number_or_text(item.get("issue")),
        pages=number_or_text(item.get("page")) or number_or_text(item.get("article-number")),
        publisher=as_text(item.get("publisher")) or None,
        isbn=_isbn(item.get("ISBN")),
        article_number=number_or_text(item.get("article-number")),
        other_titles=tuple(_other_titles(item)),
        journal_names=tuple(_journal_names(item)),
        years=tuple(dict.fromkeys(year for name in YEARS if (year := as_year(iso_from_date_parts(item.get(name)))))),
        editor_names=tuple(_parse_authors(item.get("editor"))),
        notice_for=tuple(_notice_targets(item)),
    )


def _parse_authors(value: Any) -> Iterator[Author]:
    for person in objects_in(value):
        author = Author(
            family=as_text(person.get("family")),
            given=as_text(person.get("given")),
            literal=as_text(person.get("name")),
        )
        if author.name:
            yield author


def _other_titles(item: Mapping[str, Any]) -> Iterator[str]:
    """The original of a translated title, short forms, and the title with its subtitle where that stands apart."""
    for name in ("original-title", "short-title"):
        yield from texts_in(item.get(name))
    title, subtitle = first_text(item.get("title")), first_text(item.get("subtitle"))
    if title and subtitle:
        yield f"{title}: {subtitle}"


def _journal_names(item: Mapping[str, Any]) -> Iterator[str]:
    """Abbreviations as the publisher gives them, the series of a book, and the conference of a paper."""
    yield from texts_in(item.get("short-container-title"))
    yield from texts_in(item.get("container-title"))[1:]
    event = as_object(item.get("event"))
    yield from filter(None, (as_text(event.get("name")), as_text(event.get("acronym"))))


def _notice_targets(item: Mapping[str, Any]) -> Iterator[str]:
    """The works that this one corrects or retracts; one that names itself was corrected in place."""
    own = normalise_doi(str(item["DOI"]))
    for update in objects_in(item.get("update-to")):
        target = normalise_doi(as_text(update.get("DOI")))
        if target and target != own and _update_kind(as_text(update.get("type"))):
            yield target


def _institution_name(item: Mapping[str, Any]) -> Any:
    """A preprint has no journal but a server."""
    return next((entry.get("name") for entry in objects_in(item.get("institution"))), None)


def _pdf_link(item: Mapping[str, Any]) -> str | None:
    """Links are meant for mining and mostly closed, so they count only for works under an open licence."""
    links = (link for link in objects_in(item.get("link")) if link.get("content-type") == "application/pdf")
    return next((url for link in links if (url := as_web_address(link.get("URL")))), None)


def _isbn(value: Any) -> str | None:
    numbers = value if isinstance(value, list) else [value]
    texts = (str(number).rpartition("/")[2] for number in numbers)
    return next((number for text in texts if (number := find_isbn(text))), None)


def _parse_integrity(item: Mapping[str, Any]) -> Integrity | None:
    updates = list(_parse_updates(item))
    return min(updates, key=lambda update: (SEVERITY.index(update.kind), update.date or UNKNOWN_DATE), default=None)


def _parse_updates(item: Mapping[str, Any]) -> Iterator[Integrity]:
    own = normalise_doi(str(item["DOI"]))
    for update in objects_in(item.get("updated-by")):
        notice = normalise_doi(as_text(update.get("DOI")))
        yield from _parse_update(update, notice if notice != own else "")
    for update in objects_in(item.get("update-to")):
        if normalise_doi(as_text(update.get("DOI"))) == own:
            yield from _parse_update(update, "")


def _parse_update(update: Mapping[str, Any], notice: str) -> Iterator[Integrity]:
    kind = _update_kind(as_text(update.get("type")))
    if kind:
        yield Integrity(
            kind=kind,
            retracted=kind == "retraction",
            source=as_text(update.get("source")) or "publisher",
            date=iso_from_date_parts(update.get("updated")),
            notice_doi=notice or None,
        )


def _update_kind(name: str) -> IntegrityKind | None:
    """New versions and editions are no reproach. A type not seen before counts when it speaks of a known one."""
    name = name.lower().replace("-", "_").replace(" ", "_")
    stems: tuple[tuple[str, IntegrityKind], ...] = (
        ("retract", "retraction"),
        ("withdraw", "retraction"),
        ("concern", "expression_of_concern"),
        ("remov", "retraction"),
        ("correct", "correction"),
        ("corrig", "correction"),
        ("errat", "correction"),
        ("addend", "correction"),
        ("amend", "correction"),
        ("rectif", "correction"),
    )
    return KINDS.get(name) or next((kind for stem, kind in stems if stem in name), None)
