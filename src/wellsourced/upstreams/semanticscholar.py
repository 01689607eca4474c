"""Semantic Scholar: works of every field, with one-sentence summaries and citations that say what they are for.

API: api.semanticscholar.org/api-docs/graph. SEMANTIC_SCHOLAR_API_KEY is optional; without one the pace is shared with
the whole world and HTTP 429 is the usual case. No rate headers are sent. An empty search has no `data` at all; a title
match may be another paper, so titles are compared; DOIs come in capitals at times; an empty PDF address means none.
It knows nothing of retractions. Hyphenated words match nothing, as its documentation says. Checked 2026-11-15.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn

from wellsourced.errors import BadInput, Blocked, KeyRejected, NotFound, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.identifiers import (
    doi_path,
    doi_url,
    find_arxiv_id,
    find_doi,
    find_pmid,
    normalise_doi,
    without_arxiv_version,
)
from wellsourced.text.titles import is_same_title
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.database_query import without_unwanted
from wellsourced.upstreams.helpers.jats import title_text
from wellsourced.upstreams.helpers.json_fields import (
    as_boolean,
    as_count,
    as_object,
    as_text,
    as_web_address,
    as_year,
    iso_from_text,
    number_or_text,
    objects_in,
    parse_rows,
)
from wellsourced.upstreams.helpers.replies import list_under
from wellsourced.upstreams.types.paper import EdgeCounts, EdgeQuery, Edges, Paper, PaperId, PaperIds, PaperQuery
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="semanticscholar",
    title="Semantic Scholar",
    bases={"": "https://api.semanticscholar.org"},
    uses=(Setting("SEMANTIC_SCHOLAR_API_KEY", "Key of Semantic Scholar; a pace of one's own.", secret=True),),
    pace=Pace(1, 1.1),
    timeout=15,
    preference=20,
    about="Works with short summaries; citations with intent and influence.",
)

ROOT = "/graph/v1/paper"
EDGE_FIELDS = (
    "title,abstract,year,authors,externalIds,url,venue,journal,citationCount,isOpenAccess,openAccessPdf"
    ",publicationDate,publicationTypes"
)
FIELDS = f"{EDGE_FIELDS},tldr"
SEED_FIELDS = f"{FIELDS},referenceCount"
MOST_RESULTS, MOST_EDGES = 100, 1000
DATE_POOL = 50  # the most relevant works, of which the newest are then shown first
LONGEST_TITLE = 300
SCHEMES = {"doi": "DOI:", "arxiv": "ARXIV:", "pmid": "PMID:", "pmcid": "PMCID:"}
VENUES = {"arxiv": "arXiv.org"}
TYPES = {
    "Review": "review",
    "Book": "book",
    "BookSection": "book-chapter",
    "Conference": "conference-paper",
    "Dataset": "dataset",
    "JournalArticle": "journal-article",
}
WITHHELD = "The publisher does not let Semantic Scholar show what this paper cites."
HYPHEN = re.compile(r'(?<=\w)[-‐‑](?=\w)|"')
NUMBER = re.compile(r"[0-9]{1,9}")


def papers(query: PaperQuery, access: Access) -> Steps[ResultSet[Paper]]:
    by_date = query.sort_by == "date"
    params: dict[str, Param] = {
        "query": _escape_search(without_unwanted(query.text)[0]),
        "limit": max(1, min(max(query.count, DATE_POOL) if by_date else query.count, MOST_RESULTS)),
        "fields": FIELDS,
        "year": _year_range(query),
        "openAccessPdf": "" if query.open_access or query.pdf_only else None,
        "venue": VENUES.get(query.source),
    }
    body = yield from _fetch_json("/search", params, access)
    papers_found = parse_rows(_result_list(body), _parse_paper)
    if by_date:
        papers_found.sort(key=lambda paper: paper.date or str(paper.year or ""), reverse=True)
    not_applied = {"full_text"} if query.full_text else set()
    not_applied |= {"source"} if query.source != "all" and query.source not in VENUES else set()
    return ResultSet(
        tuple(papers_found[: query.count]), frozenset(not_applied), (as_count(body["total"]) or 0) > len(papers_found)
    )


def record(work: PaperId, access: Access) -> Steps[Paper]:
    """The paper of exactly this DOI, arXiv id or PMID."""
    body = yield from _fetch_json(f"/{_work_key(work)}", {"fields": FIELDS}, access)
    paper = _parse_paper(body)
    if work.scheme == "doi" and not _is_same_doi(normalise_doi(work.value), paper):
        raise NotFound(f"Semantic Scholar has no paper with the DOI {work.value}; it answered with {paper.doi}.")
    return paper


def citations(query: EdgeQuery, access: Access) -> Steps[Edges]:
    row = yield from _find_seed(query.seed, access)
    seed, number = _parse_paper(row), row["paperId"]
    cited_by = references = None
    if query.direction != "references":
        cited_by = yield from _fetch_edges(number, "citations", "citingPaper", query.count, access)
    if query.direction != "cited_by":
        references = yield from _fetch_edges(number, "references", "citedPaper", query.count, access)
    counts = EdgeCounts(cited_by=seed.citation_count, references=as_count(row.get("referenceCount")))
    is_withheld = references is None and query.direction != "cited_by"
    notes = (WITHHELD,) if is_withheld else ()
    return Edges(seed=seed, cited_by=cited_by, references=references, counts=counts, notes=notes)


def _fetch_json(path: str, params: Mapping[str, Param], access: Access) -> Steps[Mapping[str, Any]]:
    key = access["SEMANTIC_SCHOLAR_API_KEY"]
    reply = yield Request.get(f"{ROOT}{path}", params, headers={"x-api-key": key} if key else {})
    if reply.status >= 400:
        _raise_refusal(reply, has_key=bool(key))
    body = reply.expect_ok().json()
    if not isinstance(body, dict) or "error" in body:
        raise UpstreamChanged("Semantic Scholar's answer was not understood.", detail=reply.summary)
    return body


def _raise_refusal(reply: Reply, *, has_key: bool) -> NoReturn:
    is_ours = reply.body.lstrip().startswith(b"{")
    body = as_object(reply.json()) if is_ours else {}
    message = (as_text(body.get("error")) or as_text(body.get("message")))[:300]
    if reply.status == 404 and "error" in body:
        raise NotFound(f"Semantic Scholar: {message}")
    if reply.status == 403:
        raise (
            KeyRejected(f"Semantic Scholar does not accept the key: {message}")
            if has_key
            else Blocked(f"Semantic Scholar does not answer: {message or reply.summary}")
        )
    if reply.status == 404:
        raise UpstreamChanged("Semantic Scholar's answer was a page of somebody else.", detail=reply.summary)
    if reply.status not in {401, 429} and message:
        raise UpstreamUnavailable(
            f"Semantic Scholar refused the request: {message}", detail=reply.summary, retry_after=reply.retry_after
        )
    reply.expect_ok()
    raise UpstreamUnavailable(f"Semantic Scholar answered HTTP {reply.status}.")


def _escape_search(text: str) -> str:
    searchable = " ".join(HYPHEN.sub(" ", text).split())
    if not searchable:
        raise BadInput("The query holds nothing to search for; it needs at least one word.")
    return searchable


def _year_range(query: PaperQuery) -> str | None:
    if not query.year_from and not query.year_to:
        return None
    return f"{query.year_from or ''}-{query.year_to or ''}"


def _work_key(work: PaperId) -> str:
    if work.scheme == "doi":
        return f"DOI:{doi_path(work.value)}"
    is_known = find_arxiv_id(work.value) == work.value if work.scheme == "arxiv" else NUMBER.fullmatch(work.value)
    if not is_known:
        raise BadInput(f"{work.value[:40]!r} is not an id of the kind {work.scheme}.")
    return f"{SCHEMES[work.scheme]}{without_arxiv_version(work.value)}"


def _is_same_doi(asked: str, paper: Paper) -> bool:
    """arXiv's own DOIs stand for papers that are listed under the publisher's."""
    arxiv = find_arxiv_id(asked)
    return paper.doi == asked or (arxiv is not None and paper.ids.arxiv == without_arxiv_version(arxiv))


def _find_seed(seed: str, access: Access) -> Steps[Mapping[str, Any]]:
    arxiv, doi, number = find_arxiv_id(seed), normalise_doi(seed) or find_doi(seed), find_pmid(seed)
    work = PaperId("arxiv", arxiv) if arxiv else PaperId("doi", doi) if doi else None
    work = PaperId("pmid", number) if work is None and number else work
    if work:
        return (yield from _fetch_json(f"/{_work_key(work)}", {"fields": SEED_FIELDS}, access))
    params = {"query": _escape_search(seed)[:LONGEST_TITLE], "fields": SEED_FIELDS}
    body = yield from _fetch_json("/search/match", params, access)
    rows = list_under(body, "data", "Semantic Scholar")
    if not rows:
        raise NotFound(f"Semantic Scholar knows no paper with the title {seed[:200]!r}.")
    row: Mapping[str, Any] = rows[0]
    if not is_same_title(seed, title_text(row["title"])):
        raise NotFound(
            f"Semantic Scholar knows no paper with the title {seed[:200]!r}; the closest is {row['title'][:200]!r}."
        )
    return row


def _fetch_edges(number: str, kind: str, member: str, count: int, access: Access) -> Steps[tuple[Paper, ...] | None]:
    """None when the publisher does not let them be shown: `data` is null beside `citingPaperInfo`."""
    if not isinstance(number, str) or not number.isalnum():
        raise UpstreamChanged("Semantic Scholar's answer has a paper without its id.")
    fields = f"contexts,intents,isInfluential,{EDGE_FIELDS}"
    params: dict[str, Param] = {"fields": fields, "limit": max(1, min(count, MOST_EDGES))}
    body = yield from _fetch_json(f"/{number}/{kind}", params, access)
    rows = body["data"]
    if rows is None and kind == "references" and "citingPaperInfo" in body:
        return None
    if not isinstance(rows, list):
        raise UpstreamChanged("Semantic Scholar's answer has no list of citations.")
    return tuple(parse_rows(rows, lambda row: _parse_edge(row, member)))[:count]


def _parse_edge(row: Mapping[str, Any], member: str) -> Paper:
    paper = _parse_paper(row[member])
    return replace(paper, is_influential=as_boolean(row.get("isInfluential")), intents=_text_labels(row.get("intents")))


def _text_labels(value: Any) -> tuple[str, ...]:
    return tuple(text for item in (value if isinstance(value, list) else ()) if (text := as_text(item)))


def _result_list(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Nothing found is `total: 0` without `data`."""
    total, rows = as_count(body["total"]), body.get("data", [])
    if total is None or not isinstance(rows, list) or (total > 0 and not rows):
        raise UpstreamChanged("Semantic Scholar's answer announces papers and holds none.")
    return rows


