"""Wikipedia: articles by words, what stands near a point, what is quoted on Wikiquote, and the events of past days.

API: mediawiki.org/wiki/API:Search · Key: none. Each language is a host of its own; with an address in
WIKIPEDIA_BASE_URL that one is asked for all. A page's time is its last change, not its publication, so hits have no
date. News are the items of `Portal:Current events`, a page a day in English, each with the report it rests on.
Recorded 2026-03 but for the portal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import quote

from wellsourced.errors import BadInput, UpstreamChanged, WellsourcedError
from wellsourced.http_exchange import Param, Request, Steps
from wellsourced.text.plain_text import strip_markup
from wellsourced.text.terms import significant_terms, stem_word
from wellsourced.text.urls import display_host
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.contact import CONTACT, identify
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, number_or_text, objects_in, parse_rows
from wellsourced.upstreams.helpers.mediawiki import found_pages, parse_wiki_answer
from wellsourced.upstreams.helpers.replies import list_under
from wellsourced.upstreams.helpers.search_operators import compose_query, unsent_filters
from wellsourced.upstreams.types.records import Origin, Place, PlaceQuery
from wellsourced.upstreams.types.search import Article, Hit, NewsQuery, ResultSet, WebQuery

PROVIDER = Provider(
    name="wikipedia",
    title="Wikipedia",
    bases={"": "https://en.wikipedia.org", "quotes": "https://en.wikiquote.org"},
    uses=(CONTACT,),
    pace=Pace(3),
    preference=91,
    automatic=False,
    good_at=("definition", "entity", "quotation", "general", "past days"),
    about="Articles in any language, quotations, the events of given days, and sights near a place.",
    attribution="Wikipedia, CC BY-SA 4.0; cite an article by its permanent link.",
)

LONGEST_QUERY = 300
MOST_HITS = 50
LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,12}){0,2}|simple")
QUOTED = re.compile(r'"([^"]{1,300})"')
WORDS_OF_A_QUOTATION = 4
MOST_DAYS = 50  # pages in one request
REPORT = re.compile(r"\[(https?://[^\s\]]{1,2000}) ([^\]\n]{1,300})\]")
WIKI_LINK = re.compile(r"\[\[(?:[^\[\]|\n]{1,300}\|)?([^\[\]|\n]{1,300})\]\]")
COMMENT = re.compile(r"<!--[^>]{0,2000}-->|'{2,5}")
USUAL_RADIUS, LARGEST_RADIUS, FARTHEST = 2_000.0, 10_000.0, 30_000_000.0  # metres; Wikipedia looks 10 km far
MOST_NEAR = 50
ALL_NEAR = "No title near here holds the words; these are all articles about places around, nearest first."
ONLY_ENGLISH = "The events of past days are those that Wikipedia lists in English: a selection, not all news."


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    language, sent = _language(query)
    reply = yield _search_request(query, language, access)
    rows, total = found_pages(parse_wiki_answer(reply, PROVIDER.title), PROVIDER.title)
    hits = parse_rows(rows, lambda row: _parse_hit(row, f"https://{language}.wikipedia.org"))
    quoted, notes = (yield from _quotations(query, access)) if _quotation(query) else ([], ())
    hits = [*quoted, *hits]
    return ResultSet(tuple(hits), unsent_filters(query, *sent), total > len(rows) if total is not None else None, notes)


def news(query: NewsQuery, access: Access) -> Steps[ResultSet[Article]]:
    """What the portal of each day asked for says of the words; two thirds of them must occur."""
    window = query.days(access.now.date())
    if window is None or query.date_from is None:
        raise BadInput("Wikipedia's news are asked for by day: give date_from, YYYY-MM-DD.")
    days = [window[0] + timedelta(days=n) for n in range(min((window[1] - window[0]).days + 1, MOST_DAYS))]
    titles = "|".join(map(portal_title, days))
    params: dict[str, Param] = {
        **_form(),
        "prop": "revisions",
        "rvprop": "content",
        "rvslots": "main",
        "titles": titles,
    }
    reply = yield Request.get("/w/api.php", params, headers=identify(access))
    body = parse_wiki_answer(reply, PROVIDER.title)
    pages = {as_text(page["title"]): page for page in list_under(as_object(body["query"]), "pages", PROVIDER.title)}
    listed = [item for day in days for item in _day_items(pages.get(portal_title(day)), day)]
    notes = (ONLY_ENGLISH, *_notes_on_days(days, window[1], pages))
    found = _matching(query.text, listed)
    sent = ("date_from", "date_to", "time_range", "sort_by")
    return ResultSet(tuple(found[: query.count]), unsent_filters(query, *sent), len(found) > query.count, notes)


def places(query: PlaceQuery, access: Access) -> Steps[ResultSet[Place]]:
    """What has an article and stands near a point, or near what an article is about; nearest first."""
    params: dict[str, Param] = {
        **_form(),
        "list": "geosearch",
        **_around(query),
        "gsradius": round(max(10.0, min(query.radius or USUAL_RADIUS, LARGEST_RADIUS))),
        "gslimit": MOST_NEAR,
    }
    reply = yield Request.get("/w/api.php", params, headers=identify(access))
    rows = list_under(as_object(parse_wiki_answer(reply, PROVIDER.title)["query"]), "geosearch", PROVIDER.title)
    near = parse_rows(rows, _parse_place)
    wanted = {stem_word(term.casefold()) for term in significant_terms(query.text)}
    named = [place for place in near if wanted & {stem_word(term.casefold()) for term in significant_terms(place.name)}]
    found = named or near
    notes = (ALL_NEAR,) if near and not named else ()
    too_far = query.radius > LARGEST_RADIUS
    unsent = {name for name, used in (("radius", too_far), ("country", query.country), ("units", query.units)) if used}
    more = len(found) > query.count or len(rows) >= MOST_NEAR
    return ResultSet(tuple(found[: query.count]), frozenset(unsent), more, notes)


def _around(query: PlaceQuery) -> dict[str, Param]:
    if query.latitude is not None and query.longitude is not None:
        return {"gscoord": f"{query.latitude:.6f}|{query.longitude:.6f}"}
    if not (query.near or "").strip():
        raise BadInput("Wikipedia finds places around a point: give near, or latitude and longitude.")
    return {"gspage": " ".join((query.near or "").split())[:200]}


def _parse_place(row: Any) -> Place:
    title, number = as_text(row["title"]), number_or_text(row["pageid"])
    if not title or not number:
        raise UpstreamChanged("Wikipedia's answer has a place without a title.")
    url = _parse_hit(row, "https://en.wikipedia.org").url
    at, distance = (row.get("lat"), row.get("lon")), row.get("dist")
    numbers = [float(each) if type(each) in {int, float} and abs(each) <= 180 else None for each in at]
    known = None not in numbers
    return Place(
        id=f"page/{number}",
        name=title,
        origin=Origin(url=url, record=f"Wikipedia page {number}"),
        latitude=numbers[0] if known else None,
        longitude=numbers[1] if known else None,
        distance=float(distance) if type(distance) in {int, float} and 0 <= distance < FARTHEST else None,
        website=url,
        source=PROVIDER.name,
    )


def portal_title(day: date) -> str:
    return f"Portal:Current events/{day.year} {day:%B} {day.day}"


def _form() -> dict[str, Param]:
    return {"action": "query", "format": "json", "formatversion": 2}


def _language(query: WebQuery) -> tuple[str, tuple[str, ...]]:
    wanted = (query.language or "en").lower().replace("_", "-").partition("-")[0]
    return (wanted, ("language", "exact_terms")) if LANGUAGE.fullmatch(wanted) else ("en", ("exact_terms",))


def _search_request(query: WebQuery, language: str, access: Access, host: str = "") -> Request:
    params: dict[str, Param] = {
        **_form(),
        "list": "search",
        "srsearch": compose_query(query, sites=False, limit=LONGEST_QUERY),
        "srlimit": max(1, min(query.count, MOST_HITS)),
        "srprop": "snippet",
        "srinfo": "totalhits",
    }
    is_default = bool(access[PROVIDER.base_variable()]) or language == "en" or host
    path = "/w/api.php" if is_default else f"https://{language}.wikipedia.org/w/api.php"
    return Request.get(path, params, headers=identify(access), host=host)


def _parse_hit(row: Any, base: str) -> Hit:
    title = as_text(row["title"])
    if not title:
        raise UpstreamChanged("Wikipedia's answer has a page without a title.")
    address = f"{base}/wiki/{quote(title.replace(' ', '_'), safe='/:(),')}"
    return Hit(title=title, url=address, snippet=as_text(row.get("snippet")))


def _quotation(query: WebQuery) -> str:
    """The passage that is asked for word for word, if any."""
    passages = [query.exact_terms or "", *QUOTED.findall(query.text[:2000])]
    return next((passage for passage in passages if len(passage.split()) >= WORDS_OF_A_QUOTATION), "")


def _quotations(query: WebQuery, access: Access) -> Steps[tuple[list[Hit], tuple[str, ...]]]:
    """Wikiquote's pages that hold the passage; that it could not be asked costs no more than a note."""
    asked = WebQuery(text=f'"{_quotation(query)}"', count=query.count)
    reply = yield _search_request(asked, "en", access, host="quotes")
    try:
        rows, _ = found_pages(parse_wiki_answer(reply, "Wikiquote"), "Wikiquote")
        return parse_rows(rows, lambda row: _parse_hit(row, "https://en.wikiquote.org")), ()
    except (WellsourcedError, KeyError) as problem:
        return [], (f"Wikiquote was not searched for the quotation: {problem}",)


