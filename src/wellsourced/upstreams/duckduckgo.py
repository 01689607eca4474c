"""DuckDuckGo's page without scripts: web search without a key, for as long as it lets us.

Page: html.duckduckgo.com/html/ · Key: none · Recorded 2026-04. Results name their target plainly or through
`/l/?uddg=`; a few carry a date; ads stand among them. Too many questions from one address bring a challenge page
(status 202, 200 or 303) for hours. The next page is only given for the hidden fields of the page before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from wellsourced.errors import Blocked, RateLimited, UpstreamChanged, WellsourcedError
from wellsourced.http_exchange import Reply, Request, Steps
from wellsourced.text.dates import parse_moment
from wellsourced.text.plain_text import one_line
from wellsourced.text.urls import host_of, unwrap_redirect, url_comparison_key
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.search_operators import compose_query
from wellsourced.upstreams.types.search import Hit, ResultSet, WebQuery

if TYPE_CHECKING:
    from turbohtml import Document, Element

PROVIDER = Provider(
    name="duckduckgo",
    title="DuckDuckGo",
    bases={"": "https://html.duckduckgo.com"},
    pace=Pace(1, seconds=1.5),
    preference=90,
    about="Web search without a key. It blocks busy addresses for hours, so a keyed engine is the better choice.",
)

LONGEST_QUERY = 499
MOST_PAGES = 3
SAFE = {"off": "-2", "medium": "-1", "high": "1"}
RANGES = {"hour": "d", "day": "d", "week": "w", "month": "m", "year": "y"}
HEADERS = {
    "User-Agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/131.0.0.0 Safari/537.36",
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Referer": "https://html.duckduckgo.com/",
    "Sec-Fetch-Dest": "document",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Site": "same-origin",
    "Sec-Fetch-User": "?1",
}
PAGE_END = re.compile(r"</html>\s*+$|class=\"no-results\"", re.IGNORECASE)
CUT = "DuckDuckGo's page was cut short on the way; results may be missing."
CHALLENGE = "#challenge-form, form[action*='anomaly.js'], [class*='anomaly-modal']"
RESULT_DATE = re.compile(r"\d{4}-\d{2}-\d{2}[T ][\d:.]{5,20}")
WALLED = (
    "DuckDuckGo answers with a challenge for people: it blocks this address, usually for some hours. "
    "Configure an engine with a key (BRAVE_API_KEY, TAVILY_API_KEY, SERPER_API_KEY, …) or SEARXNG_URL."
)

REGIONS = (
    "ar-es at-de au-en be-nl be-fr bg-bg br-pt ca-en ca-fr ch-de ch-fr cl-es cn-zh co-es cz-cs de-de dk-da ee-et es-es"
    " es-ca fi-fi fr-fr gr-el hk-tzh hr-hr hu-hu id-en ie-en il-en in-en is-is it-it jp-jp kr-kr lt-lt lv-lv mx-es"
    " my-en nl-nl no-no nz-en pe-es ph-en pk-en pl-pl pt-pt ro-ro ru-ru se-sv sg-en sk-sk sl-sl th-en tr-tr tw-tzh"
    " ua-uk uk-en us-en us-es vn-en za-en"
)
COUNTRY_OF_REGION = {"uk": "gb", "sl": "si"}
LANGUAGE_OF_REGION = {"jp": "ja", "kr": "ko", "tzh": "zh"}
ARABIC_REGION = "xa-ar"
ARABIC_COUNTRIES = frozenset({"ae", "bh", "dz", "eg", "iq", "jo", "kw", "lb", "ly", "ma", "om", "qa", "sa", "tn", "ye"})
HOME_OF_LANGUAGE = {"en": "us", "pt": "pt", "es": "es", "zh": "cn", "da": "dk", "sv": "se", "cs": "cz", "el": "gr"}
HOME_OF_LANGUAGE |= {
    "ar": "sa",
    "ja": "jp",
    "ko": "kr",
    "uk": "ua",
    "et": "ee",
    "nb": "no",
    "nn": "no",
    "sl": "si",
    "ca": "es",
}
SAME_LANGUAGE = {"nb": "no", "nn": "no"}


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    """As many pages as the count needs; a challenge on a later page costs that page, not the ones before."""
    hits: dict[str, Hit] = {}
    request: Request | None = _build_request(query, access.now)
    notes: tuple[str, ...] = ()
    for page in range(MOST_PAGES):
        if request is None:
            break
        try:
            reply = yield request
            document = _results_page(reply)
            new = _parse_results(document, access.now)
            notes = _notes_on_cut(reply, bool(new)) or notes
        except WellsourcedError as problem:
            if page == 0:
                raise
            notes = (f"DuckDuckGo gave no further page: {problem.sentence}",)
            break
        hits |= {key: hit for key, hit in new.items() if key not in hits}
        request = _next_request(document, request)
        if len(hits) >= query.count:
            break
    return _build_results(query, access, list(hits.values()), request is not None, notes)


def _notes_on_cut(reply: Reply, has_results: bool) -> tuple[str, ...]:
    """A page without its end lost what stood there, which is no word on what there is."""
    if PAGE_END.search(reply.text[-200:]):
        return ()
    if not has_results:
        raise UpstreamChanged("DuckDuckGo's page was cut before its first result.", detail=reply.summary)
    return (CUT,)


def _build_request(query: WebQuery, now: datetime) -> Request:
    region, _ = region_for(query)
    form = {"q": compose_query(query, limit=LONGEST_QUERY), "b": "", "kl": region}
    headers = HEADERS | ({"Accept-Language": f"{query.language},en;q=0.5"} if _is_tag(query.language) else {})
    if days := query.days(now.date()):
        form["df"] = f"{days[0]}..{days[1]}"
    elif query.time_range:
        form["df"] = RANGES[query.time_range]
    if query.safe != "medium":
        form["kp"] = SAFE[query.safe]
        headers["Cookie"] = f"kp={SAFE[query.safe]}"
    return Request.post_form("/html/", form, headers=headers)


def _is_tag(language: str | None) -> bool:
    return language is not None and language.isascii() and language.replace("-", "").isalnum()


def region_for(query: WebQuery) -> tuple[str, frozenset[str]]:
    """DuckDuckGo's region and which of `country` and `language`, if asked for, it does not express."""
    offered = _regions()
    language, country = _wanted_region(query)
    if languages := offered.get(country):
        region = languages.get(language) or next(iter(languages.values()))
        applied = {"country", "language"} if language in languages else {"country"}
    else:
        home_regions = offered.get(HOME_OF_LANGUAGE.get(language, language), {})
        region, applied = home_regions.get(language, "wt-wt"), {"language"} if language in home_regions else set()
    asked = {name for name in ("country", "language") if getattr(query, name)}
    return region, frozenset(asked - applied)


