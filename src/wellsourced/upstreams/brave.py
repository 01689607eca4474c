"""Brave Search: an index of its own, for pages, pictures and news.

API: api-dashboard.search.brave.com/app/documentation. Key: BRAVE_API_KEY. No `Api-Version` is sent: only published
versions are answered, any other date is a 404. A wrong or missing key is HTTP 422. Rate headers hold two windows,
the second and the month; a monthly limit of 0 means no cap. Checked 2026-11-15.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, NoReturn

from wellsourced.errors import KeyRejected, OutOfCredit, RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.dates import parse_moment
from wellsourced.text.urls import host_of, unwrap_redirect
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_object, as_size, as_text, parse_rows
from wellsourced.upstreams.helpers.replies import error_object, list_under, parse_object, required_link
from wellsourced.upstreams.helpers.search_operators import compose_query
from wellsourced.upstreams.types.search import Article, Hit, Image, ImageQuery, NewsQuery, ResultSet, WebQuery

PROVIDER = Provider(
    name="brave",
    title="Brave Search",
    bases={"": "https://api.search.brave.com"},
    needs=(Setting("BRAVE_API_KEY", "Key of the Brave Search API.", secret=True),),
    uses=(
        Setting("BRAVE_EXTRA_SNIPPETS", "Ask for up to five more excerpts a result; not in every plan.", kind="flag"),
    ),
    pace=Pace(1, 1.0),
    preference=10,
    about="Independent web index; pages, pictures, news, goggles.",
)

MOST_CHARACTERS, MOST_WORDS, MOST_SITES = 400, 50, 15  # Brave refuses longer queries
MOST_FILTER_WORDS = 45  # more filters would leave no place for the query itself
FRESHNESS = {"hour": "pd", "day": "pd", "week": "pw", "month": "pm", "year": "py"}
SAFE = {"off": "off", "medium": "moderate", "high": "strict"}
# Any other country or language is answered with an error, so it is not sent.
COUNTRIES = (
    "AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US"
)
LANGUAGES = (
    "ar eu bn bg ca zh-hans zh-hant hr cs da nl en en-gb et fi fr gl de gu he hi hu is it jp kn ko lv lt ms ml mr nb"
    " pl pt-br pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi"
)
# Brave has language codes of its own for some of the usual ones.
OWN_SPELLING = {
    **{"ja": "jp", "no": "nb", "nn": "nb", "iw": "he", "pt": "pt-pt"},
    **{"zh": "zh-hans", "zh-cn": "zh-hans", "zh-sg": "zh-hans"},
    **{"zh-tw": "zh-hant", "zh-hk": "zh-hant", "zh-mo": "zh-hant"},
}
PICTURE_FILTERS = ("size", "type", "color_type", "dominant_color", "file_type")
LONG_WINDOW = 3600  # seconds; a longer window is the monthly quota, not the pace


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    query_text, not_sent = _fit_query_limits(query)
    params = {**_page_params(query, access, query_text), "count": _clamp(query.count, 20), "result_filter": "web"}
    reply = yield Request.get("/res/v1/web/search", params, headers=_headers(access))
    body = _parse_reply(reply)
    hits = parse_rows(_web_rows(body), lambda row: _parse_hit(row, access.now))
    return ResultSet(
        tuple(hits), not_sent | query.hour_unsent | _unsupported_regions(query), _more_available(body["query"])
    )


def news(query: NewsQuery, access: Access) -> Steps[ResultSet[Article]]:
    query_text, not_sent = _fit_query_limits(query)
    params = {**_page_params(query, access, query_text), "count": _clamp(query.count, 50)}
    reply = yield Request.get("/res/v1/news/search", params, headers=_headers(access))
    articles = parse_rows(
        list_under(_parse_reply(reply), "results", "Brave"), lambda row: _parse_article(row, access.now)
    )
    unsorted = {"sort_by"} if query.sort_by != "relevance" else set()
    return ResultSet(tuple(articles), not_sent | query.hour_unsent | _unsupported_regions(query) | unsorted)


def images(query: ImageQuery, access: Access) -> Steps[ResultSet[Image]]:
    query_text, not_sent = _fit_query_limits(query)
    params = {
        **_common_params(query, query_text),
        "count": _clamp(query.count, 200),
        "safesearch": "off" if query.safe == "off" else "strict",
    }
    reply = yield Request.get("/res/v1/images/search", params, headers=_headers(access))
    pictures = parse_rows(list_under(_parse_reply(reply), "results", "Brave"), _parse_image)
    missing = {name for name in (*PICTURE_FILTERS, "time_range") if getattr(query, name)}
    return ResultSet(tuple(pictures), not_sent | _unsupported_regions(query) | missing)


def _headers(access: Access) -> dict[str, str]:
    return {"Accept": "application/json", "X-Subscription-Token": access["BRAVE_API_KEY"]}


def _common_params(query: WebQuery, query_text: str) -> dict[str, Param]:
    return {"q": query_text, "country": _country_code(query), "search_lang": _language_code(query)}


def _page_params(query: WebQuery, access: Access, query_text: str) -> dict[str, Param]:
    return {
        **_common_params(query, query_text),
        "safesearch": SAFE[query.safe],
        "freshness": _freshness(query, access.now),
        "text_decorations": False,
        "goggles": query.goggle,
        "extra_snippets": True if access.is_on("BRAVE_EXTRA_SNIPPETS") else None,
    }


def _freshness(query: WebQuery, now: datetime) -> str | None:
    if days := query.days(now.date()):
        return f"{days[0]}to{days[1]}"
    return FRESHNESS[query.time_range] if query.time_range else None


def _clamp(count: int, most: int) -> int:
    return max(1, min(count, most))


def _fit_query_limits(query: WebQuery) -> tuple[str, frozenset[str]]:
    """The query text in 400 characters and 50 words, and the filters that did not fit."""
    query = replace(query, sites=query.sites[:MOST_SITES])
    exclude = len(compose_query(replace(query, text="")).split()) <= MOST_FILTER_WORDS
    filters = len(compose_query(replace(query, text=""), exclude=exclude).split())
    kept = query.text.split()[: max(1, MOST_WORDS - filters)]
    query_text = compose_query(replace(query, text=" ".join(kept)), exclude=exclude, limit=MOST_CHARACTERS)
    not_sent = {"site"} if query.sites and "site:" not in query_text else set()
    return query_text, frozenset(not_sent if exclude else not_sent | {"exclude_terms"})


def _country_code(query: WebQuery) -> str | None:
    code = (query.country or "").upper()
    code = "GB" if code == "UK" else code
    return code if code in COUNTRIES.split() else None


def _language_code(query: WebQuery) -> str | None:
    """Brave's own spelling: `jp` for Japanese, scripts for Chinese, no plain `pt`."""
    tag = (query.language or "").lower().replace("_", "-")
    if tag == "pt" and _country_code(query) == "BR":
        return "pt-br"
    for spelling in (tag, tag.rpartition("-")[0], tag.partition("-")[0]):
        code = OWN_SPELLING.get(spelling, spelling)
        if code in LANGUAGES.split():
            return code
    return None


