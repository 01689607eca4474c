"""doi.org: whether a DOI is registered with any agency, with which one, and what that agency says of the work.

API: www.doi.org/the-identifier/resources/factsheets/doi-resolution-documentation. No key. The handle service answers
`responseCode` 1 for a registered DOI, 200 for one without the values asked for, and 100 with HTTP 404 for one that
nobody registered; only that answer counts as a no. A record comes by content negotiation: doi.org redirects to the
agency, whose addresses are declared below; an agency without such a service sends on to a web page. Checked 2026-11-15.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from wellsourced.errors import BadInput, NotFound, UpstreamChanged, UpstreamUnavailable, WellsourcedError
from wellsourced.http_exchange import Reply, Request, Steps
from wellsourced.text.identifiers import (
    doi_path,
    doi_url,
    find_arxiv_id,
    find_isbn,
    normalise_doi,
    without_arxiv_version,
)
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.jats import abstract_text, title_text
from wellsourced.upstreams.helpers.json_fields import (
    as_object,
    as_text,
    as_web_address,
    as_year,
    first_text,
    iso_from_date_parts,
    iso_from_text,
    number_or_text,
    objects_in,
)
from wellsourced.upstreams.helpers.replies import parse_object
from wellsourced.upstreams.types.paper import Author, Paper, PaperId, PaperIds, Registration

PROVIDER = Provider(
    name="doi_org",
    title="doi.org",
    bases={
        "": "https://doi.org",
        "crossref": "https://api.crossref.org",
        "crosscite": "https://data.crosscite.org",
        "datacite": "https://data.datacite.org",
        "medra": "https://data.medra.org",
    },
    pace=Pace(5, 1.0),
    timeout=15,
    preference=60,
    about="The DOI system itself: registration, agency, and a plain record from any agency.",
)

CSL = "application/vnd.citationstyles.csl+json"
REGISTERED, WITHOUT_VALUES, UNREGISTERED = 1, 200, 100  # response codes of the handle service
KNOWN = {200: (REGISTERED, WITHOUT_VALUES), 404: (UNREGISTERED,)}
REDIRECTS = frozenset({301, 302, 303, 307, 308})
MOST_HOPS = 3  # redirects from doi.org to the agency
TYPES = {
    "article-journal": "journal-article",
    "paper-conference": "conference-paper",
    "proceedings-article": "conference-paper",
    "posted-content": "preprint",
    "chapter": "book-chapter",
}


def registration(doi: str, access: Access) -> Steps[Registration]:
    """Asks the handle service, then which agency it was; not knowing the agency does no harm."""
    path, normal = doi_path(doi), normalise_doi(doi)
    reply = yield Request.get(f"/api/handles/{path}")
    code, body = _parse_handle(reply)
    if code == UNREGISTERED:
        return Registration(doi=normal, registered=False)
    try:
        agency = _parse_agency((yield Request.get(f"/ra/{path}")))
    except WellsourcedError:
        agency = None
    return Registration(doi=normal, registered=True, agency=agency, url=_target_url(body))


def record(work: PaperId, access: Access) -> Steps[Paper]:
    """What the registering agency says of exactly this DOI."""
    doi = f"10.48550/arxiv.{without_arxiv_version(work.value)}" if work.scheme == "arxiv" else work.value
    if work.scheme == "pmid":
        raise BadInput(f"doi.org knows works by DOI only; {work} is none.")
    request = Request.get(f"/{doi_path(doi)}", headers={"Accept": CSL})
    for _ in range(MOST_HOPS + 1):
        reply = yield request
        if reply.status not in REDIRECTS:
            return _parse_paper(_parse_reply(reply, doi), normalise_doi(doi))
        request = _follow_redirect(reply, doi)
    raise UpstreamChanged(f"doi.org sends {doi} round in a circle.")


def _parse_handle(reply: Reply) -> tuple[int, Mapping[str, Any]]:
    if reply.status != 404:
        reply.expect_ok()
    if b"<title>Error: DOI Not Found</title>" in reply.body[:2000]:
        return UNREGISTERED, {}
    body = reply.json()
    code = as_object(body).get("responseCode")
    if type(code) is int and code in KNOWN.get(reply.status, ()):
        return code, as_object(body)
    if reply.status == 404 or type(code) is not int:
        raise UpstreamChanged("The handle service's answer was not understood.", detail=reply.summary)
    raise UpstreamUnavailable(f"The handle service could not tell (code {code}).", detail=reply.summary)


def _parse_agency(reply: Reply) -> str | None:
    rows = reply.expect_ok().json()
    return next((name for row in objects_in(rows) if (name := as_text(row.get("RA")))), None)


def _target_url(body: Mapping[str, Any]) -> str | None:
    """Where the DOI leads."""
    values = (value for value in objects_in(body.get("values")) if value.get("type") == "URL")
    return next((url for value in values if (url := as_web_address(as_object(value.get("data")).get("value")))), None)


def _follow_redirect(reply: Reply, doi: str) -> Request:
    """On to the agency's metadata service; to nowhere else, for what lies there is a page for people."""
    parts = urlsplit(reply.headers.get("location", ""))
    hosts = {urlsplit(base).hostname: name for name, base in PROVIDER.bases.items()}
    if parts.hostname is not None and parts.hostname not in hosts:
        raise NotFound(f"The agency of {normalise_doi(doi)} has no record for programs.", detail=parts.hostname)
    query = f"?{parts.query}" if parts.query else ""
    return Request.get(f"{parts.path}{query}", headers={"Accept": CSL}, host=hosts.get(parts.hostname, ""))


