"""OpenCitations: who cites a work and whom it cites, out of open reference lists.

API: api.opencitations.net · Key: OPENCITATIONS_TOKEN, optional. Works are known by DOI or PMID. An unknown work is an
empty list, as is one without citations; counts are lower bounds. `citing` and `cited` are one DOI (v1), or several
ids in one text (v2). Answers are slow. Data under CC0. Recorded 2020 and 2024 (v1).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from wellsourced.errors import NotFound, UpstreamChanged
from wellsourced.http_exchange import Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.identifiers import doi_path, doi_url, find_arxiv_id, find_doi, find_pmid, normalise_doi
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import (
    as_count,
    as_text,
    as_web_address,
    as_year,
    iso_from_text,
    number_or_text,
    parse_rows,
)
from wellsourced.upstreams.helpers.paper_fields import authors_of, raise_keyless_refusal
from wellsourced.upstreams.types.paper import EdgeCounts, EdgeQuery, Edges, Paper, PaperIds

PROVIDER = Provider(
    name="opencitations",
    title="OpenCitations",
    bases={"": "https://api.opencitations.net"},
    uses=(Setting("OPENCITATIONS_TOKEN", "Access token of OpenCitations, free; optional.", secret=True),),
    pace=Pace(2),
    timeout=45,
    preference=80,
    automatic=False,
    good_at=("citations",),
    about="Citations out of open reference lists; counts are lower bounds.",
)

MOST_DETAILED = 50  # works whose records are asked for at once
DIRECTIONS = (("citations", "cited_by", "citing"), ("references", "references", "cited"))
LOWER_BOUND = "OpenCitations knows open reference lists only: its counts are lower bounds."
NAMED_ID = re.compile(r"(doi|pmid|pmcid|omid):(\S{1,300})")
OCI = re.compile(r"(?:oci:)?([0-9]{6,40}-[0-9]{6,40})")
NAME_ID = re.compile(r"(?:(?<!\s)\s+)?\[[^\]]{0,300}\]")


def citations(query: EdgeQuery, access: Access) -> Steps[Edges]:
    """The edges, the newest first, each with its record; a work without one keeps its DOI alone."""
    token = access["OPENCITATIONS_TOKEN"]
    headers = {"authorization": token} if token else {}
    ends: dict[str, list[str]] = {}
    one = OCI.fullmatch(query.seed.strip())
    key = (yield from _citing_work(one[1], headers, ends)) if one else _work_key(query.seed)
    for path, direction, end in DIRECTIONS:
        if not one and query.direction in {direction, "both"}:
            ends[path] = parse_links((yield Request.get(f"/index/v2/{path}/{key}", headers=headers)), end)
    shown = [doi for dois in ends.values() for doi in dois[: query.count]]
    ids = [key, *(f"doi:{doi_path(doi)}" for doi in dict.fromkeys(shown))]
    reply = yield Request.get(f"/meta/v1/metadata/{'__'.join(ids[:MOST_DETAILED])}", headers=headers)
    known = {paper.doi: paper for paper in parse_metadata(reply)}
    return Edges(
        seed=_seed(key, known, query.seed),
        cited_by=_papers(ends.get("citations"), query.count, known),
        references=_papers(ends.get("references"), query.count, known),
        counts=EdgeCounts(**{name: len(ends[path]) for path, name, _ in DIRECTIONS if path in ends}),
        notes=(LOWER_BOUND,),
    )


def _citing_work(oci: str, headers: Mapping[str, str], ends: dict[str, list[str]]) -> Steps[str]:
    """The citing work of one citation, which is named by its OCI; the cited one becomes its only reference."""
    rows = _parse_list((yield Request.get(f"/index/v2/citation/oci:{oci}", headers=headers)))
    if not rows:
        raise NotFound(f"OpenCitations has no citation {oci}.")
    citing, cited = (_doi_among(as_text(rows[0][end])) for end in ("citing", "cited"))
    if not citing or not cited:
        raise NotFound(f"OpenCitations has no DOI of both works of the citation {oci}.")
    ends["references"] = [cited]
    return f"doi:{citing}"


def _seed(key: str, known: dict[str | None, Paper], asked: str) -> Paper:
    scheme, _, value = key.partition(":")
    for paper in known.values():
        if value == (paper.doi if scheme == "doi" else paper.ids.pmid):
            return paper
    raise NotFound(f"OpenCitations has no record of {asked[:100]!r}.")


def _work_key(seed: str) -> str:
    """A title is unknown here: that is no fault of the caller's, for others find by it."""
    if arxiv := find_arxiv_id(seed):
        return f"doi:10.48550/arxiv.{arxiv.partition('v')[0]}"
    if doi := normalise_doi(seed) or find_doi(seed):
        doi_path(doi)
        return f"doi:{doi}"
    if number := find_pmid(seed):
        return f"pmid:{number}"
    raise NotFound("OpenCitations knows works by DOI or PMID only, not by title.")


