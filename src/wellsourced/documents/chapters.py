"""Chapters of books and other HTML inside documents, as blocks of markdown.

They are written to be read whole, so nothing is scored or left out except scripts, navigation and hidden parts.
"""

from __future__ import annotations

import re

from wellsourced.late_pattern import late_pattern

VOID_TAGS = "area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr"
SELF_CLOSED = late_pattern(
    rf"""<(?!(?:{VOID_TAGS})[\s/])([a-zA-Z][\w:.-]{{0,40}}+)((?:[^<>"'/]++|/(?!>)|"[^"<]{{0,2000}}+"|'[^'<]{{0,2000}}+')*+)/>""",
    re.I,
)


def chapter_blocks(data: bytes) -> list[str]:
    """The markdown blocks of a chapter, in order."""
    from wellsourced.pages.html import dom, encoding, hidden
    from wellsourced.pages.html.inline import MarkdownStyle
    from wellsourced.pages.html.markdown import write_whole

    text = encoding.decode(data, "").text
    # XHTML closes any element with a slash; to a browser `<script/>` would open one that holds the rest.
    document = dom.parse(SELF_CLOSED.sub(r"<\1\2></\1>", text))
    document.remove("nav")
    hidden.remove_hidden(document)
    return write_whole(document, MarkdownStyle(tables="all", has_images=False))