def _unsupported_regions(query: WebQuery) -> frozenset[str]:
    """Languages and countries that Brave does not know; sending one would be answered with an error."""
    unknown = {
        "language": query.language and not _language_code(query),
        "country": query.country and not _country_code(query),
    }
    return frozenset(name for name, is_unknown in unknown.items() if is_unknown)


def _web_rows(body: Mapping[str, Any]) -> list[Any]:
    """The `web` section is left out when nothing was found; then nothing else may speak of web results."""
    if "web" in body:
        return list_under(body["web"], "results", "Brave")
    places = body["mixed"]["main"] if "mixed" in body else ()
    if body["type"] != "search" or any(place["type"] == "web" for place in places):
        raise UpstreamChanged("Brave's answer announces web results and holds none.")
    return []


def _more_available(about: Any) -> bool | None:
    match about:
        case {"more_results_available": bool(more)}:
            return more
        case dict():
            return None
    raise UpstreamChanged("Brave's answer does not say what was asked.")


def _parse_hit(row: Mapping[str, Any], now: datetime) -> Hit:
    url = unwrap_redirect(required_link(row["url"], "Brave"))
    return Hit(
        title=as_text(row.get("title")) or url,
        url=url,
        snippet=as_text(row.get("description")),
        published_at=_publication_date(row, now),
        extra_snippets=_extra_snippets(row),
    )


