"""HTML to a `Page`: decode, parse, remove what cannot be seen, judge the blocks, write markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from urllib.parse import urljoin

from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html import (
    blocks,
    code,
    dates,
    dom,
    encoding,
    formula,
    forum,
    hidden,
    inline,
    markdown,
    metadata,
    mhtml,
    notes,
    repairs,
    scorer,
    script_data,
    signals,
    structured_data,
    teasers,
)
from wellsourced.pages.html.features import PageFacts
from wellsourced.pages.html.surroundings import find_surroundings
from wellsourced.pages.page import Page
from wellsourced.sandbox.limits import without_garbage_collection
from wellsourced.text.amounts import format_count

# A page that shows less may carry its text where scripts would show it.
FEWEST_WORDS = 60
SHORTEST_PROSE = 15
# The expected quality of the choice, from 0 to 1, from which a page counts as complete.
SURE = 0.6
LARGEST = 20_000_000
EMBEDDED_SITES = late_pattern(
    r"//(?:[\w-]+\.)*(?:youtube(?:-nocookie)?\.com/embed|vimeo\.com/video|dailymotion\.com/embed|soundcloud\.com/player"
    r"|spotify\.com/embed|twitter\.com/embed|platform\.twitter\.com|instagram\.com/p/|tiktok\.com/embed|ted\.com/talks"
    r"|bsky\.app/embed|codepen\.io|slideshare\.net|archive\.org/embed|openstreetmap\.org/export|google\.\w+/maps/embed"
    r"|player\.bilibili\.com|loom\.com/embed|datawrapper\.dwcdn\.net|podcasts\.apple\.com)"
)
YOUTUBE, VIMEO = "https://www.youtube.com/watch?v=", "https://vimeo.com/"
LITE_PLAYERS = {"lite-youtube": YOUTUBE, "amp-youtube": YOUTUBE, "lite-vimeo": VIMEO, "amp-vimeo": VIMEO}
EMBEDS = ("iframe", "video", "audio", "amp-iframe", "amp-video", *LITE_PLAYERS)
PICTURES = ("amp-img", "amp-anim")
# One by one: the parser finds elements by their tag at once, but not those of several tags.
WRITTEN_ANEW = EMBEDS + PICTURES + formula.NAMED_TAGS
DRAWINGS = ("figure svg[role=img][aria-label]", "figure svg[role=img]:has(title)")
TITLES = ("title", "aria-label", "playlabel", "videotitle")
# Discourse's card of another page.
ONEBOX = "aside.onebox[data-onebox-src]"
TINY_FRAME = frozenset(("0", "1"))
# Behind every heading of a MediaWiki page. With their tag, by which the parser finds elements at once.
EDIT_LINKS = "span.mw-editsection"
# Behind every reference of a journal's page: the whole reference again, as an address.
LOOK_UPS = 'a[href*="/scholar_lookup?"]'


@dataclass(frozen=True, slots=True)
class Prepared:
    """A page ready to be judged: hidden text removed, walked into blocks."""

    document: dom.Document
    declared: structured_data.DeclaredData
    facts: PageFacts
    outline: blocks.Outline | None
    hidden_removed: int
    is_declared: bool = False
    unsure: bool = False
    waiting: bool = False


def extract(html: bytes | str, url: str, content_type: str = "", *, keep_images: bool = False) -> Page:
    """The page's content and what it says about itself. A page without text gives an empty, partial `Page`.

    Nothing is fetched. `html` as text is taken as it is; of bytes the encoding is worked out, with the help of
    `content_type`, the value of the response's header. Pictures whose address could carry data are left as their
    alternative text unless `keep_images` is set.
    """
    if isinstance(html, str):
        html, content_type = html.encode("utf-8", "replace"), "text/html; charset=utf-8"
    html, content_type = mhtml.unwrap_saved_page(html, content_type)
    decoded = encoding.decode(html[:LARGEST], content_type)
    with without_garbage_collection():
        return _extract(decoded, url, cut=len(html) > LARGEST, keep_images=keep_images)


def visible_text(html: bytes, content_type: str) -> str:
    """All that a reader of the page can see, menus and notices included."""
    outline = prepare(encoding.decode(html[:LARGEST], content_type).text, "", whole=True).outline
    text = "\n\n".join(block.text for block in outline.blocks) if outline else ""
    if outline:
        outline.dissolve()
    return text


def _extract(decoded: encoding.Decoded, url: str, *, cut: bool, keep_images: bool) -> Page:
    page = prepare(decoded.text, url)
    content, expected, unfilled = _content(page, url, keep_images=keep_images)
    words = content.words if content.plain else signals.count_text_words(content.markdown)
    missing = tuple(_what_is_missing(page, words if content.plain else 0, _words_in_data(page, decoded.text, content)))
    date = dates.find_published_date(page.document, page.declared, url, page.outline, decoded.text)
    about = metadata.read_metadata(page.document, page.declared, url, page.outline)
    language = metadata.language_of_text(content.plain, about.language)
    # Parents and children refer to each other: undone here, all of it is freed without a collector run.
    if page.outline:
        page.outline.dissolve()
    return Page(
        url=url,
        markdown=content.markdown,
        plain=content.plain,
        title=about.title,
        author=about.author,
        date=date,
        site=about.site,
        language=language,
        description=about.description,
        canonical_url=about.canonical_url,
        plain_version=about.plain_version,
        confidence=round(expected, 3),
        quality="complete" if expected >= SURE and not missing else "partial",
        structured=page.declared.data,
        forum=forum.read_forum_signals(page.declared, url),
        hidden_removed=page.hidden_removed,
        links=content.links,
        notes=(
            *_notes(page, decoded, cut=cut),
            *_unfilled(unfilled),
            *missing,
            *_false_language(about.language, language),
        ),
        word_count=words,
    )


def prepare(markup: str, url: str, *, whole: bool = False) -> Prepared:
    """Parse, read what the page declares, take out what cannot be seen, walk: what is around the text only where the
    page is wanted whole, or has hardly anything else."""
    document = dom.parse(markup)
    _open_shadow_roots(document)
    formula.write_mathjax_formulas(document)
    for link in dom.select(document, EDIT_LINKS):
        dom.remove(link)
    for link in dom.select(document, LOOK_UPS):
        link.replace_with(*link)
    page = _prepare(document, url, whole=whole)
    return page if _has_content(page.outline) else _content_elsewhere(page, markup, url)


def _link_embedded(document: dom.Document, frames: Iterable[dom.Element]) -> None:
    """Videos and posts of other sites, and the page's own films and recordings, each in the place of a picture."""
    for frame in frames:
        address = _embedded_address(frame)
        if address and not TINY_FRAME.intersection((frame.attr("width"), frame.attr("height"))):
            title = next((text for name in TITLES if (text := dom.attribute(frame, name))), "")
            _replace_by_link(frame, address, title)
    for card in dom.select(document, ONEBOX):
        headings = dom.select(card, "h3, h4")
        _replace_by_link(card, dom.attribute(card, "data-onebox-src"), headings[0].text if headings else "")


