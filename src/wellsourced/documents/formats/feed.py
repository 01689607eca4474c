"""RSS 0.9x, 1.0 and 2.0 and Atom (RFC 4287) as a list of entries, whatever their namespaces."""

from __future__ import annotations

import re

from wellsourced.documents.document import HTML_START, Document, DocumentFormat, ReadOptions, TextStart, Unreadable
from wellsourced.documents.markdown_output import MarkdownOutput, cut_text
from wellsourced.documents.timestamps import parse_timestamp
from wellsourced.documents.xml import Element, attribute, local_name, parse_xml, text_of

MOST_ENTRIES = 500
LONGEST_SUMMARY = 1_000
# Publication comes before change.
DATES = ("published", "pubDate", "date", "issued", "updated", "lastBuildDate", "modified")
_APART = (
    "address article aside blockquote body br center dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 "
    "header hr html img li main ol p pre section table td th tr ul"
)
APART = frozenset(_APART.split())
SKIPPED = frozenset({"script", "style", "head", "template", "noscript", "svg", "audio", "video", "rp", "nav"})
DECLARATION = re.compile(r"<\?xml\b[^>]{0,300}\?>")
# Feeds are often put together as strings; CDATA sections may hold any ampersand.
BARE_AMPERSAND = re.compile(r"<!\[CDATA\[.*?(?:\]\]>|\Z)|&(?!#?\w{1,32};)", re.S)
OTHER_SCHEME = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]{0,30}:", re.I)
SUMMARIES = ("summary", "description", "encoded", "content")

FEED_ROOT = re.compile(r"<(?:\w+:)?(?:rss|feed|RDF)[\s>]")


def _is_feed_start(start: TextStart) -> bool:
    """HTML may hold such a tag as well, so a body that starts as HTML is none."""
    if HTML_START.match(start.text) or not start.text.lstrip("\ufeff \r\n\t").startswith("<"):
        return False
    return FEED_ROOT.search(start.text) is not None


FORMAT = DocumentFormat(kind="feed", is_markup=True, matches_text=_is_feed_start)


def read(body: bytes, options: ReadOptions) -> Document:
    """Title, link, date and summary of each entry, in the feed's own order."""
    root = parse_xml(_mended(body, options.charset), "the feed")
    channel = next((item for item in root if local_name(item) == "channel"), root)
    entries = [item for item in root.iter() if local_name(item) in {"item", "entry"}]
    output = MarkdownOutput(options.max_chars)
    output.add(f"# {_plain(channel, 'title')}" if _plain(channel, "title") else "")
    output.add(_plain(channel, "description", "subtitle"))
    for entry in entries[:MOST_ENTRIES]:
        output.add(_entry(entry))
    if not output.text:
        raise Unreadable("The feed holds no entries and no title.")
    more = len(entries) > MOST_ENTRIES
    notes = (f"Only the first {MOST_ENTRIES} of {len(entries)} entries are shown.",) if more else ()
    return Document(
        text=output.text,
        content_type="feed",
        title=_plain(channel, "title") or None,
        author=_author(channel) or None,
        date=parse_timestamp(_plain(channel, *DATES)),
        notes=notes if entries else ("The feed has no entries.",),
        truncated=more or output.truncated,
    )


def _mended(body: bytes, charset: str) -> bytes:
    """As UTF-8, whatever it says or fails to say, and with the bare ampersands that XML does not allow."""
    from wellsourced.pages.html import encoding

    text = encoding.decode(body, f"charset={charset}" if charset else "").text.strip()
    text = BARE_AMPERSAND.sub(lambda match: "&amp;" if match[0] == "&" else match[0], text)
    return DECLARATION.sub("", text).encode("utf-8", "replace")


def _entry(entry: Element) -> str:
    title, link = _plain(entry, "title") or "Untitled", _link(entry)
    title = title.replace("](", "]\\(")  # or it would end the link and begin one of its own
    lines = [f"## [{title}]({link})" if link else f"## {title}"]
    when = parse_timestamp(_plain(entry, *DATES))
    about = " · ".join(part for part in (when.isoformat() if when else "", _author(entry)) if part)
    summary = _plain(entry, *SUMMARIES)
    shown = cut_text(summary, LONGEST_SUMMARY) + ("…" if len(summary) > LONGEST_SUMMARY else "")
    return "\n\n".join(part for part in (*lines, about, shown) if part)


def _plain(parent: Element, *names: str) -> str:
    """The first non-empty child of those names, its markup taken off."""
    for name in names:
        for item in parent:
            if local_name(item) == name and (text := _text(item)):
                return _without_markup(text)
    return ""


def _text(item: Element) -> str:
    """The element's text; in Atom markup may be part of the feed itself."""
    return _shown(item) if any(local_name(inner) for inner in item) else text_of(item)


def _without_markup(text: str) -> str:
    """Summaries are often HTML in text form."""
    if "<" not in text and "&" not in text:
        return text
    from lxml import html  # type: ignore[import-untyped, unused-ignore]

    try:
        root = html.fragment_fromstring(text, create_parent="div")
    except (ValueError, AssertionError, html.etree.ParserError):
        return text
    return _shown(root)


def _shown(root: Element) -> str:
    """The text of markup: blocks are kept apart, the parts of a word are not, what cannot be seen is left out."""
    for item in [item for item in root.iter("*") if item is not root and _is_unseen(item)]:
        item.clear(keep_tail=True)
    for item in root.iter():
        if local_name(item) in APART:
            item.text, item.tail = f" {item.text or ''}", f" {item.tail or ''}"
    return text_of(root)


def _is_unseen(item: Element) -> bool:
    """Whether a reader sees nothing of it: a comment, a script, or something hidden."""
    if not isinstance(item.tag, str) or local_name(item) in SKIPPED:
        return True
    from wellsourced.pages.html.hidden import hides_inline

    style = item.get("style")
    return item.get("hidden") is not None or (bool(style) and hides_inline(str(style)))


def _link(entry: Element) -> str:
    """Atom keeps it in `href` (rel alternate or none), RSS as text; a permalink guid stands in."""
    for item in entry:
        if local_name(item) == "link" and attribute(item, "rel") in {None, "alternate"}:
            address = attribute(item, "href") or text_of(item)
            if address and not OTHER_SCHEME.match(address):
                return address.replace(" ", "%20").replace(")", "%29")
    guid = next((item for item in entry if local_name(item) in {"guid", "id"}), None)
    address = text_of(guid)
    return address if address.startswith(("http://", "https://")) else ""


def _author(parent: Element) -> str:
    for item in parent:
        if local_name(item) in {"author", "creator"}:
            name = next((inner for inner in item if local_name(inner) == "name"), item)
            if text := text_of(name):
                return text
    return ""
