"""MediaWiki's interface, which Wikipedia and Wikidata share: errors that come with HTTP 200, and lists of pages found.

API: mediawiki.org/wiki/API:Search. A wiki asks for a User-Agent with a contact and one request after the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellsourced.errors import BadInput, RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Reply
from wellsourced.upstreams.helpers.json_fields import as_count, as_object, as_text
from wellsourced.upstreams.helpers.paper_fields import object_or_refusal
from wellsourced.upstreams.helpers.replies import list_under

WAIT = frozenset({"ratelimited", "maxlag", "readonly", "actionthrottledtext"})
OURS = frozenset({"cirrussearch-query-too-long", "badvalue", "missingparam", "invalidsearch"})


def parse_wiki_answer(reply: Reply, title: str) -> Mapping[str, Any]:
    """The object of an answer, or the error that stands in it."""
    body = object_or_refusal(reply, title)
    error = body.get("error")
    if error is None:
        return body
    code, said = as_text(as_object(error).get("code")), as_text(as_object(error).get("info"))
    if code in WAIT:
        raise RateLimited(f"{title} asks to wait: {said or code}", retry_after=reply.retry_after)
    if code in OURS:
        raise BadInput(f"{title} does not accept the query: {said or code}")
    raise UpstreamUnavailable(f"{title} refused the request: {said or code or 'no reason given'}")


def found_pages(body: Mapping[str, Any], title: str) -> tuple[list[Any], int | None]:
    """The pages found and how many there are in all, where that was said."""
    query = as_object(body["query"])
    rows = list_under(query, "search", title)
    total = as_count(as_object(query.get("searchinfo")).get("totalhits"))
    if total and not rows:
        raise UpstreamChanged(f"{title}'s answer announces pages and holds none.")
    return rows, total