def _replace_by_link(element: dom.Element, address: str, title: str) -> None:
    element.replace_with(dom.Element("img", {"class": inline.EMBEDDED, "src": address, "alt": title}))


def _embedded_address(frame: dom.Element) -> str:
    if frame.tag in LITE_PLAYERS:
        number = dom.attribute(frame, "videoid") or dom.attribute(frame, "data-videoid")
        return LITE_PLAYERS[frame.tag] + number if number else ""
    named = [dom.attribute(frame, name) for name in ("data-src", "data-lazy-src", "src")]
    if frame.tag in {"iframe", "amp-iframe"}:
        return next((address for address in named if EMBEDDED_SITES.search(address)), "")
    is_shown = frame.attr("controls") is not None
    sources = [dom.attribute(source, "src") for source in dom.select(frame, "source[src]")] if is_shown else []
    return next((address for address in [*named, *sources] if address), "") if is_shown else ""


def _open_shadow_roots(document: dom.Document) -> None:
    """Their templates are shown by a browser at once, without any script."""
    for template in dom.select(document, "template[shadowrootmode]"):
        template.replace_with(*[node for content in template for node in content])


def _content_elsewhere(page: Prepared, markup: str, url: str) -> Prepared:
    """A page that shows next to nothing may be written out under `noscript`, as its article's declared body, or in the
    data that its scripts would show."""
    most = 3 * _count_words(page.outline)
    if "<noscript" in markup:
        bare = _prepare(dom.parse(markup, scripting=False), url, scripting=False)
        if _count_words(bare.outline) > most:
            return bare
    for text in (metadata.article_body(page.declared), _script_text(page, markup)):
        fuller = _declared_page(page, text)
        if _count_words(fuller.outline) > max(most, FEWEST_WORDS):
            return fuller
    return page


def _declared_page(page: Prepared, text: str) -> Prepared:
    """The page with the text that its data has in the place of what it shows."""
    body = dom.parse(text)
    hidden_removed = page.hidden_removed + hidden.remove_hidden(body).elements
    return replace(page, outline=blocks.outline(body), hidden_removed=hidden_removed, is_declared=True)


def _words_in_data(page: Prepared, markup: str, content: markdown.PageText) -> int:
    if page.is_declared or not content.words or not page.facts.kinds & metadata.ARTICLES:
        return 0
    return teasers.count_words_in_data(markup, page.declared, content.plain, content.words)


def _script_text(page: Prepared, markup: str) -> str:
    """Of articles that are free to read alone: what other pages keep for their scripts is mostly not their text."""
    if not page.facts.kinds & metadata.ARTICLES or not metadata.is_free(page.declared):
        return ""
    return script_data.script_text(dom.parse(markup))


