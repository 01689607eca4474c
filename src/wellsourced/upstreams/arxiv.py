"""arXiv: preprints of physics, mathematics, computer science and their neighbours.

API: info.arxiv.org/help/api, an Atom feed. No key; one request in three seconds is what is asked for. An unknown id is
an empty feed, a malformed one an entry titled "Error" (HTTP 400 today, 200 in older days). Entries name a version;
withdrawal is stated in the comment or the summary alone. Everything here is free to read. Checked 2026-11-15.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wellsourced.errors import BadInput, NotFound, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.text.identifiers import find_arxiv_id, normalise_doi, without_arxiv_version
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.database_query import ParsedQuery, parse_query
from wellsourced.upstreams.helpers.json_fields import as_web_address, as_year, iso_from_text, parse_rows
from wellsourced.upstreams.helpers.xml_tree import parse_xml, text_at, text_of
from wellsourced.upstreams.types.paper import Integrity, Paper, PaperId, PaperIds, PaperQuery
from wellsourced.upstreams.types.search import ResultSet

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

PROVIDER = Provider(
    name="arxiv",
    title="arXiv",
    bases={"": "https://export.arxiv.org"},
    pace=Pace(1, 3.0),
    timeout=15,
    preference=50,
    about="Preprints of physics, mathematics and computer science; all free to read.",
)

MOST_RESULTS = 100
MOST_TERMS = 20
MARKS = re.compile(r"[()\[\]{}:\\^~*?+]")
ERROR = "arxiv.org/api/errors"
WITHDRAWN = re.compile(
    r"\b(?:paper|article|submission|manuscript|preprint|work|version|note|draft|it)\s{1,3}(?:has\s{1,3}been|is|was)"
    r"\s{1,3}(?:now\s{1,3}|being\s{1,3})?withdrawn\b|^\W{0,3}withdrawn\b|\bwithdrawn\s{1,3}(?:by\s{1,3}(?:the\s{1,3})?(?:author|arxiv)"
    r"|due\s{1,3}to|because)",
    re.IGNORECASE,
)


def papers(query: PaperQuery, access: Access) -> Steps[ResultSet[Paper]]:
    parsed = parse_query(query.text, _write_term, MOST_TERMS)
    params: dict[str, Param] = {
        "search_query": _write_query(parsed, query),
        "start": 0,
        "max_results": max(1, min(query.count, MOST_RESULTS)),
        "sortBy": "submittedDate" if query.sort_by == "date" else "relevance",
        "sortOrder": "descending",
    }
    reply = yield Request.get("/api/query", params)
    feed = _parse_feed(reply)
    if problem := _feed_error(feed):
        raise UpstreamUnavailable(f"arXiv refused the request: {problem}")
    papers_found = parse_rows(feed.iterfind("entry"), _parse_paper)
    total = text_at(feed, "totalResults")
    if not total.isdecimal() or (int(total) > 0 and not papers_found):
        raise UpstreamChanged("arXiv's answer announces papers and holds none.")
    not_applied = {"source"} if query.source not in {"all", "arxiv"} else set()
    return ResultSet(
        tuple(papers_found[: query.count]),
        frozenset(not_applied),
        int(total) > len(papers_found),
        parsed.notes(PROVIDER.title),
    )


def record(work: PaperId, access: Access) -> Steps[Paper]:
    """The paper of an arXiv id, also when it is given as arXiv's own DOI. A named version is kept."""
    wanted = work.value if work.scheme == "arxiv" else find_arxiv_id(work.value) if work.scheme == "doi" else None
    if not wanted:
        raise BadInput(f"arXiv knows papers by its own ids only, such as 1605.08386; {work} is none.")
    reply = yield Request.get("/api/query", {"id_list": wanted, "max_results": 1})
    feed = _parse_feed(reply)
    if problem := _feed_error(feed):
        raise BadInput(f"arXiv does not accept the id {wanted[:40]!r}: {problem}.")
    for entry in feed.iterfind("entry"):
        paper = _parse_paper(entry)
        if paper.ids.arxiv == without_arxiv_version(wanted):
            return paper
    if feed.find("entry") is not None or text_at(feed, "totalResults") != "0":
        raise UpstreamChanged(f"arXiv's answer does not hold {wanted}.")
    raise NotFound(f"arXiv has no paper {wanted}.")


