"""One walk over the page: a light tree for the renderer, and the text blocks the scorer judges.

A block is a run of inline text between two block boundaries: a paragraph, a list item, a cell, a heading, or
a stretch of text between double line breaks. Every block remembers the elements it stands in, each of which
covers a contiguous range of blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.code import code_text, is_gutter
from wellsourced.pages.html.dom import BLOCK_TAGS as BLOCK_TAGS
from wellsourced.pages.html.dom import SKIPPED_TAGS as SKIPPED_TAGS
from wellsourced.pages.html.dom import Element, Node, Text, Tree, select
from wellsourced.pages.html.hidden import INVISIBLE_SIGN, strip_invisible
from wellsourced.pages.page import MAYBE_UNSPACED

# Features are computed for all blocks at once: this bounds the memory of a judged page.
MAX_BLOCKS = 20_000
# Bounds the recursion of the writer; of deeper markup only the text is kept.
MAX_DEPTH = 200

# These say nothing to the renderer: their content is taken as their parent's.
TRANSPARENT_TAGS = frozenset(("span", "font", "u", "ins", "bdi", "nobr", "big", "time", "label", "small", "abbr"))
# These may be something else by their role, code by its style.
MAYBE_OTHER = ("div[role]", "span[role]", "p[role]", "code[style]")
ROLES = {
    "list": "ul", "listitem": "li", "table": "table", "grid": "table", "rowgroup": "tbody", "row": "tr", "cell": "td",
    "gridcell": "td", "columnheader": "th", "rowheader": "th",
}  # fmt: skip
LEVELS = frozenset("123456789")
PREFORMATTED = late_pattern(r"white-space\s*:\s*(?:pre|break-spaces)")
EMPTY_TAGS = frozenset(("br", "img", "hr", "mprescripts", "none"))
STRONG_TAGS = frozenset(("b", "strong"))
FORMULA_TAG = "math-tex"
# An element that is taken for one of these is not walked.
PASSED_OVER = "template"
HEADING_TAGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


# What the walk does with an element, by its tag: the order tells those that may be empty, and blocks from all others.
SKIPPED, TRANSPARENT, INLINE, LINK, STRONG, EMPTY, BREAK, IMAGE, RULE, BLOCK, SAMPLE = range(11)
TAG_FORMS = {
    **dict.fromkeys(BLOCK_TAGS, BLOCK), **dict.fromkeys(SKIPPED_TAGS, SKIPPED), **dict.fromkeys(EMPTY_TAGS, EMPTY),
    **dict.fromkeys(TRANSPARENT_TAGS, TRANSPARENT), **dict.fromkeys(STRONG_TAGS, STRONG),
    "a": LINK, "br": BREAK, "img": IMAGE, "hr": RULE, "pre": SAMPLE,
}  # fmt: skip

INLINE_TAGS = ("img", "code", "time", "button", "label", "small", "em", "span")
INLINE_BITS = {tag: 1 << place for place, tag in enumerate(INLINE_TAGS)} | {"i": 1 << INLINE_TAGS.index("em")}

UNSPACED = late_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
# Thai, Lao, Burmese and Khmer have alphabets and no blanks.
UNSPACED_ALPHABET = late_pattern(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")


def count_words(text: str) -> float:
    """Words; scripts written without spaces are counted by characters, at the length their words usually have."""
    spaced = len(text.split())
    if text.isascii() or not MAYBE_UNSPACED.search(text):
        return spaced
    return spaced + len(UNSPACED.findall(text)) * 0.6 + len(UNSPACED_ALPHABET.findall(text)) * 0.2


class Branch:
    """An element with the part of its content that a reader could see. Children are branches or pieces of text.

    It has no constructor, which would take as long to call as all that is done for one."""

    __slots__ = (
        "children", "class_name", "depth", "element", "end", "holds_blocks", "holds_image", "index", "parent", "part",
        "start", "tag",
    )  # fmt: skip

    tag: str
    element: Element
    class_name: str
    parent: Branch | None
    children: list[Child]
    index: int
    part: int
    start: int
    end: int
    depth: int
    holds_blocks: bool
    holds_image: bool

    def attr(self, name: str) -> str:
        return self.element.attr(name) or ""


# One text node and the number of its block; blank text has the number -1. There are so many that they are no objects.
TextPiece: TypeAlias = tuple[str, int]
Child: TypeAlias = Branch | TextPiece
BLANK: TextPiece = (" ", -1)
# What is being walked: the branch, tag and form of the element in it that may have no branch of its own, what is left.
Level: TypeAlias = tuple[Branch, str, int, Iterator[Node]]


class Block:
    """A run of inline text. `container` is the nearest block-level branch around it; `text`, all of its texts, is there
    once the page has been walked."""

    __slots__ = ("container", "inline", "link_words", "links", "strong_words", "text", "texts")

    def __init__(self, container: Branch) -> None:
        self.container = container
        self.texts: list[str] = []
        self.link_words: float = 0
        self.strong_words: float = 0
        self.links = 0
        self.inline = 0
        self.text: str


@dataclass(slots=True)
class Outline:
    """The walked page: `branches[i].index == i`, `parts[i].part == i`, parents before children; blocks in order.

    `tree` is what was walked; to look for elements in it by their tag takes no time, in the root's element it does.
    `parts` are the branches with text in which blocks can have their container: not the inline ones. `near_heading` are
    the numbers of the blocks around the page's heading, once they have been asked for. Once they have been measured:
    `text` all blocks' texts one after the other, `words` how many blanks part each of them into, `tidy` whether only
    single ones do, `years` whether it may hold one.
    """

    root: Branch
    branches: list[Branch]
    parts: list[Branch]
    blocks: list[Block]
    tree: Tree
    images: int = 0
    complete: bool = True
    near_heading: list[int] | None = None
    text: str | None = None
    words: list[int] | None = None
    tidy: list[bool] | None = None
    years: list[bool] | None = None

    def dissolve(self) -> None:
        """Undo the circles between parents and children, so that all of it is freed at once when it is let go."""
        for branch in self.branches:
            branch.parent = None


def walk(tree: Tree, root: Element, renamed: dict[Element, str], most_blocks: int, *, cleans: bool) -> Outline:
    """The outline of an element, some of those in it being taken for others by their tag."""
    branches = [_root(root)]
    blocks, images = _walk(branches, renamed, most_blocks, cleans=cleans)
    for block in blocks:
        block.text = "".join(block.texts)
    parts = [b for b in branches if b.end > b.start and (b.holds_blocks or b.tag in BLOCK_TAGS)]
    for number, branch in enumerate(parts):
        branch.part = number
    return Outline(branches[0], branches, parts, blocks, tree, images, len(blocks) < most_blocks)


def _root(element: Element) -> Branch:
    branch = Branch()
    branch.tag, branch.element, branch.class_name = element.tag, element, element.attr("class") or ""
    branch.parent, branch.children, branch.index = None, [], 0
    branch.start = branch.end = branch.depth = 0
    branch.holds_blocks = branch.holds_image = False
    return branch


def _walk(  # noqa: C901 - taken apart it would be slower by a third
    branches: list[Branch], renamed: dict[Element, str], most_blocks: int, *, cleans: bool
) -> tuple[list[Block], int]:
    """Add all branches to the first one; the blocks, and the number of pictures.

    The innermost loop of reading a page: hardly a call for what most nodes are. Depth is kept on a list, so that deep
    nesting cannot exhaust the interpreter."""
    blocks: list[Block] = []
    current: Block | None = None
    link_depth = strong_depth = breaks = images = 0
    branch, form, stack, form_of, is_full = branches[0], BLOCK, list[Level](), TAG_FORMS.get, False
    tag, children, pieces = branch.tag, iter(branch.element), branch.children
    while True:
        for child in children if not is_full else ():
            if type(child) is Text:
                text, is_element = child.data, False
                inner, name, inner_pieces = branch, tag, pieces
            elif type(child) is Element:
                name, is_element = renamed.get(child, child.tag) if renamed else child.tag, True
                inner_form, size = form_of(name, INLINE), len(child)
                if inner_form == TRANSPARENT:
                    inner, inner_pieces = branch, pieces
                elif inner_form == SKIPPED or not (size or EMPTY <= inner_form <= RULE):
                    continue
                else:
                    inner = Branch()
                    inner.tag = name
                    inner.element = child
                    inner.class_name = child.attr("class") or ""
                    inner.parent = branch
                    inner.children = inner_pieces = []
                    inner.index = len(branches)
                    inner.depth = branch.depth + 1
                    inner.holds_blocks = inner.holds_image = False
                    branches.append(inner)
                    pieces.append(inner)
                    if inner_form >= RULE:
                        current = None
                        if branch.tag not in BLOCK_TAGS:
                            _hold_blocks(branch)
                    inner.start = inner.end = len(blocks) if current is None else len(blocks) - 1
                    if inner_form == LINK:
                        link_depth += 1
                    elif inner_form == STRONG:
                        strong_depth += 1
                    elif inner_form == BREAK:
                        breaks += 1
                        current = _broken(current, breaks)
                        continue
                    elif inner_form == IMAGE:
                        images += 1
                        _hold_image(inner, current)
                        continue
                if inner_form == SAMPLE or inner.depth >= MAX_DEPTH:
                    text = _whole_text(inner, inner_form)
                elif size == 1 and type(only := child[0]) is Text:
                    # All that most elements hold: no level of its own.
                    text = only.data
                else:
                    stack.append((branch, tag, form, children))
                    branch, tag, form, children, pieces = inner, name, inner_form, iter(child), inner_pieces
                    break
            else:
                continue
            is_blank = text.isspace()
            if cleans and not is_blank and not text.isascii():
                text = strip_invisible(text)
                is_blank = not text or text.isspace()
            if is_blank:
                if current is not None:
                    current.texts.append(text)
                    inner_pieces.append(BLANK)
            elif text:
                breaks = 0
                if current is None:
                    container = inner
                    while container.tag not in BLOCK_TAGS and (around := container.parent):
                        container = around
                    current = Block(container)
                    blocks.append(current)
                    is_full = len(blocks) >= most_blocks
                inner_pieces.append((text, len(blocks) - 1))
                current.texts.append(text)
                if name in INLINE_BITS:
                    current.inline |= INLINE_BITS[name]
                if link_depth or strong_depth:
                    words = len(text.split()) if text.isascii() else count_words(text)
                    current.link_words += words if link_depth else 0
                    current.strong_words += words if strong_depth else 0
            if is_element:
                if inner_form != TRANSPARENT:
                    inner.end = len(blocks)
                    if inner_form >= RULE:
                        if inner_form == SAMPLE and current is not None and not link_depth:
                            _count_links(current, inner.element)
                        current = None
                    elif inner_form == LINK:
                        link_depth -= 1
                        if current is not None and inner_pieces:
                            current.links += 1
                    elif inner_form == STRONG:
                        strong_depth -= 1
                if is_full:
                    break
        else:
            if form != TRANSPARENT:
                branch.end = len(blocks)
                if form >= RULE:
                    current = None
                elif form == LINK:
                    link_depth -= 1
                    if current is not None and pieces:
                        current.links += 1
                elif form == STRONG:
                    strong_depth -= 1
            if not stack:
                return blocks, images
            branch, tag, form, children = stack.pop()
            pieces = branch.children


def _broken(current: Block | None, breaks: int) -> Block | None:
    """The block that goes on behind a line break: none where that is the second one."""
    if breaks > 1:
        return None
    if current is not None:
        current.texts.append("\n")
    return current


def _hold_image(branch: Branch, block: Block | None) -> None:
    if block is not None:
        block.inline |= INLINE_BITS["img"]
    current: Branch | None = branch
    while current and not current.holds_image:
        current.holds_image = True
        current = current.parent


def _whole_text(branch: Branch, form: int) -> str:
    """Of a sample, which is one block: the elements in it are a highlighter's. Of what is below the deepest level that
    is walked, only the text."""
    if form == SAMPLE:
        text = code_text(branch.element)
        return text if text and not is_gutter(branch, text) else ""
    text = branch.element.text
    return "" if text.isspace() else text


def _count_links(sample: Block, element: Element) -> None:
    linked = select(element, "a[href]")
    sample.links = len(linked)
    sample.link_words = sum(count_words(link.text) for link in linked)


def tag_by_role(element: Element) -> str:
    """The tag that an element's role stands for, mostly its own; code whose style keeps its lines is a sample."""
    if element.tag == "code":
        style = element.attr("style")
        return "pre" if style and PREFORMATTED.search(style) and "\n" in element.text.strip() else "code"
    role = element.attr("role")
    if role == "heading":
        level = element.attr("aria-level") or ""
        return f"h{min(int(level), 6)}" if level in LEVELS else "h2"
    return ROLES.get(role, element.tag) if role else element.tag


def _hold_blocks(branch: Branch) -> None:
    """An inline element around a block is no longer inline, nor are those around it."""
    current: Branch | None = branch
    while current and current.parent and current.tag not in BLOCK_TAGS and not current.holds_blocks:
        current.holds_blocks = True
        current = current.parent


def holds_invisible(text: str) -> bool:
    return INVISIBLE_SIGN.search(text) is not None


def outline(
    tree: Tree,
    most_blocks: int = MAX_BLOCKS,
    has_invisible: Callable[[str], bool] = holds_invisible,
    passed_over: Iterable[Element] = (),
) -> Outline | None:
    """The page's blocks but for those in elements that are passed over, or None when it has no body."""
    body = tree.find("body")
    if body is None:
        return None
    maybe_other = (element for selector in MAYBE_OTHER for element in select(tree, selector))
    renamed = {element: tag for element in maybe_other if (tag := tag_by_role(element)) != element.tag}
    renamed.update(dict.fromkeys(passed_over, PASSED_OVER))
    return walk(tree, body, renamed, most_blocks, cleans=has_invisible(body.text))