def _prepare(document: dom.Document, url: str, *, scripting: bool = True, whole: bool = False) -> Prepared:
    declared = structured_data.read_structured_data(document)
    facts = metadata.page_facts(document, declared, url)
    removed = hidden.remove_hidden(document, scripting=scripting)
    _rewrite(document)
    return Prepared(
        document,
        declared,
        facts,
        _outline(document, whole=whole),
        removed.elements,
        unsure=removed.unsure,
        waiting=removed.waiting,
    )


def _outline(document: dom.Document, *, whole: bool) -> blocks.Outline | None:
    around = [] if whole else find_surroundings(document)
    outline = blocks.outline(document, has_invisible=signals.has_invisible, passed_over=around)
    if not around or _has_content(outline):
        return outline
    # A page that has nothing but menus has no text; one whose text stands in its header has.
    everything = _outline(document, whole=True)
    return everything if everything and _count_prose(everything) >= FEWEST_WORDS else outline


def _rewrite(document: dom.Document) -> None:
    """What programs write in forms of their own, as plain markup; after all that is hidden has gone, which their names
    decide."""
    others = [element for tag in WRITTEN_ANEW for element in dom.select(document, tag)]
    _link_embedded(document, (element for element in others if element.tag in EMBEDS))
    for picture in others:
        if picture.tag in PICTURES and picture.attr("src") is not None:
            picture.replace_with(dom.Element("img", {name: dom.attribute(picture, name) for name in ("src", "alt")}))
    for drawing in (element for selector in DRAWINGS for element in dom.select(document, selector)):
        drawing.replace_with(dom.Element("img", {"class": inline.DRAWN, "alt": _drawing_title(drawing)}))
    formula.write_named_formulas(document, (element for element in others if element.tag in formula.NAMED_TAGS))
    notes.write_side_notes(document)
    code.write_line_samples(document)


def _drawing_title(drawing: dom.Element) -> str:
    titles = dom.select(drawing, "title")
    return dom.attribute(drawing, "aria-label") or (titles[0].text if titles else "")


def _has_content(outline: blocks.Outline | None) -> bool:
    words = 0
    for block in outline.blocks if outline else ():
        words += len(block.text.split())
        if words >= FEWEST_WORDS:
            return True
    return False


def _count_words(outline: blocks.Outline | None) -> int:
    return sum(len(block.text.split()) for block in outline.blocks) if outline else 0


def _count_prose(outline: blocks.Outline) -> float:
    """The words of all blocks that hold more than a few beside links."""
    unlinked = (len(block.text.split()) - block.link_words for block in outline.blocks)
    return sum(words for words in unlinked if words >= SHORTEST_PROSE)


def _content(page: Prepared, url: str, *, keep_images: bool) -> tuple[markdown.PageText, float, int]:
    if page.outline is None or not page.outline.blocks:
        return markdown.PageText("", "", 0, 0), 0.0, 0
    verdict = scorer.load_scorer().judge(page.outline, page.facts)
    mended = repairs.repair_choice(page.outline, verdict.kept)
    unfilled = repairs.leave_out_templates(page.outline, mended)
    kept, found = notes.keep_notes(page.outline, mended, notes.find_notes(page.outline))
    base = _base_address(page.document, url)
    text = markdown.write_kept(page.outline, kept, base, keep_images=keep_images, notes=found)
    return text, verdict.expected, unfilled


def _base_address(document: dom.Document, url: str) -> str:
    bases = dom.select(document, "base[href]")
    try:
        return urljoin(url, dom.attribute(bases[0], "href")) if bases else url
    except ValueError:
        return url


def _what_is_missing(page: Prepared, shown: int, in_data: int) -> Iterator[str]:
    """Where the page's own data speaks of far more words than it shows: a teaser, or the first of several parts."""
    words = max(metadata.declared_words(page.declared), in_data)
    if words >= teasers.LONG_ARTICLE and shown * 2 < words:
        yield f"The page's own data speaks of {words:,} words, and {shown:,} were read: it may show only a part."


def _unfilled(count: int) -> Iterator[str]:
    if count:
        yield f"Left out: {format_count(count, 'place')} that the page's scripts would have filled in ({{{{ … }}}})."


def _false_language(declared: str, language: str) -> Iterator[str]:
    if declared and declared != language:
        yield f"The page is declared to be in the language {declared!r}, and its text is in {language!r}."


def _notes(page: Prepared, decoded: encoding.Decoded, *, cut: bool) -> Sequence[str]:
    said = []
    if decoded.overruled:
        said.append(f"The page names another character encoding than it uses; it was read as {decoded.codec}.")
    if page.is_declared:
        said.append("The page shows its text with scripts only; it was read from the data that the page declares.")
    if page.hidden_removed:
        said.append(f"{page.hidden_removed} elements that a reader cannot see were left out.")
    if page.unsure:
        said.append("Not all styles could be decided: hidden text could not be ruled out, what it may be was left out.")
    if page.waiting:
        said.append(
            "The page shows its content only after its scripts have run; it was read as it stands in its source."
        )
    if cut or (page.outline and not page.outline.complete):
        said.append("The page is very large; only its first part was read.")
    return said
