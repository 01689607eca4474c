"""Europe PMC: the biomedical literature with preprints, theses and free full texts.

API: europepmc.org/RestfulWebService · Key: none, about ten requests a second. Truth values are "Y" and "N".
`SRC:PPR` are preprints, bioRxiv's and medRxiv's among them, which have no search of their own. A retracted
article is marked by its publication type, the notice itself otherwise. Recorded 2026-03 and 2026-08.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from wellsourced.errors import BadInput, NotFound, UpstreamChanged
from wellsourced.http_exchange import Param, Request, Steps
from wellsourced.text.identifiers import doi_path, doi_url, normalise_doi
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import (
    as_count,
    as_object,
    as_text,
    as_web_address,
    as_year,
    iso_from_text,
    number_or_text,
    objects_in,
    texts_in,
)
from wellsourced.upstreams.helpers.paper_fields import (
    doi_or_none,
    lucene_query,
    object_or_refusal,
    paper_results,
    years_asked,
)
from wellsourced.upstreams.helpers.replies import list_under
from wellsourced.upstreams.helpers.xml_tree import parse_xml
from wellsourced.upstreams.types.paper import Author, Integrity, Paper, PaperId, PaperIds, PaperQuery
from wellsourced.upstreams.types.search import ResultSet

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

PROVIDER = Provider(
    name="europepmc",
    title="Europe PMC",
    bases={"": "https://www.ebi.ac.uk/europepmc/webservices/rest"},
    pace=Pace(5),
    timeout=15,
    preference=45,
    automatic=False,
    good_at=("paper", "preprint"),
    about="Biomedical literature with preprints (bioRxiv and medRxiv too) and free full texts.",
)

MOST_RESULTS = 100
RETRACTED, CONCERN = "retracted publication", "expression of concern"
NOTICES = frozenset({"retraction of publication", "retraction notice"})
TYPES = {"preprint": "preprint", "review": "review", "journal article": "journal-article"}


def papers(query: PaperQuery, access: Access) -> Steps[ResultSet[Paper]]:
    conditions = [f"({lucene_query(query.text)})"]
    if years := years_asked(query):
        conditions.append(f"PUB_YEAR:[{years[0]} TO {years[1]}]")
    if query.open_access or query.pdf_only or query.full_text:
        conditions.append("OPEN_ACCESS:y")
    params: dict[str, Param] = {
        "query": " AND ".join(conditions),
        "format": "json",
        "resultType": "core",
        "pageSize": max(1, min(query.count, MOST_RESULTS)),
        "sort": "P_PDATE_D desc" if query.sort_by == "date" else None,
    }
    rows, total = _parse_answer((yield Request.get("/search", params)))
    return paper_results(rows, _parse_paper, query, total, sent=("open_access", "full_text"), title=PROVIDER.title)


def record(work: PaperId, access: Access) -> Steps[Paper]:
    """The article of exactly this DOI or PMID."""
    if work.scheme == "doi":
        doi_path(work.value)
        condition = f'DOI:"{normalise_doi(work.value)}"'
    elif work.scheme == "pmid" and work.value.isascii() and work.value.isdigit():
        condition = f"EXT_ID:{work.value} AND SRC:MED"
    else:
        raise BadInput(f"Europe PMC knows articles by PMID or DOI; {str(work)[:60]} is neither.")
    params: dict[str, Param] = {"query": condition, "format": "json", "resultType": "core", "pageSize": 5}
    rows, _ = _parse_answer((yield Request.get("/search", params)))
    wanted = normalise_doi(work.value) if work.scheme == "doi" else work.value.lstrip("0")
    for paper in map(_parse_paper, rows):
        if wanted in {paper.doi, paper.ids.pmid}:
            return paper
    raise NotFound(f"Europe PMC has no article {work}.")


def _parse_answer(reply: Any) -> tuple[list[Any], Any]:
    is_xml = reply.status < 300 and reply.body.lstrip()[:1] == b"<"
    body = _as_json(parse_xml(reply.body)) if is_xml else object_or_refusal(reply, PROVIDER.title)
    if "hitCount" not in body and (said := as_text(body.get("errMsg"))):
        raise UpstreamChanged(f"Europe PMC did not understand the question: {said[:200]}")
    return list_under(as_object(body["resultList"]), "result", PROVIDER.title), body["hitCount"]


def _as_json(element: Element) -> Any:
    """The same answer as XML, in the form that it has as JSON: what stands in a `…List` is a list."""
    if not len(element):
        return {"result": []} if element.tag == "resultList" else element.text or ""
    fields: dict[str, Any] = {}
    for child in element:
        value = _as_json(child)
        if element.tag.endswith("List"):
            fields.setdefault(child.tag, []).append(value)
        else:
            fields.setdefault(child.tag, value)
    return fields


def _parse_paper(row: Any) -> Paper:
    title, number, source = as_text(row["title"]), as_text(row["id"]), as_text(row["source"])
    if not title or not number or not source:
        raise UpstreamChanged("Europe PMC's answer has an article without title or id.")
    doi = doi_or_none(row.get("doi"))
    issue = as_object(row.get("journalInfo"))
    names = tuple(_parse_authors(row))
    is_open = {"Y": True, "N": False}.get(as_text(row.get("isOpenAccess")))
    return Paper(
        title=title.removesuffix("."),
        url=doi_url(doi) if doi else f"https://europepmc.org/article/{source}/{number}",
        source=PROVIDER.name,
        doi=doi,
        authors=tuple(author.name for author in names) or tuple(_listed_names(as_text(row.get("authorString")))),
        author_names=names,
        journal=_journal(row, issue),
        year=as_year(row.get("pubYear")),
        date=_date(row),
        type="preprint" if source == "PPR" else next(iter(_types(row)), None),
        abstract=as_text(row.get("abstractText")) or None,
        citation_count=as_count(row.get("citedByCount")),
        open_access=is_open,
        pdf_url=_pdf_link(row),
        retraction=_parse_integrity(row),
        ids=PaperIds(pmid=_digits(row.get("pmid")), pmcid=as_text(row.get("pmcid")) or None),
        volume=number_or_text(issue.get("volume")) or number_or_text(row.get("journalVolume")),
        issue=number_or_text(issue.get("issue")) or number_or_text(row.get("issue")),
        pages=number_or_text(row.get("pageInfo")),
        journal_names=tuple(filter(None, [as_text(as_object(issue.get("journal")).get("isoabbreviation"))])),
    )


def _date(row: Mapping[str, Any]) -> str | None:
    """The first publication, online or in print, where it falls into the year that the article is counted to."""
    first, year = iso_from_text(row.get("firstPublicationDate")), as_year(row.get("pubYear"))
    return first if first and (year is None or abs(int(first[:4]) - year) <= 1) else str(year) if year else None


def _journal(row: Mapping[str, Any], issue: Mapping[str, Any]) -> str | None:
    """A preprint has a server, a book a publisher."""
    journal = as_text(as_object(issue.get("journal")).get("title")) or as_text(row.get("journalTitle"))
    book = as_object(row.get("bookOrReportDetails"))
    return journal or as_text(book.get("publisher")) or None


def _parse_authors(row: Mapping[str, Any]) -> Iterator[Author]:
    for person in objects_in(as_object(row.get("authorList")).get("author")):
        family = as_text(person.get("lastName"))
        given = as_text(person.get("firstName")) or as_text(person.get("initials"))
        whole = "" if family else as_text(person.get("collectiveName")) or as_text(person.get("fullName"))
        if family or whole:
            yield Author(family=family, given=given, literal=whole)


def _listed_names(text: str) -> list[str]:
    return [name.strip() for name in text.removesuffix(".").split(",") if name.strip()]


def _written_types(row: Mapping[str, Any]) -> list[str]:
    listed = as_object(row.get("pubTypeList")).get("pubType")
    return [text.casefold() for text in (texts_in(listed) or texts_in(row.get("pubType")))]


def _types(row: Mapping[str, Any]) -> Iterator[str]:
    written = _written_types(row)
    if NOTICES & set(written):
        yield "retraction-notice"
    yield from (name for words, name in TYPES.items() if any(words in text for text in written))


def _parse_integrity(row: Mapping[str, Any]) -> Integrity | None:
    """The article itself is marked "retracted publication"; the comments name who retracted it and where."""
    if RETRACTED in _written_types(row):
        return Integrity(kind="retraction", retracted=True, source=PROVIDER.name)
    comments = objects_in(as_object(row.get("commentCorrectionList")).get("commentCorrection"))
    if any(as_text(comment.get("type")).casefold() == f"{CONCERN} in" for comment in comments):
        return Integrity(kind="expression_of_concern", retracted=False, source=PROVIDER.name)
    return None


def _pdf_link(row: Mapping[str, Any]) -> str | None:
    listed = objects_in(as_object(row.get("fullTextUrlList")).get("fullTextUrl"))
    free = (
        link
        for link in listed
        if as_text(link.get("documentStyle")) == "pdf" and as_text(link.get("availabilityCode")) in {"OA", "F"}
    )
    return next((url for link in free if (url := as_web_address(link.get("url")))), None)


def _digits(value: Any) -> str | None:
    text = number_or_text(value) or ""
    return text if text.isascii() and text.isdigit() else None
