"""What the registries answer about the works of the gold set, each in its own shape."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from typing import Any

from tests.trust import gold as files
from tests.trust.gold import gold

Work = dict[str, Any]
OPENALEX_TYPES = {"journal-article": "article", "proceedings-article": "article", "posted-content": "preprint"}
BULK, BULK_PREPRINT, BULK_PMID = "10.98000/bulk.", "10.48550/arxiv.2301.", 90_000_000
WITH_METADATA = {"Crossref", "DataCite", "mEDRA", "JaLC", "ISTIC"}
FEED = (
    '<?xml version="1.0" encoding="UTF-8"?><feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" '
    'xmlns="http://www.w3.org/2005/Atom"><id>https://arxiv.org/</id><title>arXiv Search Results</title>'
    "<opensearch:itemsPerPage>1</opensearch:itemsPerPage><opensearch:totalResults>{}</opensearch:totalResults>"
    "<opensearch:startIndex>0</opensearch:startIndex>{}</feed>"
)


_crossref_files = cache(files.recorded_crossref)
_openalex_files = cache(files.recorded_openalex)
_pubmed_files = cache(files.recorded_pubmed)


@cache
def works() -> dict[str, Work]:
    return {work["doi"]: work for work in gold()["works"]}


def work_of(doi: str) -> Work | None:
    """A work of the gold set, or one of any number that are alike: `10.98000/bulk.17`, which is also the PMID
    90000017 and, as a preprint, `2301.00017`."""
    number = doi.removeprefix(BULK).removeprefix(BULK_PREPRINT)
    if number == doi or not number.isdecimal():
        return works().get(doi)
    return {
        "pmid": str(BULK_PMID + int(number)),
        "arxiv": f"2301.{int(number):05}",
        "volume": "3",
        "doi": doi,
        "title": f"Siltation of the harbour of Northhaven, part {number}",
        "authors": [["Mole", f"Ada {number}"]],
        "year": 1900 + int(number) % 120,
        "journal": "Journal of Quays",
        "agency": "Crossref",
        "type": "journal-article",
        "openalex": True,
    }


def crossref(doi: str) -> Work | None:
    """The message of a work; None where Crossref says that it has none."""
    recorded = _crossref_files().get(doi)
    work = work_of(doi)
    if recorded or work is None or work["agency"] != "Crossref":
        return recorded
    updates = [_update(item, doi) for item in work.get("against", ())]
    own = [update for update in updates if update["DOI"] == doi]
    others = [update for update in updates if update["DOI"] != doi]
    message = {
        "DOI": doi,
        "title": [work["title"]],
        "author": [_person(name) for name in work.get("authors", ())],
        "issued": {"date-parts": [[work["year"]]]},
        "container-title": [work["journal"]] if work.get("journal") else [],
        "type": work["type"],
        "publisher": work.get("publisher", "Example House"),
        "ISBN": [work["isbn"]] if work.get("isbn") else None,
        "volume": work.get("volume"),
        "page": work.get("pages"),
        "updated-by": others or None,
        "update-to": own or None,
    }
    return {name: value for name, value in message.items() if value is not None}


def _update(item: Work, doi: str) -> Work:
    parts = [int(part) for part in item["date"].split("-")]
    label = item["type"].replace("_", " ").title()
    target = item.get("notice", f"{doi}.notice")
    return {
        "DOI": target,
        "type": item["type"],
        "label": label,
        "source": item["source"],
        "updated": {"date-parts": [parts]},
    }


def _person(name: list[str]) -> Work:
    return {"family": name[0], "given": name[1]} if len(name) == 2 else {"name": name[0]}


def is_registered(doi: str) -> bool:
    return doi in works() or doi in _crossref_files()


def csl(doi: str) -> Work | None:
    work = works().get(doi)
    if work is None or work["agency"] not in WITH_METADATA:
        return None
    authors = [_person(name) for name in work.get("authors", ())]
    return {
        "type": "article-journal",
        "DOI": doi,
        "title": work["title"],
        "author": [{"literal": person["name"]} if "name" in person else person for person in authors],
        "issued": {"date-parts": [[work["year"]]]},
        "container-title": work.get("journal") or "",
        "publisher": work.get("publisher", ""),
        "volume": work.get("volume", ""),
        "page": work.get("pages", ""),
    }


def openalex(doi: str) -> Work | None:
    work = work_of(doi)
    return _openalex_files().get(doi) or (_openalex(work) if work and work.get("openalex") else None)


def _openalex(work: Work) -> Work:
    number = 2_000_000_000 + sum(work["doi"].encode()) * len(work["doi"])
    journal = {"display_name": work["journal"]} if work.get("journal") else None
    first, _, last = (work.get("pages") or "").partition("-")
    return {
        "id": f"https://openalex.org/W{number}",
        "doi": f"https://doi.org/{work['doi']}",
        "display_name": work["title"],
        "ids": {"pmid": f"https://pubmed.ncbi.nlm.nih.gov/{work['pmid']}"} if work.get("pmid") else {},
        "publication_year": work["year"],
        "publication_date": f"{work['year']}-01-01",
        "type": OPENALEX_TYPES.get(work["type"], work["type"]),
        "authorships": [
            {"author": {"display_name": " ".join(reversed(name))}, "raw_author_name": ", ".join(name)}
            for name in work.get("authors", ())
        ],
        "primary_location": {"source": journal, "landing_page_url": f"https://doi.org/{work['doi']}"},
        "best_oa_location": None,
        "open_access": {"is_oa": False, "oa_status": "closed", "oa_url": None},
        "biblio": {"volume": work.get("volume"), "issue": None, "first_page": first or None, "last_page": last or None},
        "is_retracted": bool(work.get("flag")),
        "cited_by_count": 7,
        "abstract_inverted_index": None,
    }


def search(text: str, count: int) -> list[str]:
    """DOIs of the works whose titles share most words with a text. Something is nearly always found, as in life."""
    asked = _words(text)
    shares = {doi: len(asked & _words(work["title"] or "")) for doi, work in works().items() if work.get("title")}
    ranked = sorted((doi for doi, share in shares.items() if share), key=lambda doi: -shares[doi])
    return ranked[:count]


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.casefold()) if len(word) > 2 or not word.isascii()}


def pubmed_numbers(term: str) -> list[str]:
    doi = term.strip('"').partition('"')[0]
    return [work["pmid"] for work in works().values() if work.get("pmid") and work["doi"] == doi]


def pubmed(numbers: str) -> bytes:
    if numbers in _pubmed_files():
        return _pubmed_files()[numbers]
    articles = "".join(_article(work) for number in numbers.split(",") if (work := _by_number("pmid", number)))
    return f'<?xml version="1.0" ?><PubmedArticleSet>{articles}</PubmedArticleSet>'.encode()


def _by_number(scheme: str, number: str) -> Work | None:
    bulk = int(number) - BULK_PMID if scheme == "pmid" and number.isdecimal() else -1
    bulk = int(number[5:]) if number.startswith("2301.") and scheme == "arxiv" else bulk
    if 0 < bulk < 10_000:
        return work_of(f"{BULK}{bulk}")
    return next((work for work in works().values() if work.get(scheme) == number), None)


def _article(work: Work) -> str:
    people = "".join(
        f"<Author><LastName>{escape(name[0])}</LastName><ForeName>{escape(name[-1])}</ForeName></Author>"
        for name in work["authors"]
    )
    hurt = [item for item in work.get("against", ()) if item["type"] == "retraction"]
    notes = "".join(
        f'<CommentsCorrections RefType="RetractionIn"><RefSource>{escape(work["journal"])}. {item["date"][:4]}. doi: '
        f"{escape(item['notice'])}</RefSource></CommentsCorrections>"
        for item in hurt
    )
    kinds = "<PublicationType>Journal Article</PublicationType>"
    kinds += "<PublicationType>Retracted Publication</PublicationType>" if hurt else ""
    return (
        f"<PubmedArticle><MedlineCitation><PMID>{work['pmid']}</PMID><Article><Journal><JournalIssue>"
        f"<Volume>{work['volume']}</Volume><PubDate><Year>{work['year']}</Year></PubDate></JournalIssue>"
        f"<Title>{escape(work['journal'])}</Title></Journal><ArticleTitle>{escape(work['title'])}.</ArticleTitle>"
        f"<AuthorList>{people}</AuthorList><PublicationTypeList>{kinds}</PublicationTypeList></Article>"
        f"<CommentsCorrectionsList>{notes}</CommentsCorrectionsList></MedlineCitation><PubmedData><ArticleIdList>"
        f'<ArticleId IdType="pubmed">{work["pmid"]}</ArticleId>'
        f'<ArticleId IdType="doi">{escape(work["doi"])}</ArticleId>'
        "</ArticleIdList></PubmedData></PubmedArticle>"
    )


def arxiv(numbers: str) -> str:
    """The feed for ids; an unknown one is not in it."""
    known = [(number, work) for number in numbers.split(",") if (work := _by_number("arxiv", number))]
    return FEED.format(len(known), "".join(_preprint(number, work) for number, work in known))


def _preprint(number: str, work: Work) -> str:
    people = "".join(f"<author><name>{escape(' '.join(reversed(name)))}</name></author>" for name in work["authors"])
    return (
        f"<entry><id>http://arxiv.org/abs/{number}v7</id><title>{escape(work['title'])}</title>"
        f"<published>{work['year']}-06-12T17:57:34Z</published><updated>{work['year']}-06-12T17:57:34Z</updated>"
        f"<summary>{escape(work.get('abstract', ''))}</summary>{people}"
        f'<link href="http://arxiv.org/abs/{number}v7" rel="alternate" type="text/html"/></entry>'
    )


def book(isbn: str) -> Work | None:
    work = next((work for work in works().values() if work.get("isbn") == isbn), None)
    if work is None:
        return None
    people = [{"name": " ".join(reversed(name))} for name in work["authors"]]
    return {"title": work["title"], "authors": people, "key": "/books/OL1M", "publish_date": str(work["year"])}


def _is_asked(row: Work, place: str, docket: str, name: str) -> bool:
    if place:
        return place in row["citations"]
    if docket:
        return docket in row.get("docket", "")
    return bool(_words(name) & _words(row["name"]))


def opinions(fields: dict[str, str]) -> list[Work]:
    """Rows for a place in a reporter, or for the name of a case."""
    place, name = fields.get("citation", ""), fields.get("case_name", "") or fields.get("q", "")
    rows = gold()["opinions"]
    docket = fields.get("docket_number", "")
    found = [row for row in rows if _is_asked(row, place, docket, name)]
    return [
        {
            "absolute_url": f"/opinion/{100 + rows.index(row)}/case/",
            "caseName": row["name"],
            "citation": row["citations"],
            "court": row["court"],
            "court_id": row["court_id"],
            "court_citation_string": row["abbreviation"],
            "dateFiled": row["filed"],
            "docketNumber": row.get("docket", ""),
            "cluster_id": 100 + rows.index(row),
            "opinions": [],
        }
        for row in found
    ]
