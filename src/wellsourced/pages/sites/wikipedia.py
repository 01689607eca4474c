"""Wikipedia articles in any language, through MediaWiki's `action=parse`, with the date of the last change.

API: mediawiki.org/wiki/API:Parsing_wikitext · Key: none. Each language is a host of its own; with an address set in
WIKIPEDIA_BASE_URL that one is asked for all of them. Follows the documentation, not a recording. The article's markup
goes to the HTML reader; edit links and the table of contents are left out by the interface.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from wellsourced.errors import NotFound, RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Param, Reply, Request
from wellsourced.pages.page import Page
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request, send_requests
from wellsourced.text.plain_text import one_line, strip_markup
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Provider
from wellsourced.upstreams.helpers.json_fields import as_object, objects_in

DOMAINS = ("wikipedia.org",)
SITE = Provider(
    name="wikipedia",
    title="Wikipedia",
    bases={"": "https://en.wikipedia.org"},
    about="Articles in any language.",
)
LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,12}){0,2}|simple")
MISSING = frozenset({"missingtitle", "nosuchpageid", "nosuchrevid"})
UNREADABLE = frozenset({"pagecannotexist", "invalidtitle"})

WIKI_HEADING = re.compile(r"(?m)^(={2,6})([^=\n]{1,300})={2,6}[ \t]*$")
PLAIN_TEXT = "Wikipedia could not show the whole article; this is its plain text, without tables, notes and links."

Fields = Mapping[str, Any]


def matches(address: WebUrl) -> bool:
    return bool(_language(address)) and bool(_title(address))


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    if address is None or not matches(address):
        return None
    language, title = _language(address), _title(address)
    path = "/w/api.php" if access[SITE.base_variable()] else f"https://{language}.wikipedia.org/w/api.php"
    parsed, history = yield from send_requests([Request.get(path, _parse(title)), Request.get(path, _history(title))])
    if parsed is None:
        raise UpstreamUnavailable("Wikipedia did not answer.")
    try:
        answer = _answer(parsed)
    except (UpstreamUnavailable, UpstreamChanged):
        return _extract(language, (yield from send_request(Request.get(path, _extracts(title)))), _last_change(history))
    if answer is None:
        return None
    page = _page(language, answer, _last_change(history), title)
    return SitePage(page=page, extracted_by="wikipedia:api", html=str(answer["text"]))


def _language(address: WebUrl) -> str:
    if not address.is_under(*DOMAINS):
        return ""
    first = address.host.removesuffix("wikipedia.org").rstrip(".").removesuffix(".m")
    return first if LANGUAGE.fullmatch(first) else ""


def _title(address: WebUrl) -> str:
    """The article asked for; `/zh-tw/…` are spellings of the same article. Old revisions are left to the usual way."""
    if {"oldid", "diff", "action", "curid"} & address.query.keys():
        return ""
    if address.path == "/w/index.php" or address.path == "/index.php":
        return address.query.get("title", "")
    is_article = len(address.segments) > 1 and (address.segments[0] == "wiki" or address.segments[0].startswith("zh-"))
    title = "/".join(address.segments[1:]) if is_article else ""
    return "" if title.lower().startswith("special:") or len(title.encode()) > 300 else title.replace("_", " ")


def _parse(title: str) -> Mapping[str, Param]:
    wanted = "text|displaytitle|properties|revid"
    return {**_form("parse"), "page": title, "prop": wanted, "disableeditsection": True, "disabletoc": True}


def _history(title: str) -> Mapping[str, Param]:
    return {**_form("query"), "titles": title, "prop": "revisions", "rvprop": "timestamp"}


def _extracts(title: str) -> Mapping[str, Param]:
    return {**_form("query"), "titles": title, "prop": "extracts", "explaintext": True, "exsectionformat": "wiki"}


def _extract(language: str, reply: Reply, date: str) -> SitePage:
    """The article as plain text, which the interface still gives where it cannot show the whole."""
    body = reply.expect_ok().json()
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict):
        _raise(error, reply)
    listed = as_object(as_object(as_object(body).get("query")).get("pages"))
    pages = list(listed.values()) if listed else as_object(as_object(body).get("query")).get("pages")
    found = next(objects_in(pages), {})
    if "missing" in found:
        raise NotFound(f"Wikipedia has no such article: {one_line(str(found.get('title') or ''))}")
    title, text = one_line(str(found.get("title") or "")), found.get("extract")
    if not title or not isinstance(text, str) or not text.strip():
        raise UpstreamChanged("Wikipedia's answer holds no article.", detail=reply.summary)
    page = _page(language, {"title": title}, date, title)
    markdown = f"# {title}\n\n{WIKI_HEADING.sub(_as_heading, text)}"
    return SitePage(page=replace(page, markdown=markdown, notes=(PLAIN_TEXT,)), extracted_by="wikipedia:extract")


def _as_heading(match: re.Match[str]) -> str:
    return f"\n{'#' * min(6, len(match[1]))} {match[2].strip()}\n"


def _form(action: str) -> dict[str, Param]:
    return {"action": action, "redirects": True, "format": "json", "formatversion": 2}


def _answer(reply: Reply) -> Fields | None:
    """The parsed article, or None for a page that this interface does not show."""
    body = reply.expect_ok().json()
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict):
        _raise(error, reply)
        return None
    parsed = body.get("parse") if isinstance(body, dict) else None
    if not isinstance(parsed, dict) or not isinstance(parsed.get("text"), str) or not parsed.get("title"):
        raise UpstreamChanged("Wikipedia's answer holds no article.", detail=reply.summary)
    return parsed


def _raise(error: Fields, reply: Reply) -> None:
    code, said = str(error.get("code") or ""), one_line(str(error.get("info") or ""))
    if code in MISSING:
        raise NotFound(f"Wikipedia has no such article: {said or code}")
    if code in {"ratelimited", "maxlag"}:
        raise RateLimited(f"Wikipedia asks to wait: {said or code}", retry_after=reply.retry_after)
    if code not in UNREADABLE:
        raise UpstreamUnavailable(f"Wikipedia could not show the article: {said or code}")


def _last_change(reply: Reply | None) -> str:
    """A date is worth having, not worth failing for."""
    if reply is None or reply.status != 200:
        return ""
    try:
        stamp = str(reply.json()["query"]["pages"][0]["revisions"][0]["timestamp"])
    except (UpstreamChanged, KeyError, IndexError, TypeError):
        return ""
    return stamp[:10] if re.fullmatch(r"\d{4}-\d\d-\d\d", stamp[:10]) else ""


def _page(language: str, answer: Fields, date: str, asked: str) -> Page:
    title = one_line(str(answer["title"]))
    address = f"https://{language}.wikipedia.org/wiki/{quote(title.replace(' ', '_'), safe='/:(),')}"
    return Page(
        url=address,
        markdown="",
        title=strip_markup(str(answer.get("displaytitle") or "")) or title,
        date=date,
        site="Wikipedia",
        language=language,
        canonical_url=address,
        notes=tuple(_notes(answer, title, asked)),
    )


def _notes(answer: Fields, title: str, asked: str) -> Iterator[str]:
    if answer.get("redirects"):
        yield f"{asked!r} leads to the article {title!r}."
    properties = answer.get("properties")
    listed = properties if isinstance(properties, list) else []
    named = properties if isinstance(properties, dict) else {i.get("name"): True for i in listed if isinstance(i, dict)}
    if "disambiguation" in named:
        yield "This is a disambiguation page: it lists articles, and is not one itself."
