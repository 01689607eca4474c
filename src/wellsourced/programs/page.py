"""Fetching for web-fetch-tool: over the guarded client, then HTML to markdown, text and JSON as they are."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from http import HTTPStatus

from wellsourced.errors import BadInput, NetworkFailed, Refused, WellsourcedError
from wellsourced.http_exchange import Reply
from wellsourced.programs.program import HTTP_ERROR, INVALID_URL, NETWORK_ERROR, PARSE_ERROR, ProgramError
from wellsourced.settings import from_environment

SECONDS = 10.0
LARGEST = 16 * 1024 * 1024
REDIRECTS = 10
HEADERS = {
    "accept": "text/html,application/xhtml+xml,text/plain;q=0.9,application/json;q=0.9,*/*;q=0.5",
    "accept-language": "en-US,en;q=0.9",
}
AS_IS = frozenset({"text", "json", "csv", "feed"})


@dataclass(frozen=True, slots=True)
class MarkdownPage:
    url: str
    title: str
    content: str


def fetch_page(url: str) -> MarkdownPage:
    reply = _fetched(url)
    if reply.status >= 400:
        raise ProgramError(f"HTTP {reply.status}: {_phrase(reply.status)}", HTTP_ERROR)
    return _converted(reply)


def _fetched(url: str) -> Reply:
    try:
        return asyncio.run(_fetch(url))
    except (Refused, BadInput) as problem:
        raise ProgramError(problem.sentence, INVALID_URL) from None
    except NetworkFailed as problem:
        raise ProgramError(f"Failed to fetch URL: {problem.sentence}", NETWORK_ERROR) from None
    except WellsourcedError as problem:
        raise ProgramError(f"Failed to fetch URL: {problem.sentence}", NETWORK_ERROR) from None


async def _fetch(url: str) -> Reply:
    """Private and loopback addresses are refused unless ALLOW_PRIVATE_IPS says otherwise, and with ALLOWED_DOMAINS all
    others than those."""
    from wellsourced import __version__
    from wellsourced.net.client import HttpClient, OutgoingRequest
    from wellsourced.net.guard import AddressGuard

    settings = from_environment()
    guard = AddressGuard(settings.flag("ALLOW_PRIVATE_IPS"), settings.names("ALLOWED_DOMAINS"))
    client = HttpClient(guard, user_agent=f"wellsourced/{__version__}")
    wanted = OutgoingRequest(
        "GET", url, HEADERS, timeout=SECONDS, max_bytes=LARGEST, redirects=REDIRECTS, as_chrome=True
    )
    try:
        return await client.send(wanted)
    finally:
        await client.close()


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Error"


def _converted(reply: Reply) -> MarkdownPage:
    from wellsourced.documents import content_kind
    from wellsourced.pages.html import encoding, mhtml

    content_type = reply.headers.get("content-type", "")
    try:
        kind = content_kind.kind_of(reply.body, content_type, reply.url)
    except WellsourcedError as problem:
        raise ProgramError(f"Failed to parse HTML: {problem.sentence}", PARSE_ERROR) from None
    if kind is not None and kind not in AS_IS:
        raise ProgramError(f"Failed to parse HTML: this is a {kind.upper()} document.", PARSE_ERROR)
    text = encoding.decode(*mhtml.unwrap_saved_page(reply.body, content_type)).text
    if kind is not None:
        return MarkdownPage(reply.url, "", text)
    title, content = to_markdown(text)
    return MarkdownPage(reply.url, title, content)


def to_markdown(markup: str) -> tuple[str, str]:
    """Title and content of a whole page, by the table of the program's contract.

    `scrape_page` picks out the main content; this keeps everything that can be seen, and writes an address as it
    stands in the page and text without escapes, because the table says so.
    """
    from wellsourced.pages.html import dom
    from wellsourced.pages.html.hidden import remove_hidden, strip_invisible
    from wellsourced.pages.html.inline import MarkdownStyle
    from wellsourced.pages.html.markdown import write_whole

    document = dom.parse(markup)
    titles = dom.select(document, "title")
    title = " ".join(titles[0].text.split()) if titles else ""
    remove_hidden(document)
    document.remove("nav")
    for choice in dom.select(document, "select"):
        # A list of choices is no markdown of its own: each stands on a line.
        lines = [(dom.Text(option.text), dom.Element("br")) for option in dom.select(choice, "option")]
        choice.replace_with(*[node for line in lines for node in line])
    content = "\n\n".join(write_whole(document, MarkdownStyle(links="as_written", tables="lines")))
    return strip_invisible(title), strip_invisible(content).strip()
