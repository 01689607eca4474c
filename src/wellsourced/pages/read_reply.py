"""A reply read as a page: a document, markdown or HTML; walls and error statuses are raised as errors."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

from wellsourced.documents import content_kind
from wellsourced.documents.document import Document
from wellsourced.errors import (
    AuthRequired,
    Blocked,
    ContentEmpty,
    NetworkFailed,
    NotFound,
    RateLimited,
    WellsourcedError,
)
from wellsourced.http_exchange import Reply
from wellsourced.pages.attempts import Reading
from wellsourced.pages.page import Page
from wellsourced.pages.walls import LONG_PAGE, is_mitigated
from wellsourced.sandbox.pool import WorkerPool
from wellsourced.text.markdown_images import leave_alt_texts
from wellsourced.text.plain_text import as_rendered

# With less than this something was probably missed: the next way is tried.
FEWEST_CHARACTERS = 100
TITLE_REACH = 300
# What makes a page a wall stands early; decoding more would only cost time.
WALL_REACH = 256 * 1024
# The longest books; the excerpt that is returned is cut later.
DOCUMENT_CHARACTERS = 5_000_000
MARKDOWN_TYPES = frozenset({"text/markdown", "text/x-markdown"})
WALLS: dict[str, type[WellsourcedError]] = {
    "blocked": Blocked,
    "consent": Blocked,
    "age": Blocked,
    "auth": AuthRequired,
    "paywall": AuthRequired,
    "not_found": NotFound,
    "shell": ContentEmpty,
    "rate_limited": RateLimited,
    "out_of_order": NetworkFailed,
}

REFUSALS = frozenset({"blocked", "consent", "auth", "rate_limited"})
PAGE_START = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,100}<(?:!doctype html|html)", re.IGNORECASE)


async def read_reply(
    reply: Reply, requested: str, tier: str, workers: WorkerPool, html_bytes: int, *, kind: str | None = None
) -> Reading:
    """The reading of an answer; raises what it says instead of content. Of a larger web page the start is read.

    `kind` is the document format where it is known, which the bytes alone may not tell.
    """
    content_type = reply.headers.get("content-type", "")
    is_wall = reply.status >= 400 or is_mitigated(reply.headers)
    if kind and not is_wall and is_short_page(reply.body):
        await raise_for_wall(reply, requested, await workers.extract_page(reply.body, reply.url, content_type),
                             content_type, only=REFUSALS)  # fmt: skip
    kind = None if is_wall else kind or content_kind.kind_of(reply.body, content_type, reply.url)
    if kind is None:
        if len(reply.body) <= html_bytes:
            return await read_html(reply, requested, tier, workers)
        reading = await read_html(replace(reply, body=reply.body[:html_bytes]), requested, tier, workers)
        return replace(reading, notes=(f"Only the first {html_bytes} bytes of the page were read.",))
    if kind == "text" and is_markdown(content_type, reply.url):
        page = await workers.run(read_markdown, reply.body, reply.url, content_type, workers.keep_images)
        return Reading(page=page, extracted_by="markdown")
    charset = named_charset(content_type)
    document = await workers.read_document(kind, reply.body, max_chars=DOCUMENT_CHARACTERS, charset=charset)
    return Reading(page=page_from_document(document, reply.url))


def named_charset(content_type: str) -> str:
    """The encoding that a header names; most documents come without, and need nothing loaded that reads web pages."""
    if "charset" not in content_type.lower():
        return ""
    from wellsourced.pages.html import encoding

    return encoding.named_codec(content_type)


def is_short_page(body: bytes) -> bool:
    """Whether a bot check may have come in place of a text: those are small pages."""
    return len(body) <= WALL_REACH and bool(PAGE_START.match(body))


def is_markdown(content_type: str, url: str) -> bool:
    named = content_type.split(";", 1)[0].strip().lower()
    looks_so = url.split("?", 1)[0].lower().endswith((".md", ".markdown"))
    return named in MARKDOWN_TYPES or (named == "text/plain" and looks_so)


def read_markdown(body: bytes, url: str, content_type: str, keep_images: bool = False) -> Page:
    from wellsourced.pages.html import encoding

    shown = as_rendered(encoding.decode(body, content_type).text)
    text = (shown if keep_images else leave_alt_texts(shown)).strip()
    if len(text) < FEWEST_CHARACTERS // 2:
        raise ContentEmpty(f"{url} answered with {len(text)} characters of markdown.")
    heading = next((line for line in text.splitlines() if line.startswith("# ")), "")
    return Page(url=url, markdown=text, title=leading_heading(heading), content_type="markdown")


async def read_html(reply: Reply, requested: str, tier: str, workers: WorkerPool) -> Reading:
    content_type = reply.headers.get("content-type", "")
    page = await workers.extract_page(reply.body, reply.url, content_type)
    await raise_for_wall(reply, requested, page, content_type, is_rendered=tier == "browser")
    if len(page.plain or page.markdown) < FEWEST_CHARACTERS and page.quality == "complete":
        page = replace(page, quality="partial")
    if not page.markdown.strip():
        raise ContentEmpty(f"{reply.url} holds no text that can be read.")
    return Reading(page=page, extracted_by=tier, quality=page.quality)


async def raise_for_wall(
    reply: Reply,
    requested: str,
    page: Page,
    content_type: str,
    *,
    is_rendered: bool = False,
    only: frozenset[str] = frozenset(),
) -> None:
    """Raise when the reply is a wall (login, paywall, bot check; with `only`, of these kinds) or an error status
    without explanation."""
    if reply.status < 400 and page.word_count >= LONG_PAGE and not is_mitigated(reply.headers):
        return
    from wellsourced.pages.html import encoding
    from wellsourced.pages.walls.detect import detect_wall
    from wellsourced.pages.walls.response_facts import FetchedResponse

    response = FetchedResponse(
        status=reply.status,
        url=reply.url,
        requested_url=requested,
        headers=reply.headers,
        html=encoding.decode(reply.body[:WALL_REACH], content_type).text,
        text=(page.plain or page.markdown)[:WALL_REACH],
        words=page.word_count,
        is_rendered=is_rendered,
    )
    seen = await asyncio.to_thread(detect_wall, response)
    if seen and (not only or seen.kind in only):
        raise WALLS[seen.kind](seen.sentence, retry_after=reply.retry_after, detail=f"HTTP {reply.status}")
    if reply.status >= 400:
        sentence = f"The site answered with HTTP {reply.status}."
        raise NetworkFailed(sentence, retry_after=reply.retry_after, detail=reply.summary)


def leading_heading(text: str) -> str:
    """The heading that a text begins with."""
    first = text[:TITLE_REACH].partition("\n")[0]
    return first.removeprefix("# ").strip() if first.startswith("# ") else ""


def page_from_document(document: Document, url: str) -> Page:
    notes = document.notes
    if document.truncated:
        notes = (*notes, "The document is longer than was read.")
    return Page(
        url=url,
        markdown=document.text,
        title=document.title or leading_heading(document.text),
        author=document.author or "",
        date=document.date.date().isoformat() if document.date else "",
        content_type=document.content_type,
        pages=document.pages or 0,
        notes=notes,
        word_count=document.word_count,
    )
