"""Services behind api.data.gov: one key for all of them, and one way in which they refuse."""

from __future__ import annotations

from typing import NoReturn

from wellsourced.errors import KeyRejected, RateLimited, UpstreamUnavailable
from wellsourced.http_exchange import Reply
from wellsourced.settings.setting import Setting
from wellsourced.upstreams.helpers.json_fields import as_object, as_text
from wellsourced.upstreams.helpers.replies import error_object

DATA_GOV_KEY = Setting(
    "DATA_GOV_API_KEY", "Key of api.data.gov, free; for Congress.gov and Regulations.gov.", secret=True
)


def raise_data_gov_refusal(reply: Reply, title: str) -> NoReturn:
    """Raise what `{"error": {"code": …, "message": …}}`, or the status alone, means."""
    error = as_object(error_object(reply).get("error"))
    code, message = as_text(error.get("code")), as_text(error.get("message"))[:200]
    if reply.status == 429 or code == "OVER_RATE_LIMIT":
        raise RateLimited(f"{title}: {message or 'too many requests'}", retry_after=reply.retry_after)
    if code.startswith("API_KEY"):
        raise KeyRejected(f"{title} does not accept the key: {message}")
    reply.expect_ok()
    raise UpstreamUnavailable(f"{title} answered HTTP {reply.status}.")
