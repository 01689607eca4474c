"""PubMed: the biomedical literature, by NCBI's E-utilities.

API: www.ncbi.nlm.nih.gov/books/NBK25501. PUBMED_API_KEY is optional and raises 3 requests a second to 10. A search
brings numbers (JSON), a second request the records (XML, with abstracts). Errors come with HTTP 200 too. Phrases that
PubMed does not know are dropped and the rest is searched, which a note says. The body of a refusal repeats the
caller's key or address, so it is never quoted. A retracted article is marked by its publication type, by the notice it
is linked with, or both; the notice itself is marked otherwise and is no retracted work. Checked 2026-11-15.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wellsourced.errors import BadInput, KeyRejected, NotFound, RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.identifiers import doi_path, doi_url, find_doi, find_isbn, normalise_doi
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.database_query import without_unwanted
from wellsourced.upstreams.helpers.json_fields import (
    as_count,
    as_object,
    as_text,
    as_year,
    iso_from_citation,
    parse_rows,
    partial_iso,
)
from wellsourced.upstreams.helpers.xml_tree import parse_xml, text_at, text_of
from wellsourced.upstreams.types.paper import Author, Integrity, IntegrityKind, Paper, PaperId, PaperIds, PaperQuery
from wellsourced.upstreams.types.search import ResultSet

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

PROVIDER = Provider(
    name="pubmed",
    title="PubMed",
    bases={"": "https://eutils.ncbi.nlm.nih.gov"},
    uses=(
        Setting("PUBMED_API_KEY", "Key of NCBI's E-utilities; allows ten requests a second.", secret=True),
        Setting("PUBMED_EMAIL", "Contact address that NCBI asks programs to send; OPENALEX_EMAIL when it is unset."),
        Setting("OPENALEX_EMAIL", "Contact address sent to OpenAlex, and to Unpaywall when it has none of its own."),
    ),
    pace=Pace(3, 1.0),
    timeout=15,
    preference=40,
    about="Biomedical literature with abstracts and retraction marks.",
)

SEARCH, FETCH = "/entrez/eutils/esearch.fcgi", "/entrez/eutils/efetch.fcgi"
FULL_TEXT, FREE = '"pubmed pmc"[sb]', '"free full text"[sb]'
MOST_RESULTS = 100
FIRST_YEAR, LAST_YEAR = 1500, 3000  # the other end of a range of which one was given
NOTHING_FOUND = "No items found."
YEAR = re.compile(r"(?<![0-9])[12][0-9]{3}(?![0-9])")
AGAINST: dict[str, IntegrityKind] = {
    "RetractionIn": "retraction",
    "PartialRetractionIn": "retraction",
    "RetractedandRepublishedIn": "retraction",
    "ExpressionOfConcernIn": "expression_of_concern",
    "ErratumIn": "correction",
    "CorrectedandRepublishedIn": "correction",
}
# What a notice says of itself: the works it is about.
NOTICES_OF = frozenset({"RetractionOf", "PartialRetractionOf", "ExpressionOfConcernFor", "ErratumFor"})
SEVERITY: tuple[IntegrityKind, ...] = ("retraction", "expression_of_concern", "correction")
TYPES = {
    "Retraction of Publication": "retraction-notice",
    "Retraction Notice": "retraction-notice",
    "Published Erratum": "erratum",
    "Preprint": "preprint",
    "Systematic Review": "review",
    "Review": "review",
    "Journal Article": "journal-article",
}


def papers(query: PaperQuery, access: Access) -> Steps[ResultSet[Paper]]:
    reply = yield Request.get(SEARCH, _search_params(query, access))
    result = _parse_search_result(reply)
    numbers, notes = _result_numbers(result), tuple(_notes(result))
    not_applied = {"source"} if query.source not in {"all", "pubmed"} else set()
    not_applied |= {"pdf_only"} if query.pdf_only else set()
    not_applied |= {
        name for name, filter in (("full_text", FULL_TEXT), ("open_access", FREE)) if _is_dropped(filter, result)
    }
    if not numbers:
        return ResultSet((), frozenset(not_applied), False, notes)
    articles = yield from _fetch_papers(numbers, access)
    if not articles:
        raise UpstreamChanged("PubMed found articles and has no records of them.")
    more = (as_count(result["count"]) or 0) > len(numbers)
    return ResultSet(tuple(articles[: query.count]), frozenset(not_applied), more, notes)


def record(work: PaperId, access: Access) -> Steps[Paper]:
    """The article of exactly this PMID or DOI."""
    if work.scheme == "arxiv":
        raise BadInput(f"PubMed knows articles by PMID or DOI; {work} is neither.")
    numbers = [work.value]
    if work.scheme == "doi":
        doi_path(work.value)
        params: dict[str, Param] = {"term": f'"{normalise_doi(work.value)}"[doi]', "retmode": "json", "retmax": 3}
        reply = yield Request.get(SEARCH, {"db": "pubmed", **params, **_identity_params(access)})
        numbers = _result_numbers(_parse_search_result(reply))
    elif not (work.value.isascii() and work.value.isdigit()):
        raise BadInput(f"{work.value[:40]!r} is not a PMID; one is a plain number such as 35649368.")
    articles = (yield from _fetch_papers(numbers, access)) if numbers else []
    for paper in articles:
        if (paper.doi if work.scheme == "doi" else paper.ids.pmid) == _normal_id(work):
            return paper
    raise NotFound(f"PubMed has no article {work}.")


def records(ids: Sequence[str], access: Access) -> Steps[tuple[Paper, ...]]:
    """The articles of these PMIDs, as far as PubMed has them."""
    numbers = [number for number in ids if number.isascii() and number.isdigit()]
    return tuple((yield from _fetch_papers(numbers, access)) if numbers else ())


def _normal_id(work: PaperId) -> str:
    return normalise_doi(work.value) if work.scheme == "doi" else work.value.lstrip("0")


def _identity_params(access: Access) -> dict[str, Param]:
    return {
        "tool": "wellsourced",
        "email": access["PUBMED_EMAIL"] or access["OPENALEX_EMAIL"] or None,
        "api_key": access["PUBMED_API_KEY"] or None,
    }


def _search_params(query: PaperQuery, access: Access) -> dict[str, Param]:
    text, unwanted = without_unwanted(query.text)
    if not text.strip():
        raise BadInput("The query holds nothing to search for; it needs at least one word.")
    limits = [FULL_TEXT] if query.full_text else []
    limits += [FREE] if query.open_access or query.pdf_only else []
    dated = bool(query.year_from or query.year_to)
    return {
        "db": "pubmed",
        "term": _write_term(text, limits, unwanted),
        "retmode": "json",
        "retmax": max(1, min(query.count, MOST_RESULTS)),
        "sort": "pub_date" if query.sort_by == "date" else "relevance",
        "datetype": "pdat" if dated else None,
        "mindate": (query.year_from or FIRST_YEAR) if dated else None,
        "maxdate": (query.year_to or LAST_YEAR) if dated else None,
        **_identity_params(access),
    }


def _write_term(text: str, limits: Sequence[str], unwanted: Sequence[str]) -> str:
    whole = f"({text.strip()})" if limits or unwanted else text
    return " AND ".join([whole, *limits]) + "".join(f' NOT "{term}"' for term in unwanted)


def _check_reply(reply: Reply) -> None:
    """Raise what a refusal means, without quoting it."""
    error = as_text(as_object(reply.json()).get("error")) if reply.body.lstrip().startswith(b"{") else ""
    if reply.status == 429 or "rate limit" in error.lower():
        raise RateLimited("PubMed: too many requests in a second.", retry_after=reply.retry_after or 1.0)
    if "api key" in error.lower():
        raise KeyRejected(f"PubMed does not accept the key: {error[:100]}")
    if error:
        raise UpstreamUnavailable(f"PubMed refused the request: {error[:200]}", retry_after=reply.retry_after)
    if reply.status in {404, 410}:
        raise UpstreamChanged("PubMed's service is not where it used to be.")
    reply.expect_ok()


def _parse_search_result(reply: Reply) -> Mapping[str, Any]:
    _check_reply(reply)
    result = reply.json()["esearchresult"]
    if problem := as_text(result.get("ERROR")):
        raise UpstreamUnavailable(f"PubMed refused the search: {problem[:200]}")
    return as_object(result)


def _result_numbers(result: Mapping[str, Any]) -> list[str]:
    count, numbers = result["count"], result["idlist"]
    if not isinstance(numbers, list) or not all(isinstance(number, str) and number.isdecimal() for number in numbers):
        raise UpstreamChanged("PubMed's answer has no list of numbers.")
    if not numbers and as_count(count) != 0:
        raise UpstreamChanged("PubMed's answer announces articles and holds none.")
    return numbers


def _dropped_terms(result: Mapping[str, Any]) -> Iterator[str]:
    errors, warnings = as_object(result.get("errorlist")), as_object(result.get("warninglist"))
    for value in (errors.get("phrasesnotfound"), errors.get("fieldsnotfound"), warnings.get("quotedphrasesnotfound")):
        yield from (text for item in (value if isinstance(value, list) else ()) if (text := as_text(item)))


def _is_dropped(filter: str, result: Mapping[str, Any]) -> bool:
    name = filter.partition("[")[0].strip('"')
    return any(name in phrase.lower() for phrase in _dropped_terms(result))


def _notes(result: Mapping[str, Any]) -> Iterator[str]:
    dropped = ", ".join(f"“{phrase[:100]}”" for phrase in list(_dropped_terms(result))[:10])
    if dropped:
        yield f"PubMed does not know {dropped} and searched for the rest alone."
    messages = as_object(result.get("warninglist")).get("outputmessages")
    for message in (messages if isinstance(messages, list) else [])[:5]:
        if (text := as_text(message)) and text != NOTHING_FOUND:
            yield f"PubMed says: {text[:200]}"


def _fetch_papers(numbers: list[str], access: Access) -> Steps[list[Paper]]:
    """Records in the order of the numbers."""
    params = {"db": "pubmed", "id": ",".join(numbers), "retmode": "xml"}
    reply = yield Request.get(FETCH, {**params, **_identity_params(access)})
    _check_reply(reply)
    root = parse_xml(reply.body)
    if problem := text_at(root, ".//ERROR"):
        raise UpstreamUnavailable(f"PubMed refused the request: {problem[:200]}")
    articles = parse_rows(_iterate_records(root), _parse_paper)
    places = {number: place for place, number in enumerate(numbers)}
    return sorted(articles, key=lambda paper: places.get(paper.ids.pmid or "", len(places)))


def _iterate_records(root: Element) -> list[Element]:
    if root.tag in {"PubmedArticle", "PubmedBookArticle"}:
        return [root]
    if root.tag not in {"PubmedArticleSet", "PubmedBookArticleSet"}:
        raise UpstreamChanged(f"PubMed's answer is a {root.tag[:40]}, not a set of articles.")
    return [record for record in root if record.tag in {"PubmedArticle", "PubmedBookArticle"}]


def _parse_paper(record: Element) -> Paper:
    core = record.find("MedlineCitation") if record.tag == "PubmedArticle" else record.find("BookDocument")
    number = text_at(core, "PMID")
    if core is None or not number:
        raise UpstreamChanged("PubMed's answer has a record without its number.")
    article = core.find("Article") if record.tag == "PubmedArticle" else core
    book, journal = core.find("Book"), core.find("Article/Journal")
    ids = _parse_ids(record)
    doi = normalise_doi(ids.get("doi", "") or text_at(article, "ELocationID[@EIdType='doi']"))
    names, date = tuple(_parse_authors(article, book)), _parse_date(journal, book)
    return Paper(
        title=_parse_title(article, book) or f"PMID {number}",
        url=doi_url(doi) if doi else f"https://pubmed.ncbi.nlm.nih.gov/{number}/",
        source=PROVIDER.name,
        doi=doi or None,
        authors=tuple(author.name for author in names),
        author_names=names,
        journal=text_at(journal, "Title") or text_at(book, "CollectionTitle") or None,
        year=as_year(date),
        date=date,
        type="book" if book is not None else _publication_type(core),
        abstract=_parse_abstract(article),
        open_access=True if ids.get("pmc") else None,
        retraction=_parse_integrity(core),
        ids=PaperIds(pmid=number, pmcid=ids.get("pmc") or None),
        volume=text_at(journal, "JournalIssue/Volume") or None,
        issue=text_at(journal, "JournalIssue/Issue") or None,
        pages=text_at(article, "Pagination/MedlinePgn") or None,
        publisher=text_at(book, "Publisher/PublisherName") or None,
        isbn=find_isbn(text_at(book, "Isbn")),
        other_titles=tuple(filter(None, (text_at(article, "VernacularTitle"),))),
        journal_names=tuple(
            filter(None, (text_at(journal, "ISOAbbreviation"), text_at(core, "MedlineJournalInfo/MedlineTA")))
        ),
        years=tuple(_parse_years(article, date)),
        notice_for=tuple(_notice_targets(core)),
    )


def _parse_ids(record: Element) -> dict[str, str]:
    """The article's own ids; those of the works it cites stand deeper, in lists of the same name."""
    lists = (record.find(f"{part}/ArticleIdList") for part in ("BookDocument", "PubmedBookData", "PubmedData"))
    return {mark.get("IdType", ""): text_of(mark) for own in lists if own is not None for mark in own}


