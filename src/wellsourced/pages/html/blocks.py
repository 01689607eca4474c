"""One walk over the page: a light tree for the renderer, and the text blocks the scorer judges.

A block is a run of inline text between two block boundaries: a paragraph, a list item, a cell, a heading, or
a stretch of text between double line breaks. Every block remembers the elements it stands in, each of which
covers a contiguous range of blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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

    It has no constructor, which would take as long to call as all that `new_branch` does."""

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


def new_branch(tag: str, element: Element, parent: Branch | None, index: int, start: int) -> Branch:
    branch = Branch()
    branch.tag = tag
    branch.element = element
    branch.class_name = element.attr("class") or ""
    branch.parent = parent
    branch.children = []
    branch.index = index
    branch.start = branch.end = start
    branch.depth = parent.depth + 1 if parent else 0
    branch.holds_blocks = branch.holds_image = False
    return branch


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

    `parts` are the branches with text in which blocks can have their container: not the inline ones. `near_heading` are
    the numbers of the blocks around the page's heading, once they have been asked for. Once they have been measured:
    `text` all blocks' texts one after the other, `words` how many blanks part each of them into, `tidy` whether only
    single ones do, `years` whether it may hold one.
    """

    root: Branch
    branches: list[Branch]
    parts: list[Branch]
    blocks: list[Block]
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


class Walker:
    """State of the walk. Depth is kept on a list, so that deep nesting cannot exhaust the interpreter."""

    def __init__(self, root: Element, renamed: dict[Element, str], most_blocks: int, *, cleans: bool) -> None:
        self.most_blocks = most_blocks
        self.cleans = cleans
        self.renamed = renamed
        self.root = new_branch(root.tag, root, None, 0, 0)
        self.branches = [self.root]
        self.blocks: list[Block] = []
        self.current: Block | None = None
        self.container = self.root
        self.breaks = 0
        self.link_depth = 0
        self.strong_depth = 0
        self.images = 0
        self.full = False

    def walk(self) -> Outline:
        self._walk()
        for block in self.blocks:
            block.text = "".join(block.texts)
        parts = [b for b in self.branches if b.end > b.start and (b.holds_blocks or b.tag in BLOCK_TAGS)]
        for number, branch in enumerate(parts):
            branch.part = number
        return Outline(self.root, self.branches, parts, self.blocks, self.images, not self.full)

    def _walk(self) -> None:  # noqa: C901 - taken apart it would be slower by a third
        """The innermost loop of reading a page: no call for the blanks and wrappers that most nodes are."""
        branch, form, children = self.root, BLOCK, iter(self.root.element)
        tag, renamed, stack = branch.tag, self.renamed, list[Level]()
        while True:
            for child in children if not self.full else ():
                if type(child) is Text:
                    text = child.data
                    if not text.isspace():
                        if text:
                            self._text(text, branch, tag)
                    elif self.current is not None:
                        self.current.texts.append(text)
                        branch.children.append(BLANK)
                elif type(child) is Element:
                    name = renamed.get(child, child.tag) if renamed else child.tag
                    inner_form, inner = TAG_FORMS.get(name, INLINE), branch
                    if inner_form != TRANSPARENT:
                        if inner_form == SKIPPED or not (len(child) or EMPTY <= inner_form <= RULE):
                            continue
                        entered = self._enter(name, inner_form, child, branch)
                        if entered is None:
                            continue
                        inner = entered
                    if len(child) == 1 and type(only := child[0]) is Text:
                        # All that most elements hold: no level of its own.
                        self._text_or_blank(only.data, inner, name)
                        if inner_form != TRANSPARENT:
                            self._leave(inner, inner_form)
                        if self.full:
                            break
                        continue
                    stack.append((branch, tag, form, children))
                    branch, tag, form, children = inner, name, inner_form, iter(child)
                    break
            else:
                if form != TRANSPARENT:
                    self._leave(branch, form)
                if not stack:
                    return
                branch, tag, form, children = stack.pop()

    def _enter(self, tag: str, form: int, element: Element, parent: Branch) -> Branch | None:
        """The branch of an element, None where its children are not walked."""
        start = len(self.blocks)
        if form < RULE and self.current is not None:
            start -= 1
        branch = new_branch(tag, element, parent, len(self.branches), start)
        self.branches.append(branch)
        parent.children.append(branch)
        if form >= RULE:
            self.current, self.container = None, branch
            if parent.tag not in BLOCK_TAGS:
                _hold_blocks(parent)
            if form == SAMPLE:
                self._sample(branch)
                return None
        elif form == LINK:
            self.link_depth += 1
        elif form == STRONG:
            self.strong_depth += 1
        elif form in (BREAK, IMAGE):
            self._line_break() if form == BREAK else self._image(branch)
            return None
        if branch.depth < MAX_DEPTH:
            return branch
        self._swallow(branch, form)
        return None

    def _image(self, branch: Branch) -> None:
        self.images += 1
        if self.current:
            self.current.inline |= INLINE_BITS["img"]
        current: Branch | None = branch
        while current and not current.holds_image:
            current.holds_image = True
            current = current.parent

    def _line_break(self) -> None:
        self.breaks += 1
        if self.breaks > 1:
            self.current = None
        elif self.current:
            self.current.texts.append("\n")

    def _leave(self, branch: Branch, form: int) -> None:
        branch.end = len(self.blocks)
        if form >= RULE:
            self.current = None
            container = branch.parent or self.root
            while container.tag not in BLOCK_TAGS and container.parent:
                container = container.parent
            self.container = container
        elif form == LINK:
            self.link_depth -= 1
            if self.current and branch.children:
                self.current.links += 1
        elif form == STRONG:
            self.strong_depth -= 1

    def _sample(self, branch: Branch) -> None:
        """Code is one block: the elements in it are a highlighter's."""
        text = code_text(branch.element)
        if text and not is_gutter(branch, text):
            self._text(text, branch, branch.tag)
            if self.current and not self.link_depth:
                linked = select(branch.element, "a[href]")
                self.current.links = len(linked)
                self.current.link_words = sum(count_words(link.text) for link in linked)
        self._leave(branch, SAMPLE)

    def _swallow(self, branch: Branch, form: int) -> None:
        """Below the deepest level that is walked only the text is kept."""
        text = branch.element.text
        if text and not text.isspace():
            self._text(text, branch, branch.tag)
        self._leave(branch, form)

    def _text_or_blank(self, text: str, branch: Branch, around: str) -> None:
        if text.isspace():
            self._blank(text, branch)
        elif text:
            self._text(text, branch, around)

    def _blank(self, text: str, branch: Branch) -> None:
        if self.current:
            self.current.texts.append(text)
            branch.children.append(BLANK)

    def _text(self, text: str, branch: Branch, around: str) -> None:
        """Text that is not blank; `around` is the tag of the element it stands in, which may have no branch."""
        if self.cleans and not text.isascii():
            text = strip_invisible(text)
            if not text or text.isspace():
                self._blank(text, branch)
                return
        self.breaks = 0
        block = self.current
        if block is None:
            block = self.current = Block(self.container)
            self.blocks.append(block)
            self.full = len(self.blocks) >= self.most_blocks
        branch.children.append((text, len(self.blocks) - 1))
        block.texts.append(text)
        if around in INLINE_BITS:
            block.inline |= INLINE_BITS[around]
        if self.link_depth or self.strong_depth:
            words = len(text.split()) if text.isascii() else count_words(text)
            block.link_words += words if self.link_depth else 0
            block.strong_words += words if self.strong_depth else 0


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
    tree: Tree, most_blocks: int = MAX_BLOCKS, has_invisible: Callable[[str], bool] = holds_invisible
) -> Outline | None:
    """The page's blocks, or None when it has no body."""
    body = tree.find("body")
    if body is None:
        return None
    maybe_other = (element for selector in MAYBE_OTHER for element in select(tree, selector))
    renamed = {element: tag for element in maybe_other if (tag := tag_by_role(element)) != element.tag}
    return Walker(body, renamed, most_blocks, cleans=has_invisible(body.text)).walk()
