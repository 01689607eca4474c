"""GDELT: online news in 65 languages, about the last three months of it.

API: blog.gdeltproject.org/gdelt-doc-2-0-api-debuts · Key: none; one request in five seconds, and a penalty that
grows: after a refusal it is left alone for a quarter of an hour. Refusals and mistakes are prose, often with HTTP
200. `seendate` is when GDELT saw an article, minutes after it appeared. Words of one or two letters are refused.
Recorded in part 2026-07.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, time, timedelta
from typing import Any

from wellsourced.errors import BadInput, RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.text.plain_text import one_line
from wellsourced.text.urls import site_parts
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.gdelt_names import COUNTRY_NAMES, LANGUAGE_NAMES
from wellsourced.upstreams.helpers.json_fields import as_text, parse_rows
from wellsourced.upstreams.helpers.replies import list_under, required_link
from wellsourced.upstreams.helpers.search_operators import split_excluded, unsent_filters
from wellsourced.upstreams.types.search import Article, NewsQuery, ResultSet

PROVIDER = Provider(
    name="gdelt",
    title="GDELT",
    bases={"": "https://api.gdeltproject.org"},
    pace=Pace(1, 5.1),
    timeout=25,
    preference=85,
    about="News of about the last three months in 65 languages; no texts, only headlines.",
    attribution="GDELT Project (gdeltproject.org).",
)

MOST_ARTICLES = 250
REACH = timedelta(days=92)
PENALTY = 900.0  # seconds
SPANS = {"hour": "60min", "day": "24h", "week": "7d", "month": "30d", "year": "3months"}
WORD = re.compile(r'"[^"]{2,200}"|[^\s"()]{1,100}')
BAD_ESCAPE = re.compile(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
LOOSE_SIGN = re.compile(r"(?<!\s)\s+(?=[,.;:!?%’)\]])|(?<=[(\[])\s+")
LOOSE_S = re.compile(r"(?<=\w) ['’] (?=(?:s|t|re|ve|ll|d|m)\b)")
SEEN = "Times are when GDELT saw an article, mostly minutes after it appeared."
BEYOND = "GDELT's search reaches back about three months: that it has nothing older says nothing about the news."


def news(query: NewsQuery, access: Access) -> Steps[ResultSet[Article]]:
    words, sent = compose(query)
    params: dict[str, Param] = {
        "query": words,
        "mode": "artlist",
        "format": "json",
        "maxrecords": max(1, min(query.count, MOST_ARTICLES)),
        "sort": "datedesc" if query.sort_by == "date" else "hybridrel",
        **_window(query, access.now),
    }
    body = parse_answer((yield Request.get("/api/v2/doc/doc", params)))
    rows = list_under(body, "articles", PROVIDER.title) if "articles" in body else []
    articles = parse_rows(rows, _parse_article)
    is_old = query.date_from is not None and access.now.date() - query.date_from > REACH
    notes = (SEEN,) if articles else (BEYOND,) if is_old or query.time_range == "year" else ()
    lost = {"time_range"} if query.time_range == "year" and not query.date_from else set()
    unsent = unsent_filters(query, *sent, "time_range", "date_from", "date_to", "sort_by", "exact_terms") | lost
    return ResultSet(tuple(articles), frozenset(unsent), len(articles) >= query.count or None, notes)


def compose(query: NewsQuery) -> tuple[str, list[str]]:
    """The query in GDELT's words, and which of language and country it says."""
    words = [word for word in WORD.findall(query.text) if len(word.strip('"-')) > 2 or not word.isascii()]
    words = [word for word in words if word not in {"AND", "OR", "NOT"}]
    words += [f'"{query.exact_terms}"'] if query.exact_terms else []
    if not words:
        raise BadInput("GDELT wants a word of three letters or more.")
    words += [f'-"{term}"' if " " in term else f"-{term}" for term in split_excluded(query.exclude_terms)]
    hosts = [f"domainis:{site_parts(site)[0]}" for site in query.sites]
    words += hosts if len(hosts) < 2 else [f"({' OR '.join(hosts)})"]
    filters = {
        "language": ("sourcelang", LANGUAGE_NAMES.get((query.language or "").lower().partition("-")[0])),
        "country": ("sourcecountry", COUNTRY_NAMES.get((query.country or "").upper())),
    }
    said = {field: f"{operator}:{name}" for field, (operator, name) in filters.items() if name}
    return " ".join([*words, *said.values()]), list(said)


def _window(query: NewsQuery, now: datetime) -> dict[str, Param]:
    """Both ends are exclusive."""
    days = query.days(now.date())
    if days is None:
        return {"timespan": SPANS[query.time_range] if query.time_range else "3months"}
    start = datetime.combine(days[0], time.min) - timedelta(seconds=1)
    end = datetime.combine(days[1], time.min) + timedelta(days=1)
    return {"startdatetime": f"{start:%Y%m%d%H%M%S}", "enddatetime": f"{end:%Y%m%d%H%M%S}"}


def parse_answer(reply: Reply) -> Any:
    """The object; prose is a refusal, whatever the status, and never an empty list."""
    text = reply.text.strip()
    if reply.status == 429 or "limit requests" in text[:300].lower():
        raise RateLimited("GDELT asks for a pause; what it has is not known.", retry_after=reply.retry_after or PENALTY)
    reply.expect_ok()
    if not text.startswith(("{", "[")):
        _raise_prose(text, reply)
    try:
        body = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        body = _repaired(text, reply)
    if not isinstance(body, dict) or (body and "articles" not in body):
        raise UpstreamChanged("GDELT's answer has no list of articles.", detail=reply.summary)
    return body


def _raise_prose(text: str, reply: Reply) -> None:
    if not text or text.startswith("<") or len(text) > 500:
        raise UpstreamChanged("GDELT's answer is not a list of articles.", detail=reply.summary)
    if "too short" in text or "too long" in text or "too common" in text:
        raise BadInput(f"GDELT does not take the query: {one_line(text)[:200]}")
    raise UpstreamUnavailable(f"GDELT refused the request: {one_line(text)[:200]}")


def _repaired(text: str, reply: Reply) -> Any:
    """Titles carry backslashes that belong to no escape."""
    try:
        return json.loads(BAD_ESCAPE.sub(r"\\\\", text), strict=False)
    except (ValueError, RecursionError) as problem:
        raise UpstreamChanged("GDELT's answer is not JSON.", detail=f"{problem} {reply.summary}") from None


def _parse_article(row: Any) -> Article:
    url = required_link(row["url"], PROVIDER.title)
    title = LOOSE_SIGN.sub("", LOOSE_S.sub("'", as_text(row["title"])))
    return Article(
        title=title or url,
        url=url,
        source=as_text(row.get("domain")) or site_parts(url)[0],
        published_at=_moment(as_text(row.get("seendate"))),
    )


def _moment(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError:
        return None
