"""OpenAlex: some 250 million scholarly works, their citations, and a flag on the retracted ones.

API: developers.openalex.org. Key: OPENALEX_API_KEY as a parameter, optional; without one the daily budget is small,
and a spent budget is HTTP 429 with a waiting time of hours. An unknown work is an HTML page with HTTP 404, a merged one
a redirect. `*` and `?` in a search are refused, so they are taken out. Source and publisher ids were checked against
recorded works; PubMed is never a primary location, hence the filter over all locations. IEEE's id is by hearsay of
several users. The retraction flag has neither date nor notice, and its absence proves nothing. Checked 2026-11-15.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import unescape
from typing import Any, NoReturn

from wellsourced.errors import BadInput, KeyRejected, NotFound, RateLimited, UpstreamChanged, UpstreamUnavailable
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
from wellsourced.text.plain_text import strip_markup
from wellsourced.text.titles import is_same_title
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.database_query import without_operators, without_unwanted
from wellsourced.upstreams.helpers.jats import abstract_text, title_text
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
    texts_in,
)
from wellsourced.upstreams.helpers.replies import error_object
from wellsourced.upstreams.types.paper import (
    EdgeCounts,
    EdgeQuery,
    Edges,
    Integrity,
    Paper,
    PaperId,
    PaperIds,
    PaperQuery,
)
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="openalex",
    title="OpenAlex",
    bases={"": "https://api.openalex.org"},
    uses=(
        Setting("OPENALEX_EMAIL", "Contact address sent to OpenAlex, and to Unpaywall when it has none of its own."),
        Setting("OPENALEX_API_KEY", "Key of OpenAlex; raises its daily budget.", secret=True),
    ),
    pace=Pace(10, 1.0),
    timeout=15,
    preference=10,
    about="Works of every field with abstracts, citation counts and open copies.",
)

SOURCES = {
    "arxiv": "locations.source.id:S4306400194",
    "pubmed": "locations.source.id:S4306525036",
    "ieee": "primary_location.source.publisher_lineage:P4310319808",
    "nature": "primary_location.source.publisher_lineage:P4310319908",
    "springer": "primary_location.source.publisher_lineage:P4310319965",
}
FIELDS = (
    "id,doi,display_name,ids,publication_year,publication_date,type,authorships,primary_location,best_oa_location"
    ",open_access,biblio,is_retracted,cited_by_count,abstract_inverted_index"
)
SEED_FIELDS = f"{FIELDS},referenced_works,referenced_works_count"
TYPES = {"article": "journal-article", "dissertation": "thesis", "paratext": "other"}
NOTICES = frozenset({"retraction", "erratum"})
MOST_PER_PAGE, MOST_ALTERNATIVES = 100, 50
DATE_POOL = 50  # the most relevant works, of which the newest are then shown first
MOST_WORDS = 20_000
LONGEST_TITLE = 300
WORK = re.compile(r"\bW[0-9]{1,15}\b")
WILD = re.compile(r"[*?~]")
FILTER_MARKS = re.compile(r'[,|:!"*?~()<>+]')
UNNAMEABLE = re.compile(r'[,|!"*?~<>]')
"""In a DOI they would end a filter's value, or turn it into something else."""


def papers(query: PaperQuery, access: Access) -> Steps[ResultSet[Paper]]:
    by_date = query.sort_by == "date"
    params: dict[str, Param] = {
        "search": _escape_search(query.text) if query.text or not (query.orcid or query.issn) else None,
        "filter": ",".join(_filters(query)) or None,
        "per_page": max(1, min(max(query.count, DATE_POOL) if by_date else query.count, MOST_PER_PAGE)),
        "select": FIELDS,
    }
    reply = yield Request.get("/works", {**params, **_identity_params(access)})
    body = _parse_reply(reply)
    works = parse_rows(_result_rows(body), _parse_paper)
    if by_date:
        works.sort(key=lambda paper: paper.date or "", reverse=True)
    not_applied = {name for name in ("pdf_only", "full_text") if getattr(query, name)}
    total = as_count(as_object(body.get("meta")).get("count"))
    return ResultSet(tuple(works[: query.count]), frozenset(not_applied), None if total is None else total > len(works))


