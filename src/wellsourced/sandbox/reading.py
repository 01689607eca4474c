"""What workers are most often asked for: a document or a web page, read from its bytes."""

from __future__ import annotations

from dataclasses import replace

from wellsourced.documents.document import Document, ReadOptions, Unreadable
from wellsourced.pages.page import Page, count_words
from wellsourced.sandbox.limits import without_garbage_collection
from wellsourced.text.plain_text import strip_invisible

_ready: set[str] = set()
UNSEEN = "The document shows no text: what is written in it is in characters that nobody can see."


def parse_document(kind: str, body: bytes, max_chars: int, charset: str = "", seconds: float = 20.0) -> Document:
    """Read a document in this process; only workers and tests do.

    Characters that have no shape, in which instructions to machines are hidden, are left out.
    """
    from wellsourced.documents.formats import read_document

    with without_garbage_collection():
        document = read_document(kind, body, ReadOptions(max_chars=max_chars, seconds=seconds, charset=charset))
    text = strip_invisible(document.text)
    if document.text.strip() and not text.strip():
        raise Unreadable(UNSEEN)
    title, author = (field and strip_invisible(field) for field in (document.title, document.author))
    return replace(document, text=text, title=title, author=author, word_count=count_words(text))


def get_ready_for_pages() -> None:
    """Load what reading a page needs, so that the first one does not wait for it."""
    from wellsourced.pages.html import extract as html

    html.warm_up()
    _ready.add("pages")


def are_pages_ready() -> bool:
    """Whether a page can be read in this process without loading anything first."""
    return "pages" in _ready


def extract_page(body: bytes, url: str, content_type: str, keep_images: bool = False) -> Page:
    from wellsourced.pages.html import extract as html

    get_ready_for_pages()
    return html.extract(body, url, content_type, keep_images=keep_images)
