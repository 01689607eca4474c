"""Who reads which recording: an upstream's conversation, a site's page, or a document format, by the file's name.

`before` are the bodies of the replies that come first; every further request gets the reply under test once more.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from fnmatch import fnmatch
from itertools import chain, islice, repeat
from typing import Any

from wellsourced.http_exchange import Reply
from wellsourced.pages.read_reply import read_reply
from wellsourced.pages.sites import site_for
from wellsourced.sandbox.pool import WorkerPool
from wellsourced.sandbox.reading import parse_document
from wellsourced.text.robots import parse_robots
from wellsourced.upstream import Access, Kind
from wellsourced.upstreams import all_upstreams
from wellsourced.upstreams.helpers.epo_records import (
    parse_claims,
    parse_description,
    parse_events,
    parse_family,
    parse_standard_number,
)
from wellsourced.upstreams.helpers.sparql import parse_bindings
from wellsourced.upstreams.helpers.xml_tree import parse_xml
from wellsourced.upstreams.types.answers import AnswerQuery, StructuredQuery
from wellsourced.upstreams.types.archive import CaptureQuery, CaptureStatusQuery, SnapshotQuery
from wellsourced.upstreams.types.paper import EdgeQuery, PaperId, PaperQuery
from wellsourced.upstreams.types.patent import PatentQuery
from wellsourced.upstreams.types.records import CaseQuery, FilingQuery, PlaceQuery, SeriesQuery, TrialQuery
from wellsourced.upstreams.types.search import ImageQuery, NewsQuery, WebQuery

KEYS = (
    "DATA_GOV_API_KEY", "EPO_OPS_CONSUMER_KEY", "EPO_OPS_CONSUMER_SECRET", "IA_ACCESS_KEY", "IA_SECRET_KEY",
    "COURTLISTENER_API_TOKEN", "LENS_API_TOKEN", "FRED_API_KEY",
)  # fmt: skip
VALUES = dict.fromkeys(KEYS, "k") | {"EDGAR_CONTACT_EMAIL": "a@example.org", "OPENALEX_EMAIL": "a@example.org"}
ACCESS = Access(VALUES, datetime(2026, 11, 15, 12, tzinfo=UTC))
DOI, FLOW = "10.1108/jd-12-2013-0166", "OECD.SDD.STES,DSD_KEI@DF_KEI,4.0"
DAYS = {"date_from": date(2026, 9, 1), "date_to": date(2026, 9, 7)}
PAGES = WebQuery(text="all pages", count=50, sites=("commoncrawl.org", "sitemaps.org", "example.com"))
QUERIES: dict[str, Any] = {
    "web": WebQuery(text="x", count=50), "news": NewsQuery(text="x ray", count=50),
    "images": ImageQuery(text="x", count=50), "papers": PaperQuery(text="x", count=50),
    "patents": PatentQuery(text="battery", count=50), "cases": CaseQuery(text="data", count=50),
    "filings": FilingQuery(text="7", count=50), "trials": TrialQuery(text="x", count=50, details=True),
    "places": PlaceQuery(text="dom", count=50), "series": SeriesQuery(text="gross domestic", count=50),
    "answers": AnswerQuery(text="x"), "structured": StructuredQuery(text="x", count=50),
}  # fmt: skip
NEARBY = PlaceQuery(text="cafe", count=50, latitude=50.81, longitude=4.35)


@dataclass(frozen=True)
class Reader:
    """A conversation to begin, or a function that is handed the reply; `after` answers what is asked afterwards."""

    begin: Callable[[], Any] | None = None
    before: tuple[bytes, ...] = ()
    parse: Callable[[Reply], Any] | None = None
    after: tuple[bytes, ...] = ()
    prepare: Callable[[bytes], bytes] = bytes


def ask(provider: str, kind: str, query: Any = None, *before: bytes, after: tuple[bytes, ...] = ()) -> Reader:
    conversation = all_upstreams()[provider].conversation(Kind(kind))
    return Reader(lambda: conversation(QUERIES[kind] if query is None else query, ACCESS), before, after=after)


def page(url: str, *before: bytes, after: tuple[bytes, ...] = ()) -> Reader:
    site = site_for(url)
    assert site, url
    return Reader(lambda: site.read(url, ACCESS), before, after=after)


def document(kind: str) -> Reader:
    return Reader(parse=lambda reply: parse_document(kind, reply.body, 5_000_000))


def record(provider: str, scheme: Any, value: str, *before: bytes) -> Reader:
    return ask(provider, "record", PaperId(scheme, value), *before)


def series(provider: str, series_id: str) -> Reader:
    return ask(provider, "series", SeriesQuery(series_id=series_id, count=10_000))


def edges(provider: str, direction: Any, *before: bytes, seed: str = DOI, after: tuple[bytes, ...] = ()) -> Reader:
    return ask(provider, "citations", EdgeQuery(seed=seed, direction=direction, count=50), *before, after=after)


def xml(parse: Callable[[Any], Any]) -> Reader:
    return Reader(parse=lambda reply: parse(parse_xml(reply.body)))


TOKEN, NOTHING = b'{"access_token": "t", "expires_in": "1199"}', b"[]"
CAPTURE = b'{"url": "https://example.com/", "status": "200", "timestamp": "20250807000000", "mime": "text/html"}'
CRAWLS = b'[{"id": "CC-MAIN-2026-42"}]'
LISTED = b'{"results": [{"number_lccn": ["2010045158"]}], "pagination": {"of": 1}}'
LABEL = b'{"results": [{"set_id": "01234567-89ab", "openfda": {"brand_name": ["X"]}}]}'
REACTIONS = b'{"results": [{"term": "A", "count": 1}]}'
BILL = b'{"bill": {"type": "HR", "number": "3076", "congress": 117, "title": "Postal Service Reform Act"}}'
PLACE_FOUND = b'{"type": "search", "locations": {"results": [{"id": "one", "title": "One"}]}}'
PLACE = b'{"type": "local_pois", "results": [{"id": "one", "title": "One"}]}'
EMPTY_SEARCH = (
    b'<ops:world-patent-data xmlns:ops="http://ops.epo.org">'
    b'<ops:biblio-search total-result-count="0"><ops:search-result/></ops:biblio-search></ops:world-patent-data>'
)
SERIES = b'{"seriess": [{"id": "GDP", "title": "GDP", "units": "Billions of Dollars"}]}'
ARTICLES = (
    b"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>T</ArticleTitle>"
    b"</Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"
)
FILER = json.dumps(
    {
        "name": "X",
        "filings": {
            "recent": {
                name: []
                for name in (
                    "accessionNumber",
                    "form",
                    "filingDate",
                    "reportDate",
                    "primaryDocument",
                    "primaryDocDescription",
                )
            }
        },
    }
).encode()
COPPER = "Effect of native oxide layers on copper thin-film tensile properties: A reactive molecular dynamics study"
TICKERS = b'{"0": {"cik_str": 7, "ticker": "QRRY", "title": "Quarry Pumps"}}'
SEED = b'{"paperId": "p1", "title": "T", "citationCount": 1}'
URLS = (
    b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://www.sitemaps.org/x</loc></url>'
    b"</urlset>"
)
CLUSTER = {
    "absolute_url": "/opinion/10376225/noem/", "date_filed": "2025-04-10", "case_name": "Noem v. Abrego Garcia",
    "sub_opinions": ["https://www.courtlistener.com/api/rest/v4/opinions/10842813/"],
}  # fmt: skip
OPINION = b'{"type": "010combined", "plain_text": "The application is denied."}'
WORK = b'[{"id": "doi:10.1108/jd-12-2013-0166", "title": "Free references", "author": "Shotton, D."}]'
ITEM = b'{"entities": {"Q1": {"id": "Q1", "labels": {"en": {"value": "universe"}}, "claims": {}}}}'
ONE_PMC = b'{"resultList": {"result": [{"title": "T", "pmcid": "PMC3040717", "isOpenAccess": "Y"}]}}'
NOT_SHOWN = b'{"error": {"code": "internal_api_error", "info": "not now"}}'
APPLICATION = (
    b'{"count": 1, "patentFileWrapperDataBag": [{"applicationNumberText": "17248024", "applicationMetaData": '
    b'{"inventionTitle": "Seawater battery cells", "patentNumber": "11646472"}}]}'
)
BUSY = b"busy"  # a body that no service of places sends
SEC, NOEM = (
    "https://www.sec.gov/Archives/edgar/data/7/000000000726000001/quay.htm",
    "https://www.courtlistener.com/opinion/10376225/noem/",
)


def filled(body: bytes) -> bytes:
    """An example of the documentation, with what it leaves out as `...` put in."""
    text = body.decode()
    text = re.sub(r"\[\.\.\.[^\n\]]*\]", lambda _: f"[{json.dumps(CLUSTER)}]", text)
    text = re.sub(r"\.\.\.\{\{[^\n]*", "", text)
    text = re.sub(r"\.\.\.(?=\s*\Z)", '{"absolute_url": "/opinion/1/x/", "caseName": "X"}]}', text)
    text = re.sub(r"(?m)^ *\.\.\.$", '"absolute_url": "/opinion/1/x/",', text)
    return re.sub(r",(\s*[}\]])", r"\1", text).encode()


def unwrapped(body: bytes) -> bytes:
    """The answer that its recorder wrapped, digit for digit."""
    text = body.decode()
    return text[text.index('"ok":') + 5 : text.index('"overflow"')].rstrip().rstrip(",").encode()


# The first pattern that fits names the reader.
READERS: dict[str, Reader] = {
    "more/biorxiv/*": record("biorxiv", "doi", "10.1101/029900"),
    "more/commoncrawl/collinfo*": ask("commoncrawl", "web", PAGES, after=(CAPTURE,) * 8),
    "more/commoncrawl/*": ask("commoncrawl", "web", PAGES, CRAWLS),
    "more/congressgov/v3-bill-117*": ask("congress", "cases", CaseQuery(text="H.R. 3076 117th")),
    "more/congressgov/v3-bill-actions*": ask("congress", "cases", CaseQuery(text="H.R. 3076 117th"), BILL),
    "more/congressgov/v3-bill-text*": ask("congress", "cases", CaseQuery(text="H.R. 3076 117th"), BILL, b"{}"),
    "more/congressgov/v3-bill*": ask("congress", "cases", CaseQuery(text="117th Congress", count=50)),
    "more/congressgov/v3-comm*": ask("congress", "cases", CaseQuery(text="committee senate slpo00")),
    "more/congressgov/v3-crs*": ask("congress", "cases", CaseQuery(text="CRS report 93-792")),
    "more/core/*": ask("core", "papers"),
    "more/courtlistener/citation-lookup*": replace(ask("courtlistener", "cases_at", "1 U.S. 1"), prepare=filled),
    "more/courtlistener/search*": replace(ask("courtlistener", "cases"), prepare=filled),
    "more/courtlistener/clusters-list*": ask("courtlistener", "cases"),
    "more/courtlistener/cluster*": page(NOEM, after=(OPINION,)),
    "more/courtlistener/opinion*": page(NOEM, json.dumps(CLUSTER).encode()),
    "more/datacite/doi-*": record("datacite", "doi", "10.5061/dryad.8515"),
    "more/datacite/ra-*": ask("doi_org", "registration", "10.5061/dryad.8515", b'{"responseCode": 1}'),
    "more/dbnomics/*": replace(series("dbnomics", "IMF/WEO:latest"), prepare=unwrapped),
    "more/doaj/v2-article*": page("https://doaj.org/article/0005e11ec616453f854070069385e057"),
    "more/doaj/*journal*": page("https://doaj.org/toc/1545-7885"),
    "more/doaj/*": ask("doaj", "papers"),
    "more/ecb/*EXR*": series("ecb", "EXR/M.USD.EUR.SP00.A"),
    "more/ecb/*USD*": series("ecb", "EXR/M.USD.EUR.SP00.A"),
    "more/ecb/*FM*": series("ecb", "FM/D.U2.EUR.4F.KR"),
    "more/ecb/*": series("ecb", "EXR/D.NZD+RUB.EUR.SP00.A"),
    "more/ecfr/*.xml": document("legal_xml"),
    "more/ecfr/*": ask("ecfr", "cases"),
    "more/epo-ops/claims*": xml(parse_claims),
    "more/epo-ops/family*": xml(parse_family),
    "more/epo-ops/legal*": xml(parse_events),
    "more/epo-ops/number*": xml(parse_standard_number),
    "more/epo-ops/description*": xml(parse_description),
    "more/epo-ops/*": ask("epo", "patents", None, TOKEN),
    "more/eurlex/*.json": ask("eurlex", "cases"),
    "more/eurlex/*": Reader(parse=lambda reply: as_site_reply(reply)),
    "more/europepmc/search-by-pmid*": record("europepmc", "pmid", "20516115"),
    "more/europepmc/supp*": page("https://pmc.ncbi.nlm.nih.gov/articles/PMC3040717/", ONE_PMC),
    "more/europepmc/*": ask("europepmc", "papers"),
    "more/federalregister/document.json": page(
        "https://www.federalregister.gov/documents/2026/07/07/2026-13726/revisions"
    ),
    "more/federalregister/*": ask("federal_register", "cases"),
    "more/gdelt/*": ask("gdelt", "news", NewsQuery(text="x ray", count=50, **DAYS)),  # type: ignore[arg-type]
    "more/github-search/*": ask("github_search", "web"),
    "more/googlebooks/*": ask("google_books", "papers"),
    "more/hal/*": ask("hal", "papers"),
    "more/imf/*": series("imf", "IMF,PCPS/M.W00.PZINC.USD"),
    "more/loc/*": record("loc", "isbn", "9780123751065", LISTED),
    "more/marginalia/*": ask("marginalia", "web"),
    "more/mediawiki/imageinfo*": ask("commons", "images"),
    "more/mediawiki/geosearch*": ask("wikipedia", "places", NEARBY),
    "more/mediawiki/page*": page("https://en.wikipedia.org/wiki/Python", NOT_SHOWN, b"{}"),
    "more/mediawiki/*": ask("wikipedia", "web"),
    "more/mojeek/*": ask("mojeek", "web"),
    "more/nominatim/*": ask("openstreetmap", "places"),
    "more/openaire/*": ask("openaire", "papers"),
    "more/opencitations/*by-oci*": edges("opencitations", "both", seed="oci:06180334099-06101759895", after=(WORK,)),
    "more/opencitations/*metadata*": edges("opencitations", "references", NOTHING),
    "more/opencitations/meta-sparql*": Reader(parse=lambda reply: parse_bindings(reply, "OpenCitations")),
    "more/opencitations/*citations-of*": Reader(parse=lambda reply: _links(reply, "citing")),
    "more/opencitations/*references-of*": Reader(parse=lambda reply: _links(reply, "cited")),
    "more/openfda/drug-event*": ask("openfda", "trials", None, LABEL),
    "more/openfda/drugsfda*": ask("openfda", "trials", None, LABEL, REACTIONS),
    "more/openfda/*": ask("openfda", "trials"),
    "more/openlibrary/api-books*": record("open_library", "isbn", "9782070427796"),
    "more/openlibrary/edition*": page("https://openlibrary.org/books/OL22951843M/Sabriel"),
    "more/openlibrary/work*": page("https://openlibrary.org/works/OL15832982W"),
    "more/openlibrary/*": ask("open_library", "papers"),
    "more/overpass/*": ask("openstreetmap", "places", NEARBY, after=(NOTHING,)),
    "more/photon/*": ask("openstreetmap", "places", None, BUSY),
    "more/regulationsgov/*": ask("regulations", "cases"),
    "more/robots/*": Reader(parse=lambda reply: parse_robots(reply.text, "wellsourced")),
    "more/sec-filings/*40*": page(SEC),
    "more/sec-filings/rate*": page(SEC),
    "more/sec-filings/*": document("filing"),
    "more/sitemaps/sitemapindex*": ask("sitemap", "web", PAGES, b"", after=(URLS,) * 8),
    "more/sitemaps/*": ask("sitemap", "web", PAGES, b""),
    "more/stackexchange/*": ask("stackexchange", "web"),
    "more/uk-caselaw/atom*": ask("find_case_law", "cases"),
    "more/uk-caselaw/*": document("legal_xml"),
    "more/uk-legislation/*": document("legal_xml"),
    "more/wikidata/entity-P*": page("https://www.wikidata.org/wiki/Property:P434"),
    "more/wikidata/entity-Q*": page("https://www.wikidata.org/wiki/Q1299"),
    "more/wikidata/wbget*": ask("wikidata", "web", None, b'{"search": [{"id": "Q3235026"}]}'),
    "more/wikidata/sparql*": Reader(parse=lambda reply: parse_bindings(reply, "Wikidata")),
    "more/wikidata/list*": ask("wikidata", "web", None, b'{"search": []}', after=(ITEM,)),
    "more/wikidata/wbsearch*": ask("wikidata", "web", after=(ITEM,)),
    "more/zenodo/record-*": record("zenodo", "doi", "10.5281/zenodo.5244404"),
    "more/zenodo/community*": page("https://zenodo.org/communities/lexibank", after=(b"",)),
    "more/zenodo/*": ask("zenodo", "papers"),
    "arxiv/*id-*": ask("arxiv", "records", ("1605.08386",)),
    "arxiv/*": ask("arxiv", "papers"),
    "brave/images*": ask("brave", "images"),
    "brave/news*": ask("brave", "news"),
    "brave/web_loc*": ask("brave-local", "places", None, after=(b'{"results": []}',) * 2),
    "brave/local_pois*": ask("brave-local", "places", None, PLACE_FOUND, after=(b'{"results": []}',)),
    "brave/local_desc*": ask("brave-local", "places", None, PLACE_FOUND, PLACE),
    "brave/*": ask("brave", "web"),
    "brave-local/place*": ask("brave-local", "places", None, after=(b'{"results": []}',) * 2),
    "brave-local/pois*": ask("brave-local", "places", None, PLACE_FOUND, after=(b'{"results": []}',)),
    "brave-local/desc*": ask("brave-local", "places", None, PLACE_FOUND, PLACE),
    "clinicaltrials/get*": page("https://clinicaltrials.gov/study/NCT02576665"),
    "clinicaltrials/*": ask("clinicaltrials", "trials"),
    "courtlistener/*": ask("courtlistener", "cases"),
    "crossref/agency*": ask("doi_org", "registration", "10.5061/dryad.8515", b'{"responseCode": 1}'),
    "crossref/doi-org*": ask("doi_org", "registration", "10.5061/nothing"),
    "crossref/datacite*": record("doi_org", "doi", "10.5061/nothing"),
    "crossref/transform-csl*": record("doi_org", "doi", "10.1126/science.169.3946.635"),
    "crossref/transform*": record("doi_org", "doi", "10.1063/1.4811169"),
    "crossref/work-not*": record("crossref", "doi", "10.1234/nothing"),
    "crossref/work-pone*": record("crossref", "doi", "10.1371/journal.pone.0033693"),
    "crossref/work-pre*": record("crossref", "doi", "10.1101/2024.04.01.587366"),
    "crossref/work-ret*": ask("crossref", "integrity", "10.1155/2022/4593330"),
    "crossref/fragment*": ask("crossref", "integrity", "10.1155/2022/4593330"),
    "crossref/notice*": ask("crossref", "integrity", "10.1016/s0140-6736(97)11096-0"),
    "crossref/*": ask("crossref", "papers"),
    "datacite/dois*": ask("datacite", "papers"),
    "datacite/*": record("doi_org", "doi", "10.5061/nothing"),
    "duckduckgo/*": ask("duckduckgo", "web"),
    "epo-ops/oauth*": ask("epo", "patents", None, after=(EMPTY_SEARCH,)),
    "epo-ops/claims*": xml(parse_claims),
    "epo-ops/family*": xml(parse_family),
    "epo-ops/error*": ask("epo", "patents"),
    "epo-ops/*": ask("epo", "patents", None, TOKEN),
    "eurostat/cat*": ask("eurostat", "series", SeriesQuery(text="prices", count=50)),
    "eurostat/*": series("eurostat", "prc_hicp_manr"),
    "exa/answer*": ask("exa", "answers"),
    "exa/contents*": ask("exa", "contents", "https://arxiv.org/abs/2307.06435"),
    "exa/search_summary*": ask("exa", "structured"),
    "exa/*": ask("exa", "web"),
    "fred/obs*": ask("fred", "series", SeriesQuery(series_id="GDP", count=10_000), after=(SERIES,)),
    "fred/error*": series("fred", "GDP"),
    "fred/*": ask("fred", "series"),
    "fxtwitter/*": page("https://x.com/jack/status/20"),
    "google-cse/image*": ask("google", "images"),
    "google-cse/*": ask("google", "web"),
    "google-patents/*": ask("google_patents", "patents", PatentQuery(number="US20230418876A1")),
    "hackernews/algolia_item*": page("https://news.ycombinator.com/item?id=1"),
    "hackernews/algolia*": ask("hackernews", "web"),
    "hackernews/*": page("https://news.ycombinator.com/item?id=1"),
    "lens/*": ask("lens", "patents"),
    "oecd/new-api-kei*": series("oecd", FLOW),
    "oecd/*dataflow*": ask("oecd", "series"),
    "oecd/*": series("oecd", FLOW),
    "openalex/work-*": record("openalex", "doi", "10.1073/pnas.1414271111"),
    "openalex/*": ask("openalex", "papers"),
    "pubmed/esearch*": ask("pubmed", "papers", None, after=(ARTICLES,)),
    "pubmed/efetch*": ask("pubmed", "records", ("219391",)),
    "pubmed/documented-ret*": ask("pubmed", "records", ("219391",)),
    "pubmed/*": ask("pubmed", "papers"),
    "reddit/*": page("https://www.reddit.com/r/sailing/comments/1abc23/y/"),
    "searchapi/*images*": ask("searchapi", "images"),
    "searchapi/*news*": ask("searchapi", "news"),
    "searchapi/*patents*": ask("searchapi", "patents"),
    "searchapi/*": ask("searchapi", "web"),
    "searxng/*": ask("searxng", "web"),
    "sec/company_tickers*": ask("edgar", "filings", FilingQuery(ticker="AAPL"), after=(FILER,)),
    "sec/companyfacts*": ask("edgar", "filings", FilingQuery(text="7", facts=True, count=50)),
    "sec/companyconcept*": ask("edgar", "filings", FilingQuery(text="7", concept="Revenue", facts=True, count=50)),
    "sec/efts*": ask("edgar", "filings", FilingQuery(text="climate change", count=50), TICKERS),
    "sec/*": ask("edgar", "filings"),
    "semanticscholar/citation-item*": edges("semanticscholar", "cited_by", SEED),
    "semanticscholar/citation*": edges("semanticscholar", "cited_by", SEED),
    "semanticscholar/references*": edges("semanticscholar", "references", SEED),
    "semanticscholar/title*": edges("semanticscholar", "cited_by", seed=COPPER, after=(b'{"data": []}',)),
    "semanticscholar/paper-by*": record("semanticscholar", "arxiv", "2304.05376"),
    "semanticscholar/paper-[fn]*": record("semanticscholar", "pmid", "1"),
    "semanticscholar/*": ask("semanticscholar", "papers"),
    "serper/images*": ask("serper", "images"),
    "serper/news*": ask("serper", "news"),
    "serper/*": ask("serper", "web"),
    "tavily/*": ask("tavily", "web"),
    "unpaywall/*": ask("unpaywall", "open_copy", "10.1016/j.xgen.2025.100001"),
    "uspto-odp/*continuity*": ask("uspto", "patents", PatentQuery(number="US11646472B2"), APPLICATION),
    "uspto-odp/*": ask("uspto", "patents"),
    "wayback/*status*": ask("wayback", "archive", CaptureStatusQuery("spn2-0123456789")),
    "wayback/spn2*": ask("wayback", "archive", CaptureQuery("https://example.com/")),
    "wayback/*avail*": ask("wayback", "archive", SnapshotQuery("https://example.com/"), after=(b"",)),
    "wayback/*": ask("wayback", "archive", SnapshotQuery("https://example.com/"), b'{"archived_snapshots": {}}'),
    "worldbank/indicator-get*": page("https://data.worldbank.org/indicator/SP.POP.TOTL"),
    "worldbank/indicator*": ask("worldbank", "series", SeriesQuery(text="goods", count=50)),
    "worldbank/*": series("worldbank", "NY.GDP.MKTP.CD"),
    "youtube/*": page("https://www.youtube.com/watch?v=aaaaaaaaaaa"),
}


def as_site_reply(reply: Reply) -> Any:
    """What a text turns out to be that a site's interface handed over."""

    async def run() -> Any:
        async with WorkerPool(count=1) as workers:
            return (await read_reply(reply, reply.url, "site", workers, 10**6, kind="whole_html")).page

    return asyncio.run(run())


