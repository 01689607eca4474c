"""What workers are most often asked for: a document or a web page, read from its bytes."""

from __future__ import annotations

from dataclasses import replace

from wellsourced.documents.document import Document, ReadOptions, Unreadable
from wellsourced.load_libraries import load_numpy, load_turbohtml
from wellsourced.pages.page import Page, count_words
from wellsourced.sandbox.limits import without_garbage_collection
from wellsourced.text.plain_text import strip_invisible

_ready: set[str] = set()
EXAMPLE_PAGE = (
    "<html lang=en><title>Tides at the café | Example</title><style>.menu { color: #333 }</style>"
    "<nav class=menu><ul><li><a href=/a>Home</a><li><a href=/b>About us</a></ul></nav>"
    "<article><h1>Tides at the café</h1>"
    "<p class=byline>By Ann Example, <time datetime=2024-03-03>3 March 2024</time></p>"
    + "<p>The tide rises and falls twice a day, as <a href=/c>the moon</a> draws the water along; it was the 5th "
    "of May when the <em>café</em> by the harbour was last flooded.</p>"
    * 4
    + "<h2>Heights</h2><table><tr><th>Place<th>Metres<tr><td>Harbour<td>3.2</table>"
    "<ul><li>Spring tides are higher.<li>Neap tides are lower.</ul></article>"
    "<aside><h3>Related</h3><ul><li><a href=/d>Read more: winds</a></ul></aside>"
    "<footer><p>© 2024 Example</p></footer></html>"
)
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
    """Load what reading a page needs and read one: what is made when it is first used would else keep the first caller
    waiting, three times as long as a page takes later."""
    load_numpy()
    load_turbohtml()
    extract_page(EXAMPLE_PAGE.encode(), "https://example.org/", "text/html; charset=utf-8")


def are_pages_ready() -> bool:
    """Whether a page can be read in this process without loading anything first."""
    return "pages" in _ready


def extract_page(body: bytes, url: str, content_type: str, keep_images: bool = False) -> Page:
    from wellsourced.pages.html import extract as html

    page = html.extract(body, url, content_type, keep_images=keep_images)
    _ready.add("pages")
    return page
