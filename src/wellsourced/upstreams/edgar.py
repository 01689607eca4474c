"""SEC EDGAR: the filings of US public companies, and the figures in them.

API: sec.gov/search-filings/edgar-application-programming-interfaces · Key: none, but a User-Agent with a contact
address (no URL) is a condition: without one nothing is sent. Ten requests a second over all hosts, more means a block
of ten minutes. A file that does not exist is 404, or 403 with `AccessDenied`; a block is 403 with a page. The list
of tickers is fetched once a day. Full-text search reaches back to 2001. Checked 2026-11-15.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from wellsourced.errors import (
    BadInput,
    Blocked,
    Misconfigured,
    NotFound,
    RateLimited,
    UpstreamChanged,
    WellsourcedError,
)
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.edgar_companies import (
    Company,
    cik_in,
    find_by_name,
    find_by_ticker,
    form_in,
    form_name,
    spellings,
)
from wellsourced.upstreams.helpers.edgar_xbrl import XbrlFigure, figures_over_years, headline_figures
from wellsourced.upstreams.helpers.exact_json import parse_exact_json
from wellsourced.upstreams.helpers.json_fields import as_count, as_object, as_text, objects_in, parse_rows
from wellsourced.upstreams.helpers.name_search import words_in
from wellsourced.upstreams.helpers.periods import parse_bounds
from wellsourced.upstreams.types.records import Fact, Filing, FilingQuery, FilingResults, Origin
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="edgar",
    title="SEC EDGAR",
    bases={"": "https://www.sec.gov", "data": "https://data.sec.gov", "efts": "https://efts.sec.gov"},
    uses=(
        Setting("EDGAR_CONTACT_EMAIL", "Contact address that SEC requires; OPENALEX_EMAIL is used when it is unset."),
        Setting("OPENALEX_EMAIL", "Contact address for the polite pool of OpenAlex."),
    ),
    needs_one_of=("EDGAR_CONTACT_EMAIL", "OPENALEX_EMAIL"),
    pace=Pace(8, 1.0),
    timeout=30.0,
    preference=10,
    about="US company filings, full text and reported figures.",
)

ARCHIVES = "https://www.sec.gov/Archives/edgar/data"
DAY = 86400.0  # the list of tickers is kept this long
BLOCK_LENGTH = 600.0  # seconds for which SEC shuts out an address that asked too fast
FIRST_FULL_TEXT_DAY = date(2001, 1, 1)
MOST_OLDER_PAGES = 3  # filings before the recent ones come in pages of their own
UNREAD = "Not all of the company's older filings were looked through; narrow the dates to reach them."
UNREACHED = "SEC's full-text search begins in 2001; for what is older name a company."
ADDRESS = re.compile(r"[^\s@()<>,;:\"]{1,80}@[^\s@()<>,;:\"/]{1,120}\.[A-Za-z]{2,24}")
DISPLAY_NAME = re.compile(r"(.*?)\s{1,4}\((?:[^()]{1,200}\)\s{1,4}\()?CIK [0-9]{1,10}\)")
PAGE_NAME = re.compile(r"[\w.-]{1,80}")
Limits = tuple[date | None, date | None]


def filings(query: FilingQuery, access: Access) -> Steps[FilingResults]:
    headers = request_headers(access)
    limits = parse_bounds(query.date_from, query.date_to)
    named, rest = form_in(query.text)
    form = form_name(query.form_type) if query.form_type and query.form_type.strip() else named
    if not rest and not (query.ticker or "").strip():
        raise BadInput("Give a company (name, ticker or CIK) or words to look for in query, or a ticker in ticker.")
    company, notes = yield from _find_company(query, rest, headers)
    if company is None and (query.ticker or "").strip():
        empty: ResultSet[Filing] = ResultSet((), notes=notes)
        return empty
    if query.facts or (query.concept or "").strip():
        return (yield from _list_facts(company, query, form, limits, headers, notes))
    if company is None:
        return (yield from _search_full_text(query, rest, form, limits, access, headers))
    return (yield from _list_filings(company, query, form, limits, headers, notes))


def request_headers(access: Access) -> dict[str, str]:
    """The User-Agent SEC asks for; without a contact no request is sent."""
    contact = (access["EDGAR_CONTACT_EMAIL"] or access["OPENALEX_EMAIL"]).strip()
    if not ADDRESS.fullmatch(contact) or not contact.isascii():
        raise Misconfigured("SEC EDGAR requires a contact: set EDGAR_CONTACT_EMAIL to an e-mail address of yours.")
    return {"User-Agent": f"Wellsourced {contact}"}


def _find_company(
    query: FilingQuery, text: str, headers: Mapping[str, str]
) -> Steps[tuple[Company | None, tuple[str, ...]]]:
    """Who is meant, and a sentence about how that was found out."""
    ticker = (query.ticker or "").strip()
    if cik := cik_in(ticker or text):
        return Company(cik, ""), _note_unsearched_text(Company(cik, ""), text) if ticker else ()
    reply = yield Request.get("/files/company_tickers.json", headers=headers, keep=DAY)
    if reply.status == 404 or _is_absent(reply):
        raise UpstreamChanged("SEC's list of tickers is not where it used to be.", detail=reply.summary)
    listed = parse_rows(_parse_reply(reply).values(), _listed_company)
    if not listed:
        raise UpstreamChanged("SEC's list of tickers is empty.")
    if ticker:
        match = find_by_ticker(ticker, listed)
        return (
            (match, _note_unsearched_text(match, text))
            if match
            else (None, (f"SEC lists no company with ticker {ticker}.",))
        )
    match = find_by_ticker(text, listed) or find_by_name(text, listed)
    return match, (f'Read "{text}" as the company {as_text(match.name)} (CIK {match.cik}).',) if match else ()


def _listed_company(row: Any) -> Company:
    name, ticker = row["title"], row["ticker"]
    if not isinstance(name, str) or not isinstance(ticker, str):
        raise UpstreamChanged("SEC's list of tickers has a company without name or ticker.")
    return Company(str(row["cik_str"]).zfill(10), name, ticker)


def _note_unsearched_text(company: Company, text: str) -> tuple[str, ...]:
    """With a ticker the company's filings are listed; other words in the query are then not looked for."""
    others = set(words_in(text)) - set(words_in(company.name)) - {company.ticker.casefold()}
    return ("The words of the query were not searched for: a ticker lists the company's filings.",) if others else ()