def _notes_on_days(days: list[date], last: date, pages: Mapping[str, Any]) -> Iterator[str]:
    if days[-1] < last:
        yield f"Only the first {MOST_DAYS} days, up to {days[-1]}, were looked at; narrow the dates for the rest."
    missing = [day for day in days if not _wikitext(pages.get(portal_title(day)))]
    if missing:
        yield f"Wikipedia has no events of {len(missing)} of the {len(days)} days."


def _wikitext(page: Any) -> str:
    revision = next(objects_in(as_object(page).get("revisions")), {})
    content = as_object(as_object(revision.get("slots")).get("main")).get("content")
    return content if isinstance(content, str) else ""


def _day_items(page: Any, day: date) -> Iterator[tuple[str, Article]]:
    """Each item with a report, and the words it stands under, which name the matter it belongs to."""
    above: dict[int, str] = {}
    for line in COMMENT.sub("", _wikitext(page)).split("\n"):
        depth = len(line) - len(line.lstrip("*"))
        reports = REPORT.findall(line[:20_000])
        text = strip_markup(WIKI_LINK.sub(r"\1", REPORT.sub("", line[depth:20_000])))
        if not depth or not text:
            above = above if depth else {}
            continue
        above = {level: words for level, words in above.items() if level < depth}
        if not reports:
            above[depth] = text
        else:
            address, outlet = reports[0]
            moment = datetime(day.year, day.month, day.day, tzinfo=UTC)
            source = strip_markup(outlet.strip("() ")) or display_host(address)
            yield (
                " ".join([*above.values(), text]),
                Article(title=text, url=address, source=source, published_at=moment),
            )


def _matching(words: str, items: list[tuple[str, Article]]) -> list[Article]:
    wanted = {stem_word(term.casefold()) for term in significant_terms(words)}
    scored = []
    for text, article in items:
        said = {stem_word(term.casefold()) for term in significant_terms(text)}
        share = len(wanted & said) / len(wanted) if wanted else 1.0
        if share >= 2 / 3:
            scored.append((share, article))
    return [article for _, article in sorted(scored, key=lambda pair: -pair[0])]