def _parse_title(article: Element | None, book: Element | None) -> str:
    """Without the full stop that PubMed adds, and the brackets around a translated title."""
    title = text_at(article, "ArticleTitle") or text_at(article, "VernacularTitle") or text_at(book, "BookTitle")
    bare = title.removesuffix(".") if not title.endswith("..") else title
    is_translated = bare.startswith("[") and bare.find("]") == len(bare) - 1
    return bare[1:-1].removesuffix(".") if is_translated else bare


def _parse_authors(article: Element | None, book: Element | None) -> Iterator[Author]:
    lists = [part.find("AuthorList") for part in (article, book) if part is not None]
    for person in next((people for people in lists if people is not None), ()):
        author = Author(
            family=text_at(person, "LastName"),
            given=text_at(person, "ForeName") or text_at(person, "Initials"),
            literal=text_at(person, "CollectiveName"),
        )
        if author.name:
            yield author


def _parse_date(journal: Element | None, book: Element | None) -> str | None:
    place = journal.find("JournalIssue/PubDate") if journal is not None else None
    place = book.find("PubDate") if place is None and book is not None else place
    written = partial_iso(text_at(place, "Year"), text_at(place, "Month"), text_at(place, "Day"))
    season = text_at(place, "MedlineDate")
    named = YEAR.search(season)
    return written or iso_from_citation(season) or partial_iso(named[0] if named else None)


