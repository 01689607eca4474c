"""Official sites: which request each address becomes, what the answer is read as, and the four outcomes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.pages.sites.conversation import hold, page_of
from tests.upstreams.conversation import reply
from wellsourced.errors import Blocked, NotFound, RateLimited, UpstreamChanged, UpstreamUnavailable, WellsourcedError
from wellsourced.http_exchange import Reply, Request
from wellsourced.pages.sections import find_section
from wellsourced.pages.sites import site_for
from wellsourced.sandbox.reading import parse_document

CONTACT = {"EDGAR_CONTACT_EMAIL": "desk@example.org"}
TOKEN = {"COURTLISTENER_API_TOKEN": "token"}
FILING = "https://www.sec.gov/Archives/edgar/data/7/000000000726000001/quay.htm"
OPINION = "https://www.courtlistener.com/opinion/10376225/noem-v-abrego-garcia/"
STUDY = "https://clinicaltrials.gov/study/NCT02576665"
RULE = "https://www.federalregister.gov/documents/2026/07/07/2026-13726/revisions-to-financial-forms"
SECTION = "https://www.ecfr.gov/current/title-17/chapter-II/part-240/section-240.10b-5"
ACT = "https://www.legislation.gov.uk/ukpga/2022/44/section/4"
JUDGMENT = "https://caselaw.nationalarchives.gov.uk/ewhc/admin/2017/3409"
REGULATION = "https://eur-lex.europa.eu/legal-content/DE/TXT/?uri=CELEX:32016R0679"
BOOK = "https://openlibrary.org/books/OL22951843M/Sabriel"
INDICATOR = "https://data.worldbank.org/indicator/NY.GDP.MKTP.CD?locations=JP-US"
ITEM = "https://www.wikidata.org/wiki/Q1299"
JOURNAL = "https://doaj.org/toc/1545-7885"
DEPOSIT = "https://zenodo.org/records/5244404"
ARTICLE = "https://pubmed.ncbi.nlm.nih.gov/20516115/"
VALUES = CONTACT | TOKEN
ALL = (FILING, OPINION, STUDY, RULE, SECTION, ACT, JUDGMENT, REGULATION, ARTICLE, BOOK, INDICATOR, ITEM, JOURNAL,
       DEPOSIT)  # fmt: skip
REQUESTS = {
    FILING: "/Archives/edgar/data/7/000000000726000001/quay.htm",
    "https://www.sec.gov/ix?doc=/Archives/edgar/data/7/1/k.htm": "/Archives/edgar/data/7/1/k.htm",
    OPINION: "/api/rest/v4/clusters/10376225/",
    STUDY: "/api/v2/studies/NCT02576665",
    RULE: "/api/v1/documents/2026-13726.json",
    SECTION: "/api/versioner/v1/titles.json",
    "https://www.ecfr.gov/on/2024-05-17/title-3/part-100": "/api/versioner/v1/full/2024-05-17/title-3.xml",
    ACT: "/ukpga/2022/44/section/4/data.xml",
    "https://www.legislation.gov.uk/ukpga/2022/44/contents/enacted": "/ukpga/2022/44/contents/enacted/data.xml",
    JUDGMENT: "/ewhc/admin/2017/3409/data.xml",
    "https://caselaw.nationalarchives.gov.uk/id/d-9b51d493-65ba-471f": "/d-9b51d493-65ba-471f/data.xml",
    REGULATION: "/resource/celex/32016R0679",
    "https://eur-lex.europa.eu/eli/reg/2016/679/oj": "/resource/celex/32016R0679",
    ARTICLE: "/europepmc/webservices/rest/search",
    BOOK: "/books/OL22951843M.json",
    INDICATOR: "/v2/indicator/NY.GDP.MKTP.CD",
    ITEM: "/wiki/Special:EntityData/Q1299.json",
    JOURNAL: "/api/search/journals/issn:1545-7885",
    DEPOSIT: "/api/records/5244404",
    "https://zenodo.org/communities/lexibank/records": "/api/communities/lexibank",
}
NOT_THEIRS = (
    "https://www.sec.gov/newsroom", "https://www.sec.gov/Archives/edgar/data/7/1/0-index.htm",
    "https://www.courtlistener.com/?q=x", "https://clinicaltrials.gov/search", "https://www.ecfr.gov/search",
    "https://www.legislation.gov.uk/browse", "https://caselaw.nationalarchives.gov.uk/search",
    "https://openlibrary.org/search?q=x", "https://data.worldbank.org/country/JP", "https://www.wikidata.org/wiki/Special:Random",
    "https://doaj.org/search", "https://zenodo.org/search?q=x", "https://eur-lex.europa.eu/homepage.html", "https://pubmed.ncbi.nlm.nih.gov/?term=x",
)  # fmt: skip


@pytest.mark.parametrize("url", REQUESTS)
def test_the_first_request(url: str) -> None:
    asked: list[Request] = []

    def refuse(request: Request) -> Reply:
        asked.append(request)
        return reply("gone", 404)

    with pytest.raises(NotFound):
        hold(url, refuse, VALUES)
    assert asked[0].path == REQUESTS[url]


@pytest.mark.parametrize("url", NOT_THEIRS)
def test_other_addresses_are_left_alone(url: str) -> None:
    assert site_for(url) is None


@pytest.mark.parametrize("url", ALL)
def test_refusals_keep_their_meaning(url: str) -> None:
    for status, expected in ((429, RateLimited), (403, Blocked), (500, UpstreamUnavailable)):
        with pytest.raises(expected):
            hold(url, lambda request, status=status: reply("no", status), VALUES)  # type: ignore[misc]


@pytest.mark.parametrize("url", [OPINION, STUDY, RULE, SECTION, ARTICLE, BOOK, INDICATOR, ITEM, JOURNAL])
def test_what_is_not_understood(url: str) -> None:
    for body in ("<html>hello</html>", "[]", '{"other": 1}'):
        with pytest.raises(UpstreamChanged):
            hold(url, lambda request, body=body: reply(body), VALUES)  # type: ignore[misc]


def test_without_contact_or_token_the_page_is_read_as_any_other() -> None:
    assert hold(FILING, lambda request: reply("x")) == ([], None)
    assert hold(OPINION, lambda request: reply("x")) == ([], None)


def test_refusals_of_the_sec(shared: Path) -> None:
    pages = {"rate-exceeded.html": RateLimited, "automated-tool-403.html": Blocked}
    for file, expected in pages.items():
        body = (shared / "wire/more/sec-filings" / file).read_bytes()
        with pytest.raises(expected):
            hold(FILING, lambda request, body=body: reply(body, 403), CONTACT)  # type: ignore[misc]
    requests, page = hold(FILING, lambda request: reply("<html>x</html>"), CONTACT)
    assert requests[0].headers["User-Agent"] == "Wellsourced desk@example.org" and page and page.kind == "filing"


def test_an_opinion(shared: Path) -> None:
    folder = shared / "wire/more/courtlistener"
    files = {"clusters": "cluster-detail.json", "opinions": "opinion-detail.trimmed.json"}
    found = page_of(OPINION, lambda r: reply((folder / files[r.path.split("/")[4]]).read_bytes()), TOKEN)
    assert found.page.title == "Noem v. Abrego Garcia" and found.page.date == "2025-04-10"
    assert "- Judges: Sonia Sotomayor" in found.page.markdown and found.reply
    text = parse_document(found.kind, found.reply.body, 10_000).text
    assert text.startswith("## Opinion") and "denied the application in" in text


def test_a_study(shared: Path) -> None:
    body = (shared / "wire/clinicaltrials/get_nct02576665_20260811.json").read_bytes()
    page = page_of(STUDY, lambda request: reply(body)).page
    eligibility = find_section(page.markdown, "eligibility")
    assert "1. Patient has given written informed consent." in page.markdown[eligibility.start : eligibility.end]
    assert "- Phases: PHASE1" in page.markdown and "- Status: TERMINATED" in page.markdown


def test_results_of_a_study_stay_as_posted() -> None:
    measure = {
        "type": "PRIMARY", "title": "Days at sea", "timeFrame": "1 year", "unitOfMeasure": "days", "paramType": "MEAN",
        "groups": [{"id": "OG000", "title": "Ginger"}],
        "analyses": [{"pValue": "<0.001", "statisticalMethod": "t-test"}],
        "classes": [{"categories": [{"measurements": [{"groupId": "OG000", "value": "12.30", "spread": "1.1"}]}]}],
    }  # fmt: skip
    study = {
        "protocolSection": {"identificationModule": {"nctId": "NCT02576665", "briefTitle": "Ginger"}},
        "hasResults": True,
        "resultsSection": {"outcomeMeasuresModule": {"outcomeMeasures": [measure]}},
    }
    text = page_of(STUDY, lambda request: reply(study)).page.markdown
    assert "- Ginger: 12.30 (± 1.1) days" in text and "- Analysis: t-test, p <0.001" in text


def test_a_rule(shared: Path) -> None:
    record = (shared / "wire/more/federalregister/document.json").read_bytes()
    xml = (
        b"<PRORULE><PREAMB><AGENCY>X</AGENCY><SUBJECT>S</SUBJECT></PREAMB>"
        b"<SUPLINF><HD SOURCE='HD1'>I. Why</HD><P>So.</P></SUPLINF></PRORULE>"
    )
    found = page_of(RULE, lambda r: reply(record if r.path.endswith("json") else xml))
    assert "- Citation: 91 FR 41591" in found.page.markdown and found.page.date == "2026-07-07"
    assert found.reply and "### I. Why\n\nSo." in parse_document(found.kind, found.reply.body, 9000).text
    alone = page_of(RULE, lambda r: reply(record) if r.path.endswith("json") else reply("", 404))
    assert alone.reply is None and "## Abstract" in alone.page.markdown


def test_a_section_of_the_code() -> None:
    titles = {"titles": [{"number": 17, "up_to_date_as_of": "2026-11-10"}]}
    xml = b"<DIV8 N='240.10b-5' TYPE='SECTION'><HEAD>\xc2\xa7 240.10b-5 Fraud.</HEAD><P>It is unlawful.</P></DIV8>"
    requests, found = hold(SECTION, lambda r: reply(titles) if r.path.endswith("json") else reply(xml))
    assert requests[1].path.endswith("/2026-11-10/title-17.xml") and ("section", "240.10b-5") in requests[1].params
    assert found and found.reply and parse_document(found.kind, found.reply.body, 900).text.endswith("It is unlawful.")


def test_an_act_of_the_union(shared: Path) -> None:
    act = (
        '<html><body><p class="oj-doc-ti">REGULATION (EU) 2016/679</p><p>CHAPTER I</p><p>General provisions</p>'
        '<p class="oj-ti-art">Article 1</p><p class="oj-sti-art">Scope</p><p>1. It applies.</p>'
        '<p class="oj-ti-art">Article 2</p><p>Nothing else.</p></body></html>'
    )
    requests, found = hold(REGULATION, lambda r: reply(act))
    assert requests[0].headers["Accept-Language"] == "deu" and found and found.reply
    text = parse_document(found.kind, found.reply.body, 9000).text
    part = find_section(text, "Art. 1")
    assert text[part.start : part.end].strip() == "##### Article 1. Scope\n\n1. It applies."
    with pytest.raises(WellsourcedError):
        hold(REGULATION, lambda r: reply("", 406))


def test_an_article(shared: Path) -> None:
    body = (shared / "wire/more/europepmc/search-by-pmid-core.json").read_bytes()
    page = page_of(ARTICLE, lambda r: reply(body) if r.path.endswith("search") else reply("", 404)).page
    record = json.loads(body)["resultList"]["result"][0]
    assert page.title == record["title"].rstrip(".") and any("not open" in note for note in page.notes)
    with pytest.raises(NotFound):
        hold(ARTICLE, lambda r: reply((shared / "wire/more/europepmc/search-no-results.json").read_bytes()))


def test_a_book_and_its_authors(shared: Path) -> None:
    body = (shared / "wire/more/openlibrary/edition-book.json").read_bytes()
    page = page_of(BOOK, lambda r: reply(body) if "books" in r.path else reply({"name": "Garth Nix"})).page
    assert (page.title, page.author, page.date) == ("Sabriel", "Garth Nix", "1996")
    assert "- ISBN-10: 0060273224, 0060273232, 0064471837" in page.markdown and "necromancer" in page.markdown
    assert page_of(BOOK, lambda r: reply(body) if "books" in r.path else None).page.notes


def test_an_indicator_with_the_values_of_its_countries(shared: Path) -> None:
    about = [{"page": 1, "total": 1}, [{"id": "NY.GDP.MKTP.CD", "name": "GDP (current US$)", "sourceNote": "Sum."}]]
    values = (shared / "wire/worldbank/observations-jpn-usa-gdp.json").read_bytes()
    requests, found = hold(INDICATOR, lambda r: reply(values if "country" in r.path else about))
    assert requests[1].path == "/v2/country/JP;US/indicator/NY.GDP.MKTP.CD" and found
    assert "| 2019 | 5081769542379.77 |" in found.page.markdown and "Sum." in found.page.markdown


def test_an_item_with_named_statements(shared: Path) -> None:
    body = (shared / "wire/more/wikidata/entity-Q1299.json").read_bytes()
    names = {"entities": {"P571": {"labels": {"en": {"value": "inception"}}}}}
    page = page_of(ITEM, lambda r: reply(body) if "Special" in r.path else reply(names)).page
    assert "- inception (P571): 1960\n" in page.markdown and "(P576): 1970-04-10" in page.markdown and page.notes


def test_a_journal(shared: Path) -> None:
    body = (shared / "wire/more/doaj/v2-journal-by-id.json").read_bytes()
    text = page_of(JOURNAL, lambda request: reply(body)).page.markdown
    assert "- Review: Peer review" in text and "- Fees of authors: 2900 USD" in text and "- Licence: CC BY" in text
    with pytest.raises(NotFound, match="says nothing"):
        hold(JOURNAL, lambda request: reply({"results": []}))


def test_a_patent_page(shared: Path) -> None:
    body = (shared / "wire/google-patents/patent-page-US20230418876A1.html").read_bytes()
    text = parse_document("patent_page", body, 1_000_000).text
    claims = find_section(text, "Claims")
    assert text[claims.start : claims.end].split("\n\n")[1].startswith("1. A computer-implemented method to make")
    for heading, line in (
        ("Patent citations", "- US6983227B1 | 1995-01-17 | 2006-01-03 | Intertech Ventures, Ltd. | Virtual models"),
        ("Cited by", "- US8781940B2 | 2000-01-26 | 2014-07-15 | Ebay Inc. |"),
        ("Family", "- US20220027416A1 | 2022-01-27"),
        ("Legal events", "- 2023-09-20 | STPP |"),
    ):
        part = find_section(text, heading)
        assert line in text[part.start : part.end]


def test_a_deposit_with_its_files_and_a_community(shared: Path) -> None:
    body = (shared / "wire/more/zenodo/record-5244404.json").read_bytes()
    page = page_of(DEPOSIT, lambda _: Reply(200, {}, body)).page
    assert page.markdown.startswith("# The Origins of SARS-CoV-2: A Critical Review") and page.date == "2021-08-18"
    assert "- DOI of all versions: 10.5281/zenodo.5075887" in page.markdown and "- Licence: cc-by" in page.markdown
    assert "## Files\n\n- " in page.markdown and " bytes · md5:" in page.markdown
    community = (shared / "wire/more/zenodo/community.json").read_bytes()
    listed = (shared / "wire/more/zenodo/records-search-attention.json").read_bytes()
    page = page_of(
        "https://zenodo.org/communities/lexibank",
        lambda request: Reply(200, {}, listed if request.path == "/api/records" else community),
    ).page
    assert "Cross-linguistic lexical datasets in CLDF format." in page.markdown
    assert page.markdown.count("\n- [") == 3 and page.notes == ()