def _wanted_region(query: WebQuery) -> tuple[str, str]:
    """Language and country in lower case; `pt-BR` names a country too."""
    parts = (query.language or "").strip().lower().replace("_", "-").split("-")
    country = (query.country or "").strip().lower() or next((part for part in parts[1:] if len(part) == 2), "")
    return SAME_LANGUAGE.get(parts[0], parts[0]), COUNTRY_OF_REGION.get(
        country, country
    ) if country == "uk" else country


def _regions() -> dict[str, dict[str, str]]:
    """Region codes by country and language, the first language of a country being its usual one."""
    table: dict[str, dict[str, str]] = {}
    for code in REGIONS.split():
        country, _, language = code.partition("-")
        languages = table.setdefault(COUNTRY_OF_REGION.get(country, country), {})
        languages[LANGUAGE_OF_REGION.get(language, language)] = code
    return table | {country: {"ar": ARABIC_REGION} for country in ARABIC_COUNTRIES}


def _results_page(reply: Reply) -> Document:
    """The parsed page if it is a page of results, or of none; otherwise the error that it stands for."""
    if reply.status == 429:
        raise RateLimited("DuckDuckGo asks for a pause.", provider=PROVIDER.name, retry_after=reply.retry_after)
    document = _parse_document(reply.text)
    if reply.status == 200 and document.select_one("a.result__a, .no-results, .result--no-result"):
        return document
    if reply.status in {202, 302, 303, 403, 418} or document.select_one(CHALLENGE):
        raise Blocked(WALLED, provider=PROVIDER.name)
    if reply.status != 404:
        reply.expect_ok()
    message = "DuckDuckGo's page holds neither results nor the words that there are none."
    raise UpstreamChanged(message, provider=PROVIDER.name, detail=reply.summary)