def _parse_years(article: Element | None, date: str | None) -> Iterator[int]:
    """In print and online."""
    online = article.findall("ArticleDate") if article is not None else []
    written = [as_year(date), *(as_year(text_at(place, "Year")) for place in online)]
    yield from dict.fromkeys(year for year in written if year)


def _publication_type(core: Element) -> str | None:
    listed = {text_of(kind) for kind in core.iter("PublicationType")}
    return next((ours for theirs, ours in TYPES.items() if theirs in listed), None)


def _parse_abstract(article: Element | None) -> str | None:
    """Structured abstracts come in labelled parts."""
    parts = []
    for part in article.iterfind("Abstract/AbstractText") if article is not None else ():
        label, text = part.get("Label", ""), text_of(part)
        parts.append(f"{label}: {text}" if label and label != "UNLABELLED" else text)
    return " ".join(part for part in parts if part) or None


def _parse_integrity(core: Element) -> Integrity | None:
    notices = [_parse_notice(link) for link in core.iterfind("CommentsCorrectionsList/CommentsCorrections")]
    gravest = min((item for item in notices if item), key=lambda item: SEVERITY.index(item.kind), default=None)
    is_marked = any(text_of(kind) == "Retracted Publication" for kind in core.iter("PublicationType"))
    if is_marked and (gravest is None or not gravest.retracted):
        return Integrity(kind="retraction", retracted=True, source=PROVIDER.name)
    return gravest


def _notice_targets(core: Element) -> Iterator[str]:
    for link in core.iterfind("CommentsCorrectionsList/CommentsCorrections"):
        target = find_doi(text_at(link, "RefSource")) or text_at(link, "PMID")
        if link.get("RefType") in NOTICES_OF and target:
            yield target


def _parse_notice(link: Element) -> Integrity | None:
    kind = AGAINST.get(link.get("RefType", ""))
    if kind is None:
        return None
    where = text_at(link, "RefSource")
    return Integrity(
        kind=kind,
        retracted=kind == "retraction",
        source=PROVIDER.name,
        date=iso_from_citation(where),
        notice_doi=find_doi(where),
    )