def _list_filings(
    company: Company,
    query: FilingQuery,
    form: str | None,
    limits: Limits,
    headers: Mapping[str, str],
    notes: tuple[str, ...],
) -> Steps[ResultSet[Filing]]:
    reply = yield Request.get(f"/submissions/CIK{company.cik}.json", headers=headers, host="data")
    if _is_absent(reply):
        return ResultSet((), notes=(*notes, f"SEC has no filer with the CIK {company.cik}."))
    body = _parse_reply(reply)
    filer = Company(company.cik, as_text(body["name"]))
    count = max(1, query.count)
    matching = list(_matching_filings(body["filings"]["recent"], filer, form, limits))
    pages = _older_pages(body["filings"].get("files"), limits)
    for name in pages[:MOST_OLDER_PAGES]:
        if len(matching) >= count:
            break
        older = yield from _older_page(name, headers, is_needed=not matching)
        if older is None:
            break
        matching += _matching_filings(older, filer, form, limits)
        pages.remove(name)
    is_short = len(matching) < count and bool(pages)
    notes += (UNREAD,) if is_short else ()
    return ResultSet(tuple(matching[:count]), more_available=is_short or len(matching) > count, notes=notes)


def _older_page(name: str, headers: Mapping[str, str], *, is_needed: bool) -> Steps[dict[str, Any] | None]:
    """None when it cannot be had and the filings already found are worth showing."""
    try:
        reply = yield Request.get(f"/submissions/{name}", headers=headers, host="data", keep=DAY)
        return _parse_reply(reply)
    except WellsourcedError:
        if is_needed:
            raise
        return None


