"""GitHub: repositories, and issues where the words speak of an error.

API: docs.github.com/rest/search · Key: GITHUB_TOKEN, optional; ten searches a minute without. `incomplete_results`
means that GitHub stopped looking. A refusal for too many requests is HTTP 403 or 429. Recorded 2014 to 2022.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from wellsourced.errors import RateLimited, UpstreamUnavailable
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.dates import parse_moment, range_start
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_count, as_text, parse_rows
from wellsourced.upstreams.helpers.paper_fields import object_or_refusal
from wellsourced.upstreams.helpers.replies import error_object, list_under, required_link
from wellsourced.upstreams.helpers.search_operators import cut_at_word, unsent_filters
from wellsourced.upstreams.types.search import Hit, ResultSet, WebQuery

PROVIDER = Provider(
    name="github_search",
    title="GitHub",
    bases={"": "https://api.github.com"},
    uses=(Setting("GITHUB_TOKEN", "GitHub token; without it 60 requests an hour are allowed.", secret=True),),
    pace=Pace(1, 6.0),
    preference=95,
    automatic=False,
    good_at=("code",),
    about="Repositories and, for words about errors, issues.",
    known_as="github",
)

MOST_RESULTS = 50
LONGEST_QUERY = 256
SNIPPET_LENGTH = 300
PROBLEM = re.compile(
    r"\b(?:error|exception|traceback|bug|issue|crash(?:es|ed)?|fail(?:s|ed)?|regression)\b", re.IGNORECASE
)
TOO_MANY = re.compile(r"rate limit|abuse detection|secondary rate", re.IGNORECASE)
HEADERS = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}


def web(query: WebQuery, access: Access) -> Steps[ResultSet[Hit]]:
    about_problem = bool(PROBLEM.search(query.text[:500]))
    words = " ".join(filter(None, (query.text[:LONGEST_QUERY], f'"{query.exact_terms}"' if query.exact_terms else "")))
    params: dict[str, Param] = {
        "q": " ".join(filter(None, (words, _created(query, access.now), "is:issue" if about_problem else ""))),
        "per_page": max(1, min(query.count, MOST_RESULTS)),
    }
    token = {"Authorization": f"Bearer {access['GITHUB_TOKEN']}"} if access["GITHUB_TOKEN"] else {}
    path = "/search/issues" if about_problem else "/search/repositories"
    body = _parse_answer((yield Request.get(path, params, headers=HEADERS | token)))
    rows = list_under(body, "items", PROVIDER.title)
    hits = parse_rows(rows, lambda row: _parse_hit(row, access.now))
    total = as_count(body["total_count"])
    notes = (
        ("GitHub stopped looking before the end; there may be more.",) if body.get("incomplete_results") is True else ()
    )
    sent = ("date_from", "date_to", "time_range")
    return ResultSet(tuple(hits), unsent_filters(query, *sent), (total or 0) > len(hits), notes)


def _created(query: WebQuery, now: datetime) -> str:
    if window := query.days(now.date()):
        return f"created:{window[0]}..{window[1]}"
    return f"created:>={range_start(query.time_range, now).date()}" if query.time_range else ""


def _parse_answer(reply: Reply) -> Any:
    said = as_text(error_object(reply).get("message")) if reply.status >= 400 else ""
    if reply.status in {403, 429} and (TOO_MANY.search(said) or reply.headers.get("x-ratelimit-remaining") == "0"):
        raise RateLimited(f"GitHub asks for a pause: {said[:200]}", retry_after=reply.retry_after or 60.0)
    if reply.status == 422:
        raise UpstreamUnavailable(f"GitHub refused the query: {said[:200]}")
    return object_or_refusal(reply, PROVIDER.title)


def _parse_hit(row: Any, now: datetime) -> Hit:
    """A repository has a name and stars, an issue a title and a text; a repository's dates are no publication."""
    url = required_link(row["html_url"], PROVIDER.title)
    is_issue = "title" in row
    counts = {"commentCount": row.get("comments")} if is_issue else {"stars": row.get("stargazers_count")}
    text = as_text(row.get("body") if is_issue else row.get("description"))
    facts = [as_text(row.get("state")) if is_issue else as_text(row.get("language")), cut_at_word(text, SNIPPET_LENGTH)]
    return Hit(
        title=as_text(row["title"] if is_issue else row["full_name"]) or url,
        url=url,
        snippet=" · ".join(filter(None, facts)),
        published_at=parse_moment(as_text(row.get("created_at")), now) if is_issue else None,
        engagement={name: count for name, count in counts.items() if type(count) is int} or None,
    )