def _parse_article(row: Mapping[str, Any], now: datetime) -> Article:
    hit = _parse_hit(row, now)
    return hit.as_article(host_of(hit.url).removeprefix("www."))


def _parse_image(row: Mapping[str, Any]) -> Image:
    """`url` is the page; the picture is in `properties`. Sizes come only in newer answers."""
    page, picture, thumbnail = required_link(row["url"], "Brave"), row["properties"], row.get("thumbnail")
    return Image(
        title=as_text(row.get("title")) or page,
        link=required_link(picture["url"], "Brave"),
        thumbnail_link=required_link(thumbnail["src"], "Brave") if thumbnail else None,
        context_link=page,
        width=as_size(picture.get("width")),
        height=as_size(picture.get("height")),
    )


def _publication_date(row: Mapping[str, Any], now: datetime) -> datetime | None:
    return parse_moment(as_text(row.get("page_age")), now) or parse_moment(as_text(row.get("age")), now)


def _extra_snippets(row: Mapping[str, Any]) -> tuple[str, ...]:
    snippets = row.get("extra_snippets")
    return tuple(as_text(snippet) for snippet in (snippets if isinstance(snippets, list) else ()))


def _parse_reply(reply: Reply) -> dict[str, Any]:
    if reply.status >= 400:
        _raise_refusal(reply)
    return parse_object(reply, "Brave")


def _raise_refusal(reply: Reply) -> NoReturn:
    error = _parse_error(reply)
    code, detail = str(error.get("code", "")), str(error.get("detail") or reply.summary)[:200]
    if code.startswith("SUBSCRIPTION") or _misses_key(error):
        raise KeyRejected(f"Brave does not accept the key: {detail}")
    if reply.status == 402:
        raise OutOfCredit(f"Brave: {detail}")
    if reply.status == 429:
        _raise_rate_limit(reply, error, detail)
    if error:
        raise UpstreamUnavailable(f"Brave refused the request: {detail}", detail=reply.summary)
    reply.expect_ok()
    raise UpstreamUnavailable(f"Brave answered HTTP {reply.status}.")


def _parse_error(reply: Reply) -> Mapping[str, Any]:
    """`error` in live answers, `errors` in Brave's own examples, nothing in a proxy's page."""
    body = error_object(reply)
    errors = body.get("error") or body.get("errors")
    return as_object(errors[0] if isinstance(errors, list) and errors else errors)


def _misses_key(error: Mapping[str, Any]) -> bool:
    return "x-subscription-token" in str(as_object(error.get("meta")).get("errors", "")).lower()


def _raise_rate_limit(reply: Reply, error: Mapping[str, Any], detail: str) -> NoReturn:
    """A spent month and a second too fast share the status 429; headers and `meta` tell them apart."""
    spent = [window for window in _rate_windows(reply) if window[0] > 0 and window[1] <= 0]
    months = [reset for _, _, reset in spent if reset > LONG_WINDOW]
    limit, current = as_object(error.get("meta")).get("quota_limit"), as_object(error.get("meta")).get("quota_current")
    is_used_up = isinstance(limit, int) and isinstance(current, int) and 0 < limit <= current
    # Waiting a second helps against the pace, never against a spent month.
    if months or is_used_up:
        wait = max(months) if months else None
        raise OutOfCredit(f"Brave: the quota of the plan is used up. {detail}", retry_after=wait)
    wait = reply.retry_after or max((reset for _, _, reset in spent), default=1.0)
    raise RateLimited(f"Brave: {detail}", retry_after=wait)


def _rate_windows(reply: Reply) -> list[tuple[float, float, float]]:
    """Limit, remaining and seconds until reset of each window in the rate headers."""
    columns = [
        [part.strip() for part in reply.headers.get(f"x-ratelimit-{name}", "").split(",")]
        for name in ("limit", "remaining", "reset")
    ]
    rows = zip(*columns, strict=False)
    return [(float(a), float(b), float(c)) for a, b, c in rows if a.isdecimal() and b.isdecimal() and c.isdecimal()]