def _older_pages(files: Any, limits: Limits) -> list[str]:
    """Further pages whose days touch the window, newest first."""
    start, end = (limit.isoformat() if limit else None for limit in limits)
    names = [
        str(page["name"])
        for page in sorted(objects_in(files), key=lambda page: str(page.get("filingTo")), reverse=True)
        if (not start or str(page.get("filingTo")) >= start) and (not end or str(page.get("filingFrom")) <= end)
    ]
    return [name for name in names if PAGE_NAME.fullmatch(name)]


def _matching_filings(columns: Mapping[str, Any], filer: Company, form: str | None, limits: Limits) -> Iterator[Filing]:
    """Rows out of parallel columns, which must be of one length."""
    names = ("accessionNumber", "form", "filingDate", "reportDate", "primaryDocument", "primaryDocDescription")
    wanted = {spelling for name in spellings(form or "") for spelling in (name, f"{name}/A")}
    for accession, kind, filed, period, document, description in zip(*(columns[n] for n in names), strict=True):
        if (form and kind.upper() not in wanted) or not _is_within(filed, limits):
            continue
        url = f"{_folder_url(filer.cik, accession)}/{document}" if document else _index_url(filer.cik, accession)
        yield _build_filing(filer, kind, filed, accession, url, period, description)


def _build_filing(
    filer: Company, form: str, filed: str, accession: str, url: str, period: Any, description: Any
) -> Filing:
    return Filing(
        company=filer.name,
        cik=filer.cik,
        form_type=form,
        filing_date=filed,
        accession=accession,
        url=url,
        origin=Origin(url=_index_url(filer.cik, accession), record=accession, vintage=filed),
        period_of_report=as_text(period) or None,
        description=as_text(description) or None,
    )


def _search_full_text(
    query: FilingQuery, text: str, form: str | None, limits: Limits, access: Access, headers: Mapping[str, str]
) -> Steps[ResultSet[Filing]]:
    start, end = limits
    if end and end < FIRST_FULL_TEXT_DAY:
        raise BadInput("SEC's full-text search begins in 2001; name a company to list its older filings.")
    asked: dict[str, Param] = {"q": text, "forms": ",".join(spellings(form)) if form else None}
    if start or end:
        asked |= {
            "dateRange": "custom",
            "startdt": max(start or FIRST_FULL_TEXT_DAY, FIRST_FULL_TEXT_DAY).isoformat(),
            "enddt": (end or access.now.date()).isoformat(),
        }
    reply = yield Request.get("/LATEST/search-index", asked, headers=headers, host="efts")
    hits = _parse_reply(reply)["hits"]
    if not isinstance(hits["hits"], list):
        raise UpstreamChanged("SEC's answer has no list of hits.")
    best: dict[str, Filing] = {}
    for filing in parse_rows(_hits_of_filers(hits["hits"]), _parse_hit):
        best.setdefault(filing.accession, filing)
    items, count = list(best.values()), max(1, query.count)
    total = as_object(hits["total"])
    more = len(items) > count or total.get("relation") == "gte" or (as_count(total["value"]) or 0) > len(hits["hits"])
    notes = (UNREACHED,) if start and start < FIRST_FULL_TEXT_DAY else ()
    return ResultSet(tuple(items[:count]), more_available=more, notes=notes)


def _hits_of_filers(hits: list[Any]) -> list[Any]:
    """Hits that belong to a filer; the index has a few documents of nobody, which have no address."""
    owned = [hit for hit in objects_in(hits) if as_object(hit.get("_source")).get("ciks")]
    if hits and not owned:
        raise UpstreamChanged("SEC's answer has documents without filers only.")
    return owned


def _parse_hit(hit: Mapping[str, Any]) -> Filing:
    """A document of a filing. The older shape has `root_form`, the newer `root_forms`; both have `form`."""
    source, (accession, _, file) = hit["_source"], hit["_id"].partition(":")
    cik = str(source["ciks"][0]).zfill(10)
    shown = str(next(iter(source["display_names"]), ""))
    named = DISPLAY_NAME.fullmatch(shown[:500])
    folder = f"{source['xsl']}/" if source.get("xsl") else ""
    url = f"{_folder_url(cik, accession)}/{folder}{file}" if file else _index_url(cik, accession)
    described = dict.fromkeys(filter(None, (as_text(source.get("file_type")), as_text(source.get("file_description")))))
    filer = Company(cik, as_text(named[1] if named else shown))
    return _build_filing(
        filer, source["form"], source["file_date"], accession, url, source.get("period_ending"), ": ".join(described)
    )