def _parse_paper(row: Mapping[str, Any]) -> Paper:
    elsewhere, number = as_object(row.get("externalIds")), as_text(row["paperId"])
    doi, ids = normalise_doi(as_text(elsewhere.get("DOI"))), _parse_ids(elsewhere, number)
    pdf = as_web_address(as_object(row.get("openAccessPdf")).get("url"))
    url = doi_url(doi) if doi else as_web_address(row.get("url")) or _paper_page(number)
    journal, title = as_object(row.get("journal")), title_text(row["title"])
    if not title and not number:
        raise UpstreamChanged("Semantic Scholar's answer has a paper without title and id.")
    return Paper(
        title=title or url,
        url=url,
        source=PROVIDER.name,
        doi=doi or None,
        authors=tuple(name for author in objects_in(row.get("authors")) if (name := as_text(author.get("name")))),
        journal=as_text(journal.get("name")) or as_text(row.get("venue")) or None,
        year=as_year(row.get("year")),
        date=iso_from_text(row.get("publicationDate")),
        type=_publication_type(row),
        abstract=as_text(row.get("abstract")) or None,
        citation_count=as_count(row.get("citationCount")),
        open_access=True if ids.arxiv else as_boolean(row.get("isOpenAccess")),
        pdf_url=pdf or (f"https://arxiv.org/pdf/{ids.arxiv}" if ids.arxiv else None),
        tldr=as_text(as_object(row.get("tldr")).get("text")) or None,
        ids=ids,
        volume=number_or_text(journal.get("volume")),
        pages=(number_or_text(journal.get("pages")) or "").replace(" - ", "-") or None,
    )


def _publication_type(row: Mapping[str, Any]) -> str | None:
    """What stands on arXiv alone is called a journal article there."""
    if as_text(row.get("venue")) == VENUES["arxiv"]:
        return "preprint"
    kinds = _text_labels(row.get("publicationTypes"))
    return next((ours for theirs, ours in TYPES.items() if theirs in kinds), None)


def _paper_page(number: str) -> str:
    return f"https://www.semanticscholar.org/paper/{number}" if number else "https://www.semanticscholar.org/"


def _parse_ids(ids: Mapping[str, Any], number: str) -> PaperIds:
    central = number_or_text(ids.get("PubMedCentral"))
    return PaperIds(
        s2=number or None,
        arxiv=number_or_text(ids.get("ArXiv")),
        pmid=number_or_text(ids.get("PubMed")),
        pmcid=f"PMC{central.removeprefix('PMC')}" if central else None,
    )
