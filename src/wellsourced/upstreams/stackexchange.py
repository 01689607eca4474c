"""Stack Exchange: questions with their answers, on Stack Overflow and its sister sites.

API: api.stackexchange.com/docs · Key: STACKEXCHANGE_KEY, optional; 300 requests a day without. `backoff` is a pause
that must be kept. Too many requests are HTTP 400 with `throttle_violation`. Texts under CC BY-SA: author and link are
to be named. Follows the documentation; no recorded answer.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from typing import Any

from wellsourced.errors import RateLimited, UpstreamUnavailable
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.dates import range_start
from wellsourced.text.urls import site_parts
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_count, as_object, as_text, parse_rows, texts_in
from wellsourced.upstreams.helpers.paper_fields import object_or_refusal
from wellsourced.upstreams.helpers.replies import error_object, list_under, required_link
from wellsourced.upstreams.helpers.search_operators import cut_at_word, unsent_filters
from wellsourced.upstreams.types.search import Hit, ResultSet, WebQuery

PROVIDER = Provider(
    name="stackexchange",
    title="Stack Exchange",
    bases={"": "https://api.stackexchange.com"},
    uses=(Setting("STACKEXCHANGE_KEY", "Key of Stack Apps; raises 300 requests a day to 10,000.", secret=True),),
    pace=Pace(1),
    preference=94,
    automatic=False,
    good_at=("code",),
    about="Questions and answers on programming and, by site, on much else.",
    attribution="Stack Exchange, CC BY-SA 4.0; name the author and link the question.",
)

MOST_RESULTS = 50
SNIPPET_LENGTH = 300
SITES = re.compile(r"(?:([a-z0-9-]{2,40})\.stackexchange\.com|(stackoverflow|superuser|serverfault|askubuntu)\.com)")
WAIT = re.compile(r"available in ([0-9]{1,6}) seconds")


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    window = query.days(access.now.date())
    start = int(range_start(query.time_range, access.now).timestamp()) if query.time_range else None
    params: dict[str, Param] = {
        "q": " ".join(filter(None, (query.text, f'"{query.exact_terms}"' if query.exact_terms else ""))),
        "site": _site(query),
        "pagesize": max(1, min(query.count, MOST_RESULTS)),
        "order": "desc",
        "sort": "relevance",
        "filter": "withbody",
        "fromdate": _seconds(window[0]) if window else start,
        "todate": _seconds(window[1], time.max) if window else None,
        "key": access["STACKEXCHANGE_KEY"] or None,
    }
    reply = yield Request.get("/2.3/search/advanced", params)
    body = _parse_answer(reply)
    hits = parse_rows(list_under(body, "items", PROVIDER.title), _parse_hit)
    sent = ("date_from", "date_to", "time_range")
    pause = float(as_count(body.get("backoff")) or 0)
    return ResultSet(tuple(hits), unsent_filters(query, *sent), body.get("has_more") is True, pause=pause)


def _site(query: WebQuery) -> str:
    """The site that the search is limited to, where it is one of these; else Stack Overflow."""
    named = (SITES.fullmatch(site_parts(site)[0].removeprefix("www.")) for site in query.sites)
    return next((match[1] or match[2] for match in named if match), "stackoverflow")


def _seconds(day: date, moment: time = time.min) -> int:
    return int(datetime.combine(day, moment, tzinfo=UTC).timestamp())


def _parse_answer(reply: Reply) -> Any:
    problem = as_object(error_object(reply)) if reply.status >= 400 else {}
    said = as_text(problem.get("error_message"))
    if as_text(problem.get("error_name")) == "throttle_violation" or problem.get("error_id") == 502:
        wait = WAIT.search(said)
        raise RateLimited(f"Stack Exchange asks for a pause: {said}", retry_after=float(wait[1]) if wait else None)
    if said:
        raise UpstreamUnavailable(f"Stack Exchange refused the request: {said[:300]}")
    return object_or_refusal(reply, PROVIDER.title)


def _parse_hit(row: Any) -> Hit:
    url = required_link(row["link"], PROVIDER.title)
    counts = {"points": row.get("score"), "answerCount": row.get("answer_count")}
    author = as_text(as_object(row.get("owner")).get("display_name"))
    facts = [
        "accepted answer" if row.get("accepted_answer_id") else "answered" if row.get("is_answered") is True else "",
        ", ".join(texts_in(row.get("tags"))),
        f"by {author}" if author else "",
    ]
    asked = row.get("creation_date")
    body = cut_at_word(as_text(row.get("body")), SNIPPET_LENGTH)
    return Hit(
        title=as_text(row["title"]) or url,
        url=url,
        snippet=" · ".join(filter(None, facts)),
        published_at=datetime.fromtimestamp(asked, UTC) if type(asked) is int and 0 < asked < 2**33 else None,
        extra_snippets=(body,) if body else (),
        engagement={name: count for name, count in counts.items() if type(count) is int} or None,
    )