def _parse_document(text: str) -> Document:
    import turbohtml

    return turbohtml.parse(text)


def _parse_results(document: Document, now: datetime) -> dict[str, Hit]:
    """The results by key, the first of equals; links of which none can be read are a change, not an empty answer."""
    hits: dict[str, Hit] = {}
    for key, hit in _parse_result(document, now):
        hits.setdefault(key, hit)
    links, advertised = document.select("a.result__a"), document.select(".result--ad a.result__a")
    if not hits and len(links) > len(advertised):
        raise UpstreamChanged("None of DuckDuckGo's results could be read.", provider=PROVIDER.name)
    return hits


def _parse_result(document: Document, now: datetime) -> Iterator[tuple[str, Hit]]:
    """Results in their order, each with its key; advertisements are left out."""
    for block in document.select("div.result"):
        link = block.select_one("a.result__a")
        url = unwrap_redirect(link.attr("href") or "") if link else ""
        url = f"https:{url}" if url.startswith("//") else url
        if link is None or _is_advertisement(block, url) or not url.lower().startswith(("http://", "https://")):
            continue
        title = one_line(link.text)
        if title:
            snippet = one_line(_text_of(block, ".result__snippet"))
            yield (
                url_comparison_key(url),
                Hit(title=title, url=url, snippet=snippet, published_at=_parse_date(block, now)),
            )


def _is_advertisement(block: Element, url: str) -> bool:
    own_host = host_of(url) in {"duckduckgo.com", "html.duckduckgo.com"}
    return block.has_class("result--ad") or (own_host and ("/y.js" in url or "ad_domain=" in url))


def _text_of(block: Element, selector: str) -> str:
    element = block.select_one(selector)
    return element.text if element else ""


def _parse_date(block: Element, now: datetime) -> datetime | None:
    date = RESULT_DATE.search(_text_of(block, ".result__extras__url > span:last-child"))
    return parse_moment(date[0], now) if date else None


def _next_request(document: Document, previous: Request) -> Request | None:
    """The form behind the button for the next page; on later pages the same kind of form leads back."""
    asked = _form_fields(previous)
    for form in document.select(".nav-link form"):
        fields = {field.attr("name") or "": field.attr("value") or "" for field in form.select("input[name]")}
        if fields.get("vqd") and _form_offset(fields) > _form_offset(asked):
            filters = {name: value for name, value in asked.items() if name in {"df", "kp"}}
            return Request.post_form("/html/", filters | fields, headers=previous.headers)
    return None


def _form_fields(request: Request) -> dict[str, str]:
    from urllib.parse import parse_qsl

    return dict(parse_qsl((request.body or b"").decode()))


def _form_offset(fields: Mapping[str, str]) -> int:
    start = fields.get("s", "")
    return int(start) if start.isdecimal() and len(start) < 7 else 0


def _build_results(
    query: WebQuery, access: Access, hits: list[Hit], goes_on: bool, notes: tuple[str, ...]
) -> ResultSet[Hit]:
    _, unsent = region_for(query)
    return ResultSet(tuple(hits), unsent | query.hour_unsent, goes_on or len(hits) > query.count, notes)