def _parse_reply(reply: Reply, doi: str) -> Mapping[str, Any]:
    if reply.status in {204, 404, 406, 410}:
        raise NotFound(f"No agency has a record of the DOI {normalise_doi(doi)}.", detail=reply.summary)
    return parse_object(reply, "The agency")


def _parse_paper(item: Mapping[str, Any], asked: str) -> Paper:
    doi = normalise_doi(str(item["DOI"]))
    if doi != asked:
        raise NotFound(f"The agency has no record of the DOI {asked}; it answered with {doi or 'none'}.")
    names = tuple(_parse_authors(item.get("author")))
    date = _parse_date(item)
    arxiv = find_arxiv_id(doi)
    kind = as_text(item.get("type"))
    return Paper(
        title=title_text(item["title"]) or doi_url(doi),
        url=doi_url(doi),
        source=PROVIDER.name,
        doi=doi,
        authors=tuple(author.name for author in names),
        author_names=names,
        journal=first_text(item.get("container-title")) or None,
        year=as_year(date),
        date=date,
        type="preprint" if arxiv else TYPES.get(kind, kind) or None,
        abstract=abstract_text(item["abstract"]) or None if isinstance(item.get("abstract"), str) else None,
        open_access=True if arxiv else None,
        pdf_url=f"https://arxiv.org/pdf/{arxiv}" if arxiv else None,
        ids=PaperIds(arxiv=arxiv),
        volume=number_or_text(item.get("volume")),
        issue=number_or_text(item.get("issue")),
        pages=number_or_text(item.get("page")),
        publisher=as_text(item.get("publisher")) or None,
        isbn=find_isbn(first_text(item.get("ISBN"))),
    )


def _parse_date(item: Mapping[str, Any]) -> str | None:
    """Agencies differ in where they put it: `issued` mostly, with parts or as text."""
    places = [as_object(item.get(name)) for name in ("issued", "published", "published-print", "published-online")]
    return next(
        (date for place in places if (date := iso_from_date_parts(place) or iso_from_text(place.get("raw")))), None
    )


def _parse_authors(value: Any) -> Iterator[Author]:
    for person in objects_in(value):
        whole_name = as_text(person.get("literal")) or as_text(person.get("name"))
        author = Author(family=as_text(person.get("family")), given=as_text(person.get("given")), literal=whole_name)
        if author.name:
            yield author
