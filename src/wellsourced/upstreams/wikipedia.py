"""Wikipedia: articles by words, what is quoted on Wikiquote, and the events of past days.

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
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, objects_in, parse_rows
from wellsourced.upstreams.helpers.mediawiki import found_pages, parse_wiki_answer
from wellsourced.upstreams.helpers.replies import list_under
from wellsourced.upstreams.helpers.search_operators import compose_query, unsent_filters
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
    about="Articles in any language, quotations, and the events of given days.",
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
