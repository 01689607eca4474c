"""Small repairs of the scorer's choice, where structure says more than likelihood.

The scorer judges block by block. A table with half its cells says nothing, and code or a formula that stands between
kept paragraphs belongs to them, however little it looks like prose. A definition is nothing without its term.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, compress

from wellsourced.data import read_lines
from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.blocks import HEADING_TAGS, INLINE_BITS, Block, Branch, Outline
from wellsourced.pages.html.code import LANGUAGES
from wellsourced.pages.html.dom import select
from wellsourced.pages.html.signals import split_name
from wellsourced.pages.html.tables import is_data

BETWEEN = (HEADING_TAGS - {"h1"}) | {"pre", "td", "th", "caption", "dt", "dd", "address", "blockquote"}
LIST_TAGS = frozenset(("ul", "ol"))
LISTS = LIST_TAGS | {"dl"}
SOURCES = frozenset(("figcaption", "footer", "cite"))
TERMS = frozenset(("dt", "summary"))
MENDED = LISTS | SOURCES | {"table", "math", "blockquote"}
OPENINGS = HEADING_TAGS - {"h1", "h2"}
MOST_BETWEEN = 60
CODE = frozenset(("pre",))
WHOLE = CODE | HEADING_TAGS | {"td", "th", "blockquote", "li", "dt", "dd"}
# Shorter texts are the same by chance; what stands there more often belongs to each of its cards or rows.
LEAST_REPEATED, MOST_REPEATED, MOSTLY = 6, 3, 0.5
FEWEST_TEASERS = 2
# Items of lists among kept text that are mostly links lead elsewhere.
MOST_LINKED = 0.5
# A list that holds more of what was chosen is the page itself, as the posts of a thread are.
MOST_LEFT_OUT = 0.25
FORMULA = re.compile(r"\s*(?:\([\w.]{1,9}\)\s*[#¶]?\s*)?(?:\$\$|\\\[|\\begin\{)")
# Posts of other sites, and the frames in which common generators set a hint.
DASHED = late_pattern(r"\s*[—–―]\s?\w")
POST = re.compile(
    r"(?:twitter-tweet|instagram-media|tiktok-embed|bluesky-embed|reddit-embed|mastodon-embed"
    r"|admonition|markdown-alert|inset-text|kg-callout|bbCodeBlock-(?:title|expandContent))"
)
HINT_TITLE = re.compile(r"(?:admonition|alert)-(?:title|heading)")
CAPTIONED = frozenset(("table", "pre", "blockquote"))
# What stands beside code in the same frame: buttons and names of languages, files, captions.
MOST_BESIDE, MOST_LABEL = 4, 40
_COPY_WORDS = (
    "copy|copied|copied!|copy code|copy to clipboard|copy snippet|copy link|run|run code|try it|open in playground|edit"
    "|kopieren|copier|copiar|copia|копировать|コピー|复制|複製|click to expand..."
)
MOST_ASIDE = 0.4
ASIDES = frozenset(
    ("actions", "breadcrumb", "breadcrumbs", "byline", "consent", "cookie", "disclaimer", "modal", "newsletter",
     "related", "signup", "sponsored", "subscribe")
)  # fmt: skip
FORUM_ASIDES = ASIDES | {"signature"}
COLONS = (":", "：")
POINTER_TAGS, FEWEST_SHOUTED, ALL_LINKED = frozenset(("p", "div")), 4, 0.8
# More words than can stand before what such a line points to.
LONGEST_START = 20
TEMPLATE_SIGNS = ("{{", "<%", "[[ ", "{%", "${")
# Of Vue, Angular, Handlebars and Jinja; of ERB and Underscore; Polymer; template literals.
TEMPLATE = late_pattern(
    r"\{\{[{#/^&~]?\s*[\w$.@\[\]'\"]{1,80}\s*(?:[|(?][^{}]{0,200})?\}?\}\}|<%[=-]?[^%<>]{1,200}%>"
    r"|\[\[ [\w$.]{1,80} \]\]|\{%[^%{}]{1,200}%\}|\$\{[\w$.()\[\]]{1,80}\}"
)
COPY_WORDS = frozenset(_COPY_WORDS.split("|"))


def repair_choice(outline: Outline, kept: Sequence[bool]) -> list[bool]:
    mended = list(kept)
    branches = [branch for branch in outline.branches if branch.tag in MENDED]
    tables = [b for b in branches if b.tag == "table" and b.end - b.start > 1 and is_data(b, outline.blocks)]
    for table in tables:
        _keep_whole(table, outline.blocks, mended)
    _keep_lists(branches, outline.blocks, mended)
    parts = {branch.start for branch in branches if branch.tag == "math"}
    parts.update(place for table in tables for place in range(table.start, table.end))
    for number in list(_enclosed(outline, mended, parts)):
        mended[number] = True
    _keep_terms(outline.blocks, mended)
    has_samples = "pre" in [part.tag for part in outline.parts]
    if has_samples:
        _keep_samples(outline.blocks, mended)
    _keep_sources(branches, outline.blocks, mended)
    if has_samples:
        _leave_out_buttons(outline.blocks, mended)
    _leave_out_repeats(outline, mended)
    return mended


def _leave_out_buttons(blocks: Sequence[Block], kept: list[bool]) -> None:
    """Not what a button in the same frame as a sample says."""
    for number, (block, before) in enumerate(zip(blocks[1:], blocks, strict=False), 1):
        is_beside = kept[number] and before.container.tag in CODE and before.container.parent is block.container
        if is_beside and block.text.strip().lower() in COPY_WORDS:
            kept[number] = False


def _leave_out_repeats(outline: Outline, kept: list[bool]) -> None:
    """Not the parts of which most is kept already in another one: the same text for small screens, a quoted post.

    What a section or a list says again among other things stays, and what stands below a heading of its own."""
    words = outline.words or [0] * len(kept)
    repeated = _repeated(outline.blocks, words, kept)
    if not repeated:
        return
    held = [0, *accumulate(count * keep for count, keep in zip(words, kept, strict=True))]
    again = [0, *accumulate(count * (number in repeated) for number, count in enumerate(words))]
    headed = _behind_own_headings(outline.blocks, kept)
    for number in repeated:
        container = outline.blocks[number].container
        part = container if container.tag == "div" else container.parent or container
        is_copy = again[part.end] - again[part.start] >= MOSTLY * (held[part.end] - held[part.start])
        if is_copy and part.start not in headed:
            kept[number] = False


def _behind_own_headings(blocks: Sequence[Block], kept: Sequence[bool]) -> set[int]:
    """The numbers of blocks right behind a kept heading that is on the page once."""
    headings = {n: block.text.strip() for n, block in enumerate(blocks) if block.container.tag in HEADING_TAGS}
    times = Counter(headings.values())
    return {number + 1 for number, text in headings.items() if kept[number] and times[text] == 1}


def _repeated(blocks: Sequence[Block], words: Sequence[int], kept: Sequence[bool]) -> set[int]:
    """The numbers of blocks whose text is kept in another part before them."""
    places = [number for number in compress(range(len(kept)), kept) if words[number] >= LEAST_REPEATED]
    texts = [blocks[number].text.strip() for number in places]
    count = Counter(texts)
    if len(count) == len(texts):
        return set()
    first: dict[str, Branch | None] = {}
    repeated = set[int]()
    for number, text in zip(places, texts, strict=True):
        container = blocks[number].container
        is_elsewhere = first.setdefault(text, container.parent) is not container.parent
        if is_elsewhere and count[text] <= MOST_REPEATED and not _is_whole(container):
            repeated.add(number)
    return repeated


def _is_whole(container: Branch) -> bool:
    """Whether it is code or heads something, or a list, a table or a quotation would lack it."""
    around = container.parent
    return container.tag in WHOLE or (around is not None and around.tag == "blockquote")


def leave_out_asides(outline: Outline, kept: list[bool], kind: str) -> None:
    """Leave out the parts that their names tell to be no content, unless much of what was chosen stands there."""
    asides = _named_so({part.class_name for part in outline.parts}, FORUM_ASIDES if kind == "forum" else ASIDES)
    if not asides:
        return
    lengths = [len(block.text) if keep else 0 for block, keep in zip(outline.blocks, kept, strict=True)]
    sizes = list(accumulate(lengths, initial=0))
    for part in [part for part in outline.parts if part.class_name in asides]:
        if sizes[part.end] - sizes[part.start] <= MOST_ASIDE * sizes[-1]:
            kept[part.start : part.end] = [False] * (part.end - part.start)


def _named_so(classes: set[str], names: frozenset[str]) -> set[str]:
    """Which of the classes hold one of the names; most are told not to before they are parted into words."""
    # No attribute holds this character: the HTML parser replaces it.
    joined = "\0".join(classes).lower()
    lowered = joined.split("\0")
    found = [name for name in names if name in joined]
    likely = {each for name in found for each, low in zip(classes, lowered, strict=True) if name in low}
    return {each for each in likely if not names.isdisjoint(split_name(each, ""))}


def leave_out_pointers(outline: Outline, kept: list[bool]) -> None:
    """Leave out the lines of an article that only point to other ones, and what announced lines that are left out."""
    words = outline.words or [0] * len(kept)
    for number in compress(reversed(range(len(kept))), reversed(kept)):
        block = outline.blocks[number]
        is_linked = block.links and block.link_words >= ALL_LINKED * (words[number] - LONGEST_START)
        if is_linked and block.container.tag in POINTER_TAGS and _is_pointer(block):
            kept[number] = False
        elif block.text.endswith(COLONS) and not any(kept[number + 1 : number + 2]):
            start = _pointer_start().match(block.text)
            kept[number] = not start or start.end() < len(block.text)


def _is_pointer(block: Block) -> bool:
    """`Related: …` with a link for the rest, or a link all in capitals."""
    text = block.text.strip()
    if start := _pointer_start().match(text):
        return block.link_words >= ALL_LINKED * len(text[start.end() :].split())
    return text.isupper() and block.link_words >= len(text.split()) >= FEWEST_SHOUTED


@cache
def _pointer_start() -> re.Pattern[str]:
    """One of the words of `data/pointer_words.txt`, up to two more, and what sets them apart from the rest."""
    phrases = (phrase for line in read_lines("pointer_words.txt") for phrase in line.partition(": ")[2].split("; "))
    return re.compile(rf"\W{{0,6}}(?:{'|'.join(map(re.escape, phrases))})(?:\s+\w+){{0,2}}\s*[:：|–—»›>→\n]", re.I)


def leave_out_templates(outline: Outline, kept: list[bool]) -> int:
    """Leave out what is only a place for a script to fill in, and count it; in code and among words it is text."""
    # A single sign is found in a hundredth of the time that two take.
    if outline.text is not None and not any(sign in outline.text for sign in "{<["):
        return 0
    places = [number for number, block in enumerate(outline.blocks) if kept[number] and _is_unfilled(block)]
    for number in places:
        kept[number] = False
    return len(places)


def _is_unfilled(block: Block) -> bool:
    text = block.text
    if not any(sign in text for sign in TEMPLATE_SIGNS) or block.link_words or block.inline & INLINE_BITS["code"]:
        return False
    rest, filled = TEMPLATE.subn(" ", text)
    return filled > 0 and block.container.tag != "pre" and len(rest.split()) <= filled


def _keep_sources(branches: list[Branch], blocks: list[Block], kept: list[bool]) -> None:
    """Who said what is quoted, the caption of a quotation or the line it begins or ends in; the caption of a table."""
    for branch in branches:
        around, last = branch.parent, branch.end - 1
        if branch.tag == "blockquote":
            if last > branch.start and kept[last - 1] and DASHED.match(blocks[last].text):
                kept[last] = True
        elif branch.tag in SOURCES and around and last - branch.start in {0, 1} and _is_source(branch, around, kept):
            kept[branch.start : branch.end] = [True] * (branch.end - branch.start)


def _is_source(branch: Branch, around: Branch, kept: list[bool]) -> bool:
    if around.tag == "figure" and any(kept[around.start : around.end]):
        return True
    quotes = {around.tag, around.parent.tag if around.parent else ""}
    quotes.update(child.tag for child in around.children if isinstance(child, Branch))
    begins = branch.tag == "cite" and around.end > branch.end and kept[branch.end]
    ends = branch.start > around.start and kept[branch.start - 1]
    return not quotes.isdisjoint(("blockquote", "table")) and (begins or ends)


def _keep_samples(blocks: list[Block], kept: list[bool]) -> None:
    """Code that ends what the kept text before it began."""
    for number in range(1, len(blocks)):
        container = blocks[number].container
        if container.tag == "pre" and kept[number - 1] and container.parent and container.parent.start < number:
            kept[number] = True


def _keep_terms(blocks: list[Block], kept: list[bool]) -> None:
    """What names the kept text after it. Backwards, because one definition may follow several terms."""
    for number in range(len(blocks) - 2, -1, -1):
        if kept[number] or not kept[number + 1]:
            continue
        container, around = blocks[number].container, blocks[number].container.parent
        if around and around.end > number + 1:
            is_opening = container.tag in OPENINGS and around.start == number
            is_term = container.tag in TERMS or bool(HINT_TITLE.search(container.class_name))
            is_term |= blocks[number + 1].container.tag == "pre" and _names_file(blocks[number])
            kept[number] = is_opening or is_term or _says_who(blocks[number], around)


def _says_who(block: Block, around: Branch) -> bool:
    """Whether it is what forums put above a quotation: "ana said:"."""
    text = block.text.strip()
    return (
        text.endswith(":") and len(text) <= MOST_LABEL and (around.tag == "blockquote" or "quote" in around.class_name)
    )


def _keep_whole(part: Branch, blocks: list[Block], kept: list[bool], most: float = math.inf) -> None:
    """Keep or leave out a table or list as most of its words are; more than so much chosen text is not left out."""
    span = range(part.start, part.end)
    chosen = sum(len(blocks[number].text) for number in span if kept[number])
    if chosen:
        keep = 2 * chosen >= sum(len(blocks[number].text) for number in span)
        if keep or chosen <= most:
            kept[part.start : part.end] = [keep] * len(span)


def _keep_lists(branches: list[Branch], blocks: list[Block], kept: list[bool]) -> None:
    """Every item of a list of which most is kept, none of one of which little is, unless that is much of the page."""
    total = sum(len(block.text) for block, keep in zip(blocks, kept, strict=True) if keep)
    for branch in branches:
        if branch.tag in LISTS and branch.end - branch.start > 1:
            span = kept[branch.start : branch.end]
            if any(span) and not all(span) and _is_text(branch, blocks):
                _keep_whole(branch, blocks, kept, MOST_LEFT_OUT * total)


def _is_text(branch: Branch, blocks: list[Block]) -> bool:
    """Whether a list is of running text: others are mostly menus and cards."""
    span = blocks[branch.start : branch.end]
    return sum(block.link_words for block in span) <= MOST_LINKED * sum(len(block.text.split()) for block in span)


def _enclosed(outline: Outline, kept: list[bool], parts: set[int]) -> Iterator[int]:
    """Code, formulas, headings and cells of tables with kept text on both sides, in the same part of the page."""
    gap: list[int] = []
    start = -1
    for number, block in enumerate(outline.blocks):
        if kept[number]:
            if gap and start > 0 and _is_amid(outline.blocks[gap[0]].container, start, number):
                yield from _without_teasers(gap, outline.blocks)
            gap, start = [], number + 1
        elif start >= 0:
            if number in parts or (len(gap) < MOST_BETWEEN and _belongs(block)):
                gap.append(number)
            elif not _is_beside_code(block) and block.container.tag != "figcaption":
                gap, start = [], -1


def _without_teasers(gap: list[int], blocks: list[Block]) -> list[int]:
    """Several headings that are links lead to other pages, and head nothing here; nor does a heading above them, or one
    of a part that is no content."""
    headings = {n for n in gap if blocks[n].container.tag in HEADING_TAGS}
    linked = {n for n in headings if _leads_elsewhere(blocks[n])}
    left_out = {n for n in headings if _is_aside(blocks[n].container)}
    if len(linked) >= FEWEST_TEASERS:
        left_out |= linked | {n for n in headings if n + 1 in linked}
    return [n for n in gap if n not in left_out]


def _is_aside(heading: Branch) -> bool:
    around = heading.parent
    names = " ".join(b.class_name for b in (heading, around, around and around.parent) if b)
    return not ASIDES.isdisjoint(split_name(names, ""))


def _belongs(block: Block) -> bool:
    container = block.container
    if container.tag in BETWEEN or FORMULA.match(block.text):
        return True
    around = container.parent
    if POST.search(container.class_name) or (around and POST.search(around.class_name)):
        return True
    if container.tag == "figcaption" and around and around.tag == "figure":
        # The caption of a picture is written with the picture.
        is_drawn = not around.holds_image and bool(select(around.element, "svg[role=img]"))
        return is_drawn or _holds(around, CAPTIONED)
    return _is_item(container, around) and not _leads_elsewhere(block)


def _leads_elsewhere(block: Block) -> bool:
    return block.link_words > MOST_LINKED * len(block.text.split())


def _is_item(container: Branch, around: Branch | None) -> bool:
    """Whether it is an item of a list without classes, as in running text: others are mostly menus and cards."""
    item = container if container.tag == "li" else around
    if item is None or item.tag != "li" or item.class_name or item.parent is None:
        return False
    return item.parent.tag in LIST_TAGS and not item.parent.class_name


def is_code_label(block: Block) -> bool:
    """Whether it is the name of a language, or what a button beside code says."""
    text = block.text.strip().lower()
    return text in COPY_WORDS or text.removesuffix("copy").strip() in LANGUAGES


def _is_beside_code(block: Block) -> bool:
    """A button or a label in the frame of a sample, or what only such ones say."""
    if is_code_label(block):
        return True
    around: Branch | None = block.container
    while around and around.end - around.start <= MOST_BESIDE and len(block.text.strip()) <= MOST_LABEL:
        if _holds(around, CODE):
            return True
        around = around.parent
    return False


def _holds(branch: Branch, tags: frozenset[str]) -> bool:
    inner = [child for child in branch.children if isinstance(child, Branch)]
    return any(child.tag in tags or _holds(child, tags) for child in inner)


def _names_file(block: Block) -> bool:
    return "." in block.text.strip(". ") and " " not in block.text.strip()


def _is_amid(branch: Branch, first: int, following: int) -> bool:
    """Whether the nearest branch that holds more than the gap holds what stands before and after it."""
    around = branch
    while around.parent and around.start >= first and around.end <= following:
        around = around.parent
    return around.start < first and around.end > following
