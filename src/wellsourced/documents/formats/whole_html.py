"""Official texts in HTML, written whole: acts of the EU (CELLAR, EUR-Lex), opinions of courts, rules and notices.

Headings are recognised by how such texts number themselves: `Article 5` above its title, `CHAPTER II`, the numerals
that an opinion is divided by, lines that are bold as a whole. Acts of the EU are known by the classes of their markup;
other texts come from the sites that read them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wellsourced.documents.document import Document, DocumentFormat, ReadOptions, Unreadable
from wellsourced.documents.filings.subheadings import mark_bold
from wellsourced.documents.formats.filing import LINK, as_block
from wellsourced.documents.markdown_output import MarkdownOutput
from wellsourced.late_pattern import late_pattern

ACT_CLASS = late_pattern(rb"class=[\"'](?:oj-|eli-)?(?:ti-art|oj-ti-art|title-article-norm|doc-ti)[\"' ]")
ACT_REACH = 400_000
LABEL = late_pattern(
    r"(annex|title|part|chapter|section|subsection|article)\s{1,3}([0-9]{1,4}[a-z]?|[IVXLC]{1,8}|[A-Z])\W{0,3}", re.I
)
SOLE = late_pattern(r"annex\W{0,2}", re.I)
LEVELS = {"annex": 2, "title": 2, "part": 2, "chapter": 3, "section": 4, "subsection": 5, "article": 5}
NUMERAL = late_pattern(r"(?P<roman>[IVX]{1,6})\.?|(?P<letter>[A-H])\.?|(?P<digit>[1-9])\.?")
NUMERAL_LEVELS = {"roman": 2, "letter": 3, "digit": 4}
LONGEST_TITLE = 250
LONGEST_BOLD = 150


def is_act(body: bytes) -> bool:
    """Asked of every page: one pattern that begins with a plain word is found faster than three plain words."""
    start = body[:ACT_REACH]
    return ACT_CLASS.search(start) is not None and start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


FORMAT = DocumentFormat(kind="whole_html", is_page=True, matches_bytes=is_act)


def read(body: bytes, options: ReadOptions) -> Document:
    from wellsourced.pages.html import dom, encoding, hidden
    from wellsourced.pages.html.inline import MarkdownStyle
    from wellsourced.pages.html.markdown import write_whole

    document = dom.parse(encoding.decode(body, f"charset={options.charset}" if options.charset else "").text)
    document.remove("nav")
    hidden.remove_hidden(document)
    mark_bold(document)
    titles = dom.select(document, "p.doc-ti, p.oj-doc-ti, .eli-main-title") or dom.select(document, "title")
    title = " ".join(each.text.strip() for each in titles[:3])
    output = MarkdownOutput(options.max_chars)
    for block in with_labels(write_whole(document, MarkdownStyle(tables="data", has_images=False, links="as_written"))):
        output.add(block)
    if not output.text:
        raise Unreadable("The document holds no text.")
    return Document(
        text=output.text,
        content_type="html",
        title=" ".join(title.split())[:LONGEST_TITLE] or None,
        truncated=output.truncated,
    )


def with_labels(chunks: Sequence[str]) -> Iterator[str]:
    """The blocks with labels and numerals as headings; a label takes the short line behind it as its title."""
    words = [as_block(chunk).words for chunk in chunks]
    taken = -1
    for place, chunk in enumerate(chunks):
        if place <= taken:
            continue
        label = LABEL.fullmatch(words[place]) or SOLE.fullmatch(words[place])
        if label:
            title = words[place + 1] if place + 1 < len(chunks) and _is_title(words[place + 1]) else ""
            taken = place + bool(title)
            level = LEVELS[label[0].split()[0].strip(" .:").casefold()]
            yield f"{'#' * level} {'. '.join(filter(None, (words[place].rstrip(' .:'), title)))}"
        elif numeral := NUMERAL.fullmatch(words[place]):
            yield f"{'#' * NUMERAL_LEVELS[numeral.lastgroup or 'digit']} {words[place]}"
        elif _is_bold_line(chunk, words[place]):
            yield f"### {words[place]}"
        else:
            yield LINK.sub(r"\1", chunk)


def _is_title(words: str) -> bool:
    is_short = 0 < len(words) <= LONGEST_TITLE and not words.endswith((".", ";", ":"))
    return is_short and not LABEL.match(words) and not words.startswith(("|", "-", "#", "(", "1"))


def _is_bold_line(chunk: str, words: str) -> bool:
    is_short = (
        len(words) <= LONGEST_BOLD and not words.endswith((".", ":", ";", ",")) and not words.startswith(("|", "#"))
    )
    return is_short and any(map(str.isalpha, words)) and as_block(chunk).is_bold