def record(work: PaperId, access: Access) -> Steps[Paper]:
    """The work of exactly this DOI, arXiv id or PMID."""
    row = yield from _fetch_work(_work_key(work), FIELDS, access)
    paper = _parse_paper(row)
    if work.scheme == "doi" and paper.doi != normalise_doi(work.value):
        raise NotFound(f"OpenAlex has no work with the DOI {work.value}; it answered with {paper.doi}.")
    return paper


def records(dois: Sequence[str], access: Access) -> Steps[tuple[Paper, ...]]:
    """The works of these DOIs, as far as OpenAlex knows them and a filter can name them."""
    named = [doi for doi in dois if not UNNAMEABLE.search(doi)]
    if not named:
        return ()
    params: dict[str, Param] = {"filter": f"doi:{'|'.join(named)}", "per_page": MOST_PER_PAGE, "select": FIELDS}
    reply = yield Request.get("/works", {**params, **_identity_params(access)})
    return tuple(parse_rows(_result_rows(_parse_reply(reply)), _parse_paper))


def citations(query: EdgeQuery, access: Access) -> Steps[Edges]:
    """Both kinds of edges, most cited works first."""
    row = yield from _fetch_seed(query.seed, access)
    seed = _parse_paper(row)
    cited_by = references = None
    if query.direction != "references":
        cited_by = yield from _fetch_neighbours(f"cites:{seed.ids.openalex}", query.count, access)
    if query.direction != "cited_by":
        ids = [match[0] for work in _as_list(row["referenced_works"]) if (match := WORK.search(str(work)))]
        wanted = "|".join(ids[:MOST_ALTERNATIVES])
        references = (yield from _fetch_neighbours(f"openalex_id:{wanted}", query.count, access)) if wanted else ()
    counts = EdgeCounts(cited_by=seed.citation_count, references=as_count(row.get("referenced_works_count")))
    return Edges(seed=seed, cited_by=cited_by, references=references, counts=counts)


def _identity_params(access: Access) -> dict[str, Param]:
    return {"mailto": access["OPENALEX_EMAIL"] or None, "api_key": access["OPENALEX_API_KEY"] or None}


def _filters(query: PaperQuery) -> Iterator[str]:
    if query.year_from:
        yield f"from_publication_date:{query.year_from:04}-01-01"
    if query.year_to:
        yield f"to_publication_date:{query.year_to:04}-12-31"
    if query.open_access or query.pdf_only:
        yield "open_access.is_oa:true"
    if query.source != "all":
        yield SOURCES[query.source]
    if query.orcid:
        yield f"authorships.author.orcid:https://orcid.org/{query.orcid}"
    if query.issn:
        yield f"primary_location.source.issn:{query.issn}"


def _escape_search(text: str) -> str:
    """Without what is refused, and with quotation marks and brackets only where they come in pairs."""
    text, unwanted = without_unwanted(WILD.sub(" ", text))
    if text.count('"') % 2:
        text = text.replace('"', " ")
    if text.count("(") != text.count(")"):
        text = text.replace("(", " ").replace(")", " ")
    searchable = " ".join(text.split())
    if not searchable:
        raise BadInput("The query holds nothing to search for; it needs at least one word.")
    return searchable + "".join(f' NOT "{term}"' for term in unwanted)


def _work_key(work: PaperId) -> str:
    if work.scheme in {"pmid", "pmcid"}:
        return f"{work.scheme}:{work.value}"
    doi = f"10.48550/arxiv.{without_arxiv_version(work.value)}" if work.scheme == "arxiv" else work.value
    return f"doi:{doi_path(doi)}"


def _fetch_work(key: str, fields: str, access: Access) -> Steps[Mapping[str, Any]]:
    reply = yield Request.get(f"/works/{key}", {"select": fields, **_identity_params(access)})
    merged = WORK.search(reply.headers.get("location", "")) if reply.status in {301, 302, 307, 308} else None
    if merged:
        reply = yield Request.get(f"/works/{merged[0]}", {"select": fields, **_identity_params(access)})
    if reply.status == 404:
        raise NotFound("OpenAlex knows no such work.")
    return _parse_reply(reply)


