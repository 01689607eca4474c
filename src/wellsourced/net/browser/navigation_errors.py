"""Why a browser did not get to a page, in words. The names are Chromium's (net/base/net_error_list.h)."""

from __future__ import annotations

from wellsourced.errors import BrowserUnavailable, NetworkFailed, WellsourcedError
from wellsourced.text.urls import display_url

WORDS: tuple[tuple[str, str], ...] = (
    ("ERR_CERT", "has a certificate that cannot be trusted"),
    ("ERR_SSL", "could not be reached over a secure connection"),
    ("ERR_TOO_MANY_REDIRECTS", "redirects in a circle"),
    ("ERR_EMPTY_RESPONSE", "closed the connection without an answer"),
    ("ERR_CONNECTION", "closed the connection"),
    ("ERR_TUNNEL", "could not be reached"),
    ("ERR_NAME", "is on a server that nobody knows"),
    ("ERR_TIMED_OUT", "did not answer in time"),
    ("ERR_INVALID_HTTP", "did not answer in HTTP"),
    ("ERR_INVALID_RESPONSE", "did not answer in HTTP"),
    ("ERR_CONTENT_DECODING", "sent an answer that is damaged: it could not be decompressed"),
    ("ERR_BLOCKED_BY_RESPONSE", "does not let itself be shown"),
)


class PageCrashed(BrowserUnavailable):
    """The browser, or its process for one page, ended in the middle of a call; the next call has a new one."""

    retryable = True
    action = "retry_after_delay"
    default_wait = 5


class NotAPage(NetworkFailed):
    """A file to be downloaded, or an answer without a body; there is nothing to render, today or tomorrow."""

    retryable = False
    action = "inform_user"


def navigation_failure(url: str, error: str, *, is_download: bool = False) -> WellsourcedError:
    # Chromium says ERR_ABORTED when an answer turns out to be a download, or has no body (204).
    if is_download or error == "net::ERR_ABORTED":
        return NotAPage(f"{display_url(url)} is not a page that a browser shows, but a file or an empty answer.")
    name = error.removeprefix("net::")
    words = next((words for mark, words in WORDS if name.startswith(mark)), "could not be loaded by the browser")
    return NetworkFailed(f"{display_url(url)} {words}.", detail=name)