def _list_facts(
    company: Company | None,
    query: FilingQuery,
    form: str | None,
    limits: Limits,
    headers: Mapping[str, str],
    notes: tuple[str, ...],
) -> Steps[ResultSet[Fact]]:
    if company is None:
        raise BadInput("Facts are of one company, and no company goes by this name at SEC; give its ticker or its CIK.")
    reply = yield Request.get(f"/api/xbrl/companyfacts/CIK{company.cik}.json", headers=headers, host="data")
    if _is_absent(reply):
        return ResultSet((), notes=(*notes, f"SEC has no figures in XBRL of the filer with the CIK {company.cik}."))
    body = _parse_exact_reply(reply)
    filer = Company(company.cik, as_text(body["entityName"]))
    concept = (query.concept or "").strip()
    if concept:
        figures = figures_over_years(body["facts"], concept, form, lambda figure: _is_within(figure.end, limits))
        notes += () if figures else (f"{filer.name} reports no figure {concept[:60]!r} of this form and time.",)
    else:
        figures = headline_figures(body["facts"], form, lambda figure: _is_within(figure.end, limits))
    count = max(1, query.count)
    items = tuple(_build_fact(figure, filer) for figure in figures[:count])
    return ResultSet(items, more_available=len(figures) > count, notes=notes)


def _build_fact(figure: XbrlFigure, filer: Company) -> Fact:
    url = _index_url(filer.cik, figure.accession)
    period = f"{figure.start}/{figure.end}" if figure.start else figure.end
    record = f"{figure.accession} {figure.taxonomy}:{figure.concept} {period}"
    return Fact(
        company=filer.name,
        cik=filer.cik,
        concept=figure.concept,
        taxonomy=figure.taxonomy,
        label=figure.label,
        unit=figure.unit,
        value=figure.value,
        start=figure.start,
        end=figure.end,
        days=figure.days,
        fiscal_year=figure.fiscal_year,
        fiscal_period=figure.fiscal_period,
        form_type=figure.form,
        filing_date=figure.filed,
        accession=figure.accession,
        url=url,
        origin=Origin(url=url, record=record, unit=figure.unit, vintage=figure.filed),
    )


def _folder_url(cik: str, accession: str) -> str:
    return f"{ARCHIVES}/{int(cik)}/{accession.replace('-', '')}"


def _index_url(cik: str, accession: str) -> str:
    return f"{_folder_url(cik, accession)}/{accession}-index.htm"


def _is_within(day: str, limits: Limits) -> bool:
    start, end = limits
    return (start is None or day >= start.isoformat()) and (end is None or day <= end.isoformat())


def _is_absent(reply: Reply) -> bool:
    """Whether the store says that there is no such file; 403 with this body means the same as 404."""
    return reply.status in {403, 404} and any(code in reply.summary for code in ("NoSuchKey", "AccessDenied"))


def _parse_reply(reply: Reply) -> dict[str, Any]:
    return _require_object(check_status(reply).json())


def _parse_exact_reply(reply: Reply) -> dict[str, Any]:
    return _require_object(parse_exact_json(check_status(reply)))


def _require_object(body: Any) -> dict[str, Any]:
    if not isinstance(body, dict):
        raise UpstreamChanged("SEC's answer is not an object.")
    return body


def check_status(reply: Reply) -> Reply:
    if _is_absent(reply):
        raise NotFound(f"SEC has no such file: {reply.summary}")
    page = reply.text[:20_000].lower()
    if reply.status in {403, 429} and ("threshold exceeded" in page or reply.status == 429):
        raise RateLimited("SEC: too many requests.", retry_after=reply.retry_after or BLOCK_LENGTH)
    if reply.status == 403 and "undeclared automated tool" in page:
        raise Blocked("SEC takes the request for an undeclared robot; check the address in EDGAR_CONTACT_EMAIL.")
    return reply.expect_ok()
