"""bioRxiv and medRxiv: preprints of biology and medicine by their DOI.

API: api.biorxiv.org · Key: none; slow. There is no search by words: Europe PMC has one. Nothing found
is a message, not an empty list alone. Recorded 2026-03.
"""

from __future__ import annotations

from typing import Any

from wellsourced.errors import BadInput, NotFound, UpstreamChanged
from wellsourced.http_exchange import Reply, Request, Steps
from wellsourced.text.identifiers import doi_path, doi_url, normalise_doi
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, as_year, iso_from_text, objects_in, parse_rows
from wellsourced.upstreams.helpers.paper_fields import authors_of, doi_or_none, object_or_refusal
from wellsourced.upstreams.helpers.replies import list_under
from wellsourced.upstreams.types.paper import Integrity, Paper, PaperId

PROVIDER = Provider(
    name="biorxiv",
    title="bioRxiv and medRxiv",
    bases={"": "https://api.biorxiv.org"},
    pace=Pace(1),
    timeout=20,
    preference=70,
    automatic=False,
    about="Preprints of biology and medicine by their DOI.",
)

PREFIXES = ("10.1101/", "10.64898/")
SERVERS = ("biorxiv", "medrxiv")
NAMES = {"biorxiv": "bioRxiv", "medrxiv": "medRxiv"}


def record(work: PaperId, access: Access) -> Steps[Paper]:
    """The newest version of exactly this preprint, asked of both servers, since the DOI does not tell which."""
    if work.scheme != "doi" or not normalise_doi(work.value).startswith(PREFIXES):
        raise BadInput(f"bioRxiv and medRxiv know preprints by DOI, such as 10.1101/029900; {str(work)[:60]} is none.")
    wanted = normalise_doi(work.value)
    for server in SERVERS:
        reply = yield Request.get(f"/details/{server}/{doi_path(wanted)}/na/json")
        versions = [paper for paper in parse_collection(reply) if paper.doi == wanted]
        if versions:
            return versions[-1]
    raise NotFound(f"Neither bioRxiv nor medRxiv has a preprint {wanted}.")


def parse_collection(reply: Reply) -> list[Paper]:
    """The preprints of an answer, one entry a version, oldest first."""
    body = object_or_refusal(reply, PROVIDER.title)
    rows = list_under(body, "collection", PROVIDER.title)
    status = as_text(next(objects_in(body.get("messages")), {}).get("status"))
    if not rows and not status.startswith(("no posts found", "ok")):
        raise UpstreamChanged("bioRxiv's answer says neither that nothing was found nor anything else.")
    return sorted(parse_rows(rows, _parse_paper), key=lambda paper: paper.date or "")


def _parse_paper(row: Any) -> Paper:
    title, doi, server = as_text(row["title"]), doi_or_none(row["doi"]), as_text(as_object(row).get("server")).lower()
    if not title or not doi:
        raise UpstreamChanged("bioRxiv's answer has a preprint without title or DOI.")
    date = iso_from_text(row.get("date"))
    return Paper(
        title=title,
        url=doi_url(doi),
        source=PROVIDER.name,
        doi=doi,
        **authors_of(name.strip() for name in as_text(row.get("authors")).split(";")),
        journal=NAMES.get(server),
        year=as_year(date),
        date=date,
        type="preprint",
        abstract=as_text(row.get("abstract")) or None,
        open_access=True,
        retraction=_parse_withdrawal(row, date),
    )


def _parse_withdrawal(row: Any, date: str | None) -> Integrity | None:
    marks = as_text(row.get("type")).lower(), as_text(row["title"]).lower()
    is_withdrawn = any(mark.startswith("withdrawn") for mark in marks)
    return Integrity(kind="retraction", retracted=True, source=PROVIDER.name, date=date) if is_withdrawn else None