def _fetch_seed(seed: str, access: Access) -> Steps[Mapping[str, Any]]:
    """A work by its identifier or by its exact title; of several with that title the most cited."""
    if arxiv := find_arxiv_id(seed):
        return (yield from _fetch_work(_work_key(PaperId("arxiv", arxiv)), SEED_FIELDS, access))
    if doi := normalise_doi(seed) or find_doi(seed):
        return (yield from _fetch_work(_work_key(PaperId("doi", doi)), SEED_FIELDS, access))
    if number := find_pmid(seed):
        return (yield from _fetch_work(_work_key(PaperId("pmid", number)), SEED_FIELDS, access))
    title = " ".join(FILTER_MARKS.sub(" ", without_operators(seed[:LONGEST_TITLE])).split())
    if not title:
        raise BadInput(f"{seed[:80]!r} is neither a DOI nor a title.")
    params: dict[str, Param] = {"filter": f"title.search:{title}", "per_page": 10, "select": SEED_FIELDS}
    reply = yield Request.get("/works", {**params, **_identity_params(access)})
    rows = [row for row in _result_rows(_parse_reply(reply)) if is_same_title(seed, title_text(row["display_name"]))]
    if not rows:
        raise NotFound(f"OpenAlex knows no work with the title {seed[:200]!r}.")
    return max(rows, key=lambda row: as_count(row.get("cited_by_count")) or 0)


def _fetch_neighbours(condition: str, count: int, access: Access) -> Steps[tuple[Paper, ...]]:
    params: dict[str, Param] = {
        "filter": condition,
        "sort": "cited_by_count:desc",
        "per_page": max(1, min(count, MOST_PER_PAGE)),
        "select": FIELDS,
    }
    reply = yield Request.get("/works", {**params, **_identity_params(access)})
    return tuple(parse_rows(_result_rows(_parse_reply(reply)), _parse_paper))[:count]


