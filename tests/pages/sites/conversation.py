"""Holding a conversation with a site without a network: a function stands for the site and answers each request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from wellsourced.http_exchange import Reply, Request
from wellsourced.pages.site_page import SitePage
from wellsourced.pages.sites import site_for
from wellsourced.upstream import Access

NOW = datetime(2026, 11, 15, tzinfo=UTC)
MOST_STEPS = 20

Answers = Callable[[Request], Reply | None]


def hold(url: str, answers: Answers, values: Mapping[str, str] | None = None) -> tuple[list[Request], SitePage | None]:
    """All requests that were made, those of a batch one after the other, and what was read."""
    site = site_for(url)
    assert site, f"no site knows {url}"
    steps = site.read(url, Access(values or {}, NOW))
    asked: list[Request] = []
    sent: Any = None
    for _ in range(MOST_STEPS):
        try:
            wanted = steps.send(sent)
        except StopIteration as done:
            return asked, done.value
        batch = wanted if isinstance(wanted, tuple) else (wanted,)
        asked += batch
        replies = tuple(answers(request) for request in batch)
        sent = replies if isinstance(wanted, tuple) else replies[0]
    raise AssertionError("the conversation does not end")


def page_of(url: str, answers: Answers, values: Mapping[str, str] | None = None) -> SitePage:
    found = hold(url, answers, values)[1]
    assert found is not None
    return found