def records(ids: Sequence[str], access: Access) -> Steps[tuple[Paper, ...]]:
    """The papers of these ids, as far as arXiv has them; its own DOIs are ids too."""
    wanted = [number for given in ids if (number := find_arxiv_id(given))]
    if not wanted:
        return ()
    reply = yield Request.get("/api/query", {"id_list": ",".join(wanted), "max_results": len(wanted)})
    feed = _parse_feed(reply)
    return () if _feed_error(feed) else tuple(_parse_paper(entry) for entry in feed.iterfind("entry"))


def _write_query(parsed: ParsedQuery, query: PaperQuery) -> str:
    """Every word must occur, in whatever field."""
    if not parsed.wanted:
        raise BadInput("The query holds nothing to search for; it needs at least one word.")
    conditions = parsed.conditions("OR", "all:")
    if query.year_from or query.year_to:
        span = f"{query.year_from or 1900:04}01010000 TO {query.year_to or 2200:04}12312359"
        conditions.append(f"submittedDate:[{span}]")
    return " AND ".join(conditions) + "".join(f" ANDNOT all:{term}" for term in parsed.unwanted)


def _write_term(text: str, is_phrase: bool) -> str:
    bare = " ".join(MARKS.sub(" ", text).split())
    return f'"{bare}"' if " " in bare or (is_phrase and bare) else bare.lstrip("-")


def _parse_feed(reply: Reply) -> Element:
    if reply.status not in {200, 400}:
        reply.expect_ok()
    feed = parse_xml(reply.body)
    if feed.tag != "feed" or feed.find("totalResults") is None:
        raise UpstreamChanged("arXiv's answer is not a feed.", detail=reply.summary)
    if reply.status != 200 and not _feed_error(feed):
        raise UpstreamUnavailable(f"arXiv answered HTTP {reply.status}.")
    return feed


def _feed_error(feed: Element) -> str:
    """An error is delivered as an entry."""
    errors = (entry for entry in feed.iterfind("entry") if ERROR in text_at(entry, "id"))
    return next((text_at(entry, "summary") or "no reason given" for entry in errors), "")


def _parse_paper(entry: Element) -> Paper:
    number = find_arxiv_id(text_at(entry, "id"))
    title = text_at(entry, "title")
    if number is None or not title:
        raise UpstreamChanged("arXiv's answer has an entry without id or title.")
    bare = without_arxiv_version(number)
    date = iso_from_text(text_at(entry, "published"))
    return Paper(
        title=title,
        url=f"https://arxiv.org/abs/{number}",
        source=PROVIDER.name,
        doi=normalise_doi(text_at(entry, "doi")) or f"10.48550/arxiv.{bare}".lower(),
        authors=tuple(name for author in entry.iterfind("author") if (name := text_at(author, "name"))),
        journal=text_at(entry, "journal_ref") or "arXiv",
        year=as_year(date),
        date=date,
        type="preprint",
        abstract=text_at(entry, "summary") or None,
        open_access=True,
        pdf_url=_pdf_link(entry) or f"https://arxiv.org/pdf/{number}",
        retraction=_parse_withdrawal(entry),
        ids=PaperIds(arxiv=bare),
    )


def _pdf_link(entry: Element) -> str | None:
    links = (link.get("href") for link in entry.iterfind("link") if link.get("title") == "pdf")
    return next((url for link in links if (url := as_web_address(link))), None)


def _parse_withdrawal(entry: Element) -> Integrity | None:
    """The version that announces a withdrawal is the last one, so its date is the date of it."""
    statement = WITHDRAWN.search(text_of(entry.find("comment"))[:2000]) or WITHDRAWN.search(
        text_at(entry, "summary")[:300]
    )
    if not statement:
        return None
    updated = iso_from_text(text_at(entry, "updated"))
    return Integrity(kind="retraction", retracted=True, source=PROVIDER.name, date=updated)