def _links(reply: Reply, end: str) -> Any:
    from wellsourced.upstreams.opencitations import parse_links

    return parse_links(reply, end)


def status_of(file: str) -> int:
    """The status that the answer came with, as its file's name says."""
    if "citation-lookup" in file or "status-" in file or "error-200" in file:
        return 200
    known = {"rate-exceeded": 403, "over-limit": 429, "510k": 404, "fault-no-results": 404, "invalid-request": 400}
    named = re.search(r"(?<![0-9A-Za-z])([45][0-9]{2})(?![0-9a-z])", file.rpartition("/")[2])
    return next((status for part, status in known.items() if part in file), int(named[1]) if named else 200)


def reader_of(file: str) -> Reader:
    return next(reader for pattern, reader in READERS.items() if fnmatch(file, pattern))


def _fixed(body: bytes) -> Reply:
    return Reply(429 if body == BUSY else 200, {}, body)


def read(reader: Reader, reply: Reply) -> Any:
    """What comes of it; errors pass."""
    if reader.parse is not None:
        return reader.parse(reply)
    assert reader.begin is not None
    steps = reader.begin()
    sent: Any = None
    replies = chain((_fixed(body) for body in reader.before), [reply], (_fixed(body) for body in reader.after),
                    repeat(reply))  # fmt: skip
    try:
        for _ in range(12):
            wanted = steps.send(sent)
            sent = tuple(islice(replies, len(wanted))) if isinstance(wanted, tuple) else next(replies)
    except StopIteration as done:
        return done.value
    finally:
        steps.close()
    return None