def parse_links(reply: Reply, end: str) -> list[str]:
    """The DOIs at one end of the citations, the newest citation first; a work without one is left out."""
    rows = sorted(_parse_list(reply), key=lambda row: as_text(row.get("creation")), reverse=True)
    dois = parse_rows(rows, lambda row: _doi_among(as_text(row[end])))
    return list(dict.fromkeys(doi for doi in dois if doi))


def parse_metadata(reply: Reply) -> list[Paper]:
    return parse_rows(_parse_list(reply), _parse_paper)


def _parse_list(reply: Reply) -> list[Any]:
    if reply.status >= 300:
        raise_keyless_refusal(reply, PROVIDER.title)
    rows = reply.json()
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UpstreamChanged("OpenCitations's answer is not a list of records.", detail=reply.summary)
    return rows


def _doi_among(ids: str) -> str:
    named = dict(NAMED_ID.findall(ids[:2000]))
    return normalise_doi(named.get("doi", "" if named else ids))


def _papers(dois: Sequence[str] | None, count: int, known: dict[str | None, Paper]) -> tuple[Paper, ...] | None:
    if dois is None:
        return None
    return tuple(
        known.get(doi) or Paper(title=doi_url(doi), url=doi_url(doi), source=PROVIDER.name, doi=doi)
        for doi in dois[:count]
    )


def _parse_paper(row: Any) -> Paper:
    """A record of Meta (ids in one text, names with ids in brackets) or of the older index (plain)."""
    ids = dict(NAMED_ID.findall(as_text(row.get("id"))[:2000]))
    doi = normalise_doi(as_text(row.get("doi")) or ids.get("doi", ""))
    title = as_text(row["title"])
    if not title or not doi:
        raise UpstreamChanged("OpenCitations's answer has a record without title or DOI.")
    date = iso_from_text(row.get("pub_date")) or iso_from_text(row.get("year"))
    names = (NAME_ID.sub("", name).strip() for name in as_text(row.get("author"))[:20_000].split(";"))
    return Paper(
        title=title,
        url=doi_url(doi),
        source=PROVIDER.name,
        doi=doi,
        **authors_of(name for name in names if name),
        journal=NAME_ID.sub("", as_text(row.get("source_title")) or as_text(row.get("venue"))) or None,
        year=as_year(date),
        date=date,
        citation_count=as_count(row.get("citation_count")),
        pdf_url=_pdf_link(row),
        ids=PaperIds(pmid=ids.get("pmid"), pmcid=ids.get("pmcid")),
        volume=number_or_text(row.get("volume")),
        issue=number_or_text(row.get("issue")),
        pages=number_or_text(row.get("page")),
    )


def _pdf_link(row: Any) -> str | None:
    link = as_web_address(row.get("oa_link")) or ""
    return link if ".pdf" in link.lower() or "printable" in link else None