def _result_rows(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    rows = _as_list(body["results"])
    if not rows and as_count(body["meta"]["count"]) != 0:
        raise UpstreamChanged("OpenAlex's answer announces works and holds none.")
    return rows


def _as_list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise UpstreamChanged("OpenAlex's answer has something else where a list should be.")
    return value


def _parse_paper(row: Mapping[str, Any]) -> Paper:
    doi = normalise_doi(row["doi"]) if isinstance(row["doi"], str) else ""
    number = WORK.search(str(row["id"]))
    if number is None:
        raise UpstreamChanged("OpenAlex's answer has a work without its id.")
    place, access = as_object(row.get("primary_location")), as_object(row.get("open_access"))
    journal, biblio = as_object(place.get("source")), as_object(row.get("biblio"))
    url = doi_url(doi) if doi else as_web_address(place.get("landing_page_url")) or f"https://openalex.org/{number[0]}"
    ids = _parse_ids(row, number[0], doi)
    return Paper(
        title=title_text(row["display_name"]) or url,
        url=url,
        source=PROVIDER.name,
        doi=doi or None,
        authors=tuple(_parse_names(row.get("authorships"))),
        journal=as_text(journal.get("display_name")) or None,
        year=as_year(row.get("publication_year")),
        date=iso_from_text(row.get("publication_date")),
        type=TYPES.get(as_text(row.get("type")), as_text(row.get("type"))) or None,
        abstract=_parse_abstract(row.get("abstract_inverted_index")),
        citation_count=as_count(row.get("cited_by_count")),
        open_access=as_boolean(access.get("is_oa")),
        pdf_url=_pdf_link(row, ids.arxiv),
        retraction=_parse_integrity(row),
        ids=ids,
        volume=number_or_text(biblio.get("volume")),
        issue=number_or_text(biblio.get("issue")),
        pages=_pages(biblio),
        publisher=as_text(journal.get("host_organization_name")) or None,
        journal_names=tuple(_journal_names(journal)),
    )


def _journal_names(journal: Mapping[str, Any]) -> Iterator[str]:
    for name in ("abbreviated_title", "alternate_titles"):
        yield from texts_in(journal.get(name))


def _parse_names(authorships: Any) -> Iterator[str]:
    for authorship in objects_in(authorships):
        names = (as_object(authorship.get("author")).get("display_name"), authorship.get("raw_author_name"))
        if name := next(filter(None, map(as_text, names)), ""):
            yield name


def _parse_ids(row: Mapping[str, Any], number: str, doi: str) -> PaperIds:
    ids, places = as_object(row.get("ids")), (row.get("primary_location"), row.get("best_oa_location"))
    addresses = [doi, *(str(as_object(place).get("landing_page_url")) for place in places)]
    arxiv = next(
        (preprint for address in addresses if "arxiv" in address and (preprint := find_arxiv_id(address))), None
    )
    central = _last_part(ids.get("pmcid"))
    return PaperIds(
        openalex=number,
        arxiv=without_arxiv_version(arxiv) if arxiv else None,
        pmid=_last_part(ids.get("pmid")),
        pmcid=f"PMC{central.removeprefix('PMC')}" if central else None,
    )


def _last_part(address: Any) -> str | None:
    """`https://pubmed.ncbi.nlm.nih.gov/24549296` stands for its number."""
    return as_text(address).rstrip("/").rpartition("/")[2] or None


def _pages(biblio: Mapping[str, Any]) -> str | None:
    first, last = number_or_text(biblio.get("first_page")), number_or_text(biblio.get("last_page"))
    return f"{first}-{last}" if first and last and first != last else first


def _pdf_link(row: Mapping[str, Any], arxiv: str | None) -> str | None:
    """`oa_url` is often a landing page, so it counts only when it looks like a document."""
    is_open = as_object(row.get("open_access")).get("is_oa") is True
    best = as_web_address(as_object(row.get("best_oa_location")).get("pdf_url"))
    if best or not is_open:
        return best
    other = as_web_address(as_object(row.get("open_access")).get("oa_url")) or ""
    if other.lower().split("?")[0].endswith(".pdf") or "/pdf/" in other:
        return other
    return f"https://arxiv.org/pdf/{arxiv}" if arxiv else None


def _parse_integrity(row: Mapping[str, Any]) -> Integrity | None:
    if row["is_retracted"] is not True or row.get("type") in NOTICES:
        return None
    return Integrity(kind="retraction", retracted=True, source=PROVIDER.name)


def _parse_abstract(index: Any) -> str | None:
    """The text behind `{word: [positions]}`. Only so many words are placed, whatever positions are claimed."""
    placed = sorted(_words_by_position(index.items()))[:MOST_WORDS] if isinstance(index, dict) else []
    text = " ".join(word for _, word in placed)
    # Some abstracts come with their entities escaped twice.
    text = unescape(abstract_text(text) if "<jats:" in text else strip_markup(text))
    return text or None


def _words_by_position(entries: Iterable[tuple[str, Any]]) -> Iterator[tuple[int, str]]:
    for word, positions in entries:
        for position in positions if isinstance(positions, list) else ():
            if type(position) is int:
                yield position, word


def _parse_reply(reply: Reply) -> Mapping[str, Any]:
    error = _parse_error(reply)
    if error:
        _raise_refusal(reply, error)
    if reply.status == 404:
        raise UpstreamChanged("OpenAlex's search is not where it used to be.", detail=reply.summary)
    body = reply.expect_ok().json()
    if not isinstance(body, dict):
        raise UpstreamChanged("OpenAlex's answer is not an object.")
    return body


def _parse_error(reply: Reply) -> Mapping[str, Any]:
    """An error may come with HTTP 200; a proxy's page is none of OpenAlex's."""
    body = error_object(reply)
    return body if "error" in body else {}


def _raise_refusal(reply: Reply, error: Mapping[str, Any]) -> NoReturn:
    message = (as_text(error.get("message")) or as_text(error.get("error")))[:300]
    if reply.status == 429 or "retryAfter" in error:
        wait = error.get("retryAfter")
        seconds = float(wait) if isinstance(wait, (int, float)) and 0 <= wait < 1e7 else reply.retry_after
        raise RateLimited(f"OpenAlex: {message}", retry_after=seconds)
    if reply.status == 401 or "api key" in message.lower() or "api_key" in message.lower():
        raise KeyRejected(f"OpenAlex does not accept the key: {message}")
    raise UpstreamUnavailable(
        f"OpenAlex refused the request: {message}", detail=reply.summary, retry_after=reply.retry_after
    )
