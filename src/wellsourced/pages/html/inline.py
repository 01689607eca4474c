"""Running text as markdown: emphasis, code, links, images. Text of the page never becomes markup by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal
from urllib.parse import urljoin

from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.blocks import BLOCK_TAGS, FORMULA_TAG, Branch, Child, TextPiece
from wellsourced.pages.html.formula import formula_text
from wellsourced.pages.html.notes import Notes
from wellsourced.text.markdown_images import carries_data
from wellsourced.text.plain_text import single_spaced

# Only where a sign would act: `5 * 3` and `snake_case` are left as they are.
ACTIVE = re.compile(
    r"\\(?=[!-/:-@\[-`{-~])|`|\*(?=\S)|(?<=\S)\*|(?<!\w)(?:__++|_(?=\S))|(?<=[^\s_])_++(?!\w)|\](?=[(\[:])"
    r"|<(?=[A-Za-z/!?])|~~"
)
# In the text of a picture brackets act too.
ACTIVE_IN_ALT = late_pattern(rf"[\[\]]|{ACTIVE.pattern}")
SIGNS_IN_ALT = frozenset("[]\\`*_<~")
LINE_START = late_pattern(r"^(?:(#{1,6}|[-+>])(?=\s|$)|(\d{1,9})([.)])(?=\s|$)|(```|~~~|===|---))", re.M)
CODE_TAGS = frozenset(("code", "kbd", "samp", "tt"))
MARKS = {"b": "**", "strong": "**", "em": "*", "i": "*", "cite": "*", "del": "~~", "s": "~~", "strike": "~~"}
SAFE_SCHEMES = ("http://", "https://")
SITE = re.compile(r"https?://[^/?#\\\s\[]+")
# Longer addresses are tracking data or embedded files.
LONGEST_ADDRESS = 2000
BLANKS = late_pattern(r"[ \t\n\r\f\v]+")
# No text of a page holds this character: the HTML parser drops it.
BREAK = "\x00"
MAYBE_LINE_START = frozenset("#-+>0123456789`~=")
PERCENT_ENCODED = {"(": "%28", ")": "%29", "<": "%3C", ">": "%3E"}
# Most addresses are whole or start at the site's root, and hold nothing that a join or markdown would change.
TIDY_ADDRESS = re.compile(r"(?:https?:/|(?!//))/[A-Za-z0-9_~%&=+,:@!$./?#-]*(?<![?#])")
MARKUP_IN_ADDRESS = late_pattern(r"[ \t\n\r\f\v\u00a0\u2028\u2029]+|[()<>]")
ACTIVE_SIGNS = "\\`*_]<~"
MAYBE_ACTIVE = late_pattern(f"[{re.escape(ACTIVE_SIGNS)}]")
# Links of headings to themselves, which are for copying and not for reading.
PLACE_SIGNS = frozenset("#¶§🔗⚓∞↩⤴↑^\ufe0e\ufe0f")
LEADING_IMAGES = late_pattern(r"\s*(?:!\[(?:[^\[\]\\]|\\.)*\]\([^\s()]+\)\s*)+")
# The `src` of a picture that loads late is a placeholder.
IMAGE_SOURCES = ("data-src", "data-lazy-src", "data-original", "src")
# Given to what stands for a video or a post from elsewhere.
EMBEDDED, DRAWN = "wellsourced-embedded", "wellsourced-drawn"
LONGEST_CAPTION = 600
FORMULA_SITE = late_pattern(
    r"//(?:latex\.codecogs\.com|s0\.wp\.com/latex|math\.now\.sh|i\.upmath\.me|(?:www\.)?zhihu\.com/equation\?tex="
    r"|render\.githubusercontent\.com/render/math|math\.vercel\.app|tex\.s2cms\.ru)"
)
DISPLAY_STYLE = "{\\displaystyle "
FORMULA_IMAGE = late_pattern(r"(?:^|\s)(?:mwe-math-|latex(?:\s|$)|tex(?:\s|$))")
TEX = late_pattern(r"(\${1,2})[^$`]+\1")
TEX_OPENING = late_pattern(r"\\[(\[]|\$\$")
# As long as an equation over several lines: what has no end must not be looked through again and again.
TEX_IN_TEXT = late_pattern(
    r"\\\(([^$`\\]{0,1500}(?:\\(?![()\[\]])[^$`\\]{0,1500}){0,200})\\\)"
    r"|\\\[([^$`\\]{0,1500}(?:\\(?![()\[\]])[^$`\\]{0,1500}){0,200})\\\]|\$\$([^$`]{1,3000})\$\$"
)
BRACKETED_MARKS = late_pattern(r"\[(\[\^[\w-]{1,9}\](?:[,;–-] ?\[\^[\w-]{1,9}\]){0,20})\]")
SINGLE_MARK = late_pattern(r"(?<![\\*])\*(?!\*)")
TAG_START = late_pattern(r"<(?=[A-Za-z/!?])")
# Looking at every sibling would be quadratic in a long ruby.
RUBY_REACH = 8
IMAGE_SETS = ("srcset", "data-srcset")
EXPONENT = late_pattern(r"[-+−–]?\w[\w.,+−–-]{0,11}")
HAS_DIGIT_OR_SIGN = late_pattern(r"[\d+−–-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownStyle:
    """How the places that write markdown differ; the defaults are those of a web page of which a part is kept.

    `is_whole`: everything is kept, pictures and rules between paragraphs too. `escapes`: text that would read as
    markup is escaped; off where the text is quoted and searched as it stands. `keeps_images`: pictures whose address
    could carry data stay too. `links`: with an absolute address, with
    the address as the page writes it, or, where the text is a shortened address, as that address. `tables`: data as
    tables and layouts as blocks; every table as a table; or rows as lines.
    """

    is_whole: bool = True
    escapes: bool = False
    line_break: str = "\n"
    links: Literal["absolute", "as_written", "spelled_out"] = "absolute"
    keeps_images: bool = False
    tables: Literal["data", "all", "lines"] = "data"
    has_images: bool = True
    joins_quotes: bool = True


PAGE_STYLE = MarkdownStyle(is_whole=False, escapes=True, line_break="  \n")


class InlineWriter:
    """Writes the inline children of kept blocks. Counts the links it writes."""

    def __init__(
        self, kept: Sequence[bool], base: str, style: MarkdownStyle = PAGE_STYLE, notes: Notes | None = None
    ) -> None:
        self.kept = kept
        self.notes = notes or Notes()
        self.base = base
        self.style = style
        self.escapes = style.escapes
        self.active: re.Pattern[str] | None = MAYBE_ACTIVE if style.escapes else None
        site = SITE.match(base)
        self.site = site[0] if site else ""
        self.links = 0
        self.special = {"a": self.link, "sup": self.raised, "rt": _reading, "q": _quoted}
        self.whole = {
            "br": _break, "img": self.image, "math": self.formula, FORMULA_TAG: lambda branch: _tex(self.plain(branch)),
            **dict.fromkeys(CODE_TAGS, self.code),
        }  # fmt: skip

    def expect_text(self, text: str) -> None:
        """Say what all that will be written holds, so that only signs that occur in it are looked for."""
        if self.escapes:
            signs = [sign for sign in ACTIVE_SIGNS if sign in text]
            self.active = re.compile(f"[{re.escape(''.join(signs))}]") if signs else None

    def render(self, children: Sequence[Child]) -> str:
        """One paragraph; line breaks of the page are kept as breaks."""
        text = single_spaced(self.raw(children))
        if BREAK in text:
            text = "\n".join(filter(None, map(str.strip, text.split(BREAK))))
            return self.escape_starts(text).replace("\n", self.style.line_break)
        return self.escape_starts(text) if text[:1] in MAYBE_LINE_START else text

    def escape_starts(self, text: str) -> str:
        return LINE_START.sub(_escape_start, text) if self.escapes else text

    def lines(self, children: Sequence[Child]) -> str:
        """All text inside, blocks and line breaks on lines of their own, for cells that hold more than a line."""
        lines = (single_spaced(line) for line in self.raw(children).split(BREAK))
        return "\n".join(line for line in lines if line)

    def line(self, children: Sequence[Child]) -> str:
        """The same on a single line, for headings and cells."""
        return single_spaced(self.raw(children).replace(BREAK, " "))

    def raw(self, children: Sequence[Child]) -> str:
        kept, active, parts = self.kept, self.active, []
        for child in children:
            if isinstance(child, Branch):
                parts.append(self._branch(child))
                continue
            text, block = child
            if block < 0 or kept[block]:
                parts.append(self.escaped(text) if active and active.search(text) else text)
        if len(parts) == 1:
            return parts[0]
        text = "".join(parts)
        if self.notes.marks and "[[^" in text:
            text = BRACKETED_MARKS.sub(r"\1", text)
        return text.replace("****", "") if "****" in text and "`" not in text else text

    def escaped(self, text: str) -> str:
        return self._with_formulas(text) if TEX_OPENING.search(text) else ACTIVE.sub(_escape, text)

    def _with_formulas(self, text: str) -> str:
        """Text in which formulas stand as TeX, for a script that would typeset them."""
        parts, last = [], 0
        for match in TEX_IN_TEXT.finditer(text):
            sign = "$" if match[1] else "$$"
            formula = " ".join((match[1] or match[2] or match[3]).split())
            parts += [ACTIVE.sub(_escape, text[last : match.start()]), _tex(f"{sign}{formula}{sign}")]
            last = match.end()
        return "".join([*parts, ACTIVE.sub(_escape, text[last:])])

    def _branch(self, branch: Branch) -> str:
        tag = branch.tag
        if tag in self.whole:
            return self.whole[tag](branch)
        inner = self.raw(branch.children)
        if tag in self.special:
            return self.special[tag](inner, branch)
        if tag in MARKS:
            return _wrapped(inner, MARKS[tag])
        return _set_apart(inner, tag) if tag in BLOCK_TAGS else inner

    def code(self, branch: Branch) -> str:
        return BREAK.join(map(_code, self.plain(branch).split(BREAK)))

    def formula(self, branch: Branch) -> str:
        return _formula(formula_text(branch, self.plain_text), branch.attr("display") == "block")

    def plain(self, branch: Branch) -> str:
        """The kept text as it stands, for code."""
        parts = []
        for child in branch.children:
            if isinstance(child, Branch):
                parts.append(BREAK if child.tag == "br" else self.plain(child))
            elif self.is_kept(child):
                parts.append(child[0])
        return "".join(parts)

    def plain_text(self, children: Sequence[Child]) -> str:
        return "".join(child[0] for child in children if isinstance(child, tuple) and self.is_kept(child))

    def is_kept(self, piece: TextPiece) -> bool:
        return piece[1] < 0 or self.kept[piece[1]]

    def link(self, inner: str, branch: Branch) -> str:
        """A link with an absolute address; only the text where the address is a script, a fragment or missing."""
        if branch.index in self.notes.ways_back:
            return ""
        if branch.index in self.notes.marks:
            return f"[^{self.notes.marks[branch.index]}]"
        text, href = inner.strip(), branch.attr("href")
        if self.style.links == "as_written":
            is_link = text and branch.element.attr("href") is not None
            return _padded(inner, f"[{text}]({self.address(href)})") if is_link else inner
        if href.startswith("#") and len(text) < 3 and PLACE_SIGNS.issuperset(text):
            return ""
        address = self.address(href)
        if not text or not address or BREAK in text:
            return inner
        images = LEADING_IMAGES.match(inner) if "![" in inner else None
        if images:
            rest = inner[images.end() :]
            return images[0] + self.link(rest, branch) if rest.strip() else inner
        self.links += 1
        if self.style.links == "spelled_out" and text.rstrip(".… ") in address:
            return _padded(inner, address)
        return _padded(inner, f"[{_balanced(text)}]({address})")

    def raised(self, inner: str, branch: Branch) -> str:
        if branch.index in self.notes.ways_back:
            return ""
        label = self.notes.marks.get(branch.index)
        return f"[^{label}]" if label else _raised(inner, branch)

    def image(self, branch: Branch, caption: str = "") -> str:
        """A picture with its alternative text, and its caption as its title. Of one whose address could carry data
        the address is left out."""
        alt = single_spaced(branch.attr("alt")) or caption
        if not self.style.has_images:
            return alt
        if branch.class_name == EMBEDDED:
            return self.embedded(alt, self.source(branch))
        address = self.source(branch) if alt else ""
        if not alt or not (address or branch.class_name == DRAWN):
            return ""
        may_be_formula = "tex" in address or "math" in address
        if FORMULA_IMAGE.search(branch.class_name) or (may_be_formula and FORMULA_SITE.search(address)):
            return _tex(f"${_inner_formula(alt)}$")
        is_kept = self.style.keeps_images or self.style.links == "as_written"
        if not address or (not is_kept and carries_data(address)):
            address = "<>" if caption and caption != alt else ""
        text = ACTIVE_IN_ALT.sub(_escape, alt) if self.escapes and not SIGNS_IN_ALT.isdisjoint(alt) else alt
        return f"![{text}]({address}{_title(caption) if caption != alt else ''})"

    def embedded(self, title: str, address: str) -> str:
        if not address:
            return ""
        self.links += 1
        return f"[{_balanced(ACTIVE.sub(_escape, title))}]({address})" if title else f"<{address}>"

    def source(self, branch: Branch) -> str:
        """Where the picture is: what a script would load later comes before what stands in its place."""
        for name in IMAGE_SOURCES:
            if address := self.address(branch.attr(name)):
                return address
        sets = (branch.attr(name).strip().partition(" ")[0].rstrip(",") for name in IMAGE_SETS)
        return next((address for each in sets if (address := self.address(each))), "")

    def address(self, href: str) -> str:
        href = href.strip()
        if self.style.links == "as_written":
            return "" if href.startswith("data:") else BLANKS.sub("%20", href)
        if not href or href.startswith("#") or len(href) > LONGEST_ADDRESS:
            return ""
        if self.site and TIDY_ADDRESS.fullmatch(href) and "/." not in href:
            return href if href[0] == "h" else self.site + href
        try:
            address = self.absolute(href)
        except ValueError:
            return ""
        if not address.lower().startswith(SAFE_SCHEMES):
            return ""
        return MARKUP_IN_ADDRESS.sub(_percent_encoded, address) if MARKUP_IN_ADDRESS.search(address) else address

    def absolute(self, href: str) -> str:
        """The address joined to the page's own."""
        if href.isprintable() and "/." not in href and "[" not in href and href[-1] not in "?#;":
            if href.startswith(SAFE_SCHEMES):
                return href
            if self.site and href.startswith("/") and not href.startswith("//"):
                return self.site + href
        return urljoin(self.base, href)


def _title(caption: str) -> str:
    """A caption as the title of a picture, in which only quotation marks and backslashes mean anything."""
    text = single_spaced(caption).replace("\\", "").replace('"', "”")[:LONGEST_CAPTION]
    return f' "{text}"' if text else ""


def _inner_formula(tex: str) -> str:
    """Without the frame that MediaWiki puts around each."""
    return tex[len(DISPLAY_STYLE) : -1].strip() if tex.startswith(DISPLAY_STYLE) and tex.endswith("}") else tex


def _percent_encoded(match: re.Match[str]) -> str:
    return PERCENT_ENCODED.get(match[0], "%20")


def _break(branch: Branch) -> str:
    return BREAK


def _escape(match: re.Match[str]) -> str:
    return "\\" + "\\".join(match[0])


def _tex(text: str) -> str:
    """Markdown has no marks of its own between dollar signs; what could end them or start a tag is defused."""
    if not TEX.fullmatch(text) or "](" in text:
        return ACTIVE.sub(_escape, text)
    return TAG_START.sub("< ", text)


def _formula(latex: str, is_display: bool) -> str:
    sign = "$$" if is_display else "$"
    return _tex(f"{sign}{latex.strip()}{sign}") if latex.strip() else ""


def _escape_start(match: re.Match[str]) -> str:
    """A line that would become a heading, an item, a quote or a fence keeps its characters instead."""
    if match[2]:
        return f"{match[2]}\\{match[3]}"
    return "\\" + match[0]


def _code(text: str) -> str:
    text = text.replace("\n", " ")
    if not text.strip():
        return text
    fence = "`" * (1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    inner = text.strip()
    gap = " " if inner.startswith("`") or inner.endswith("`") else ""
    return _padded(text, f"{fence}{gap}{inner}{gap}{fence}")


def _wrapped(inner: str, mark: str) -> str:
    """Emphasis around the text, the blanks at its ends outside; none across line breaks or inside itself."""
    text = inner.strip()
    if not text or BREAK in text or text[0] == mark[0] or text[-1] == mark[0]:
        return inner
    if mark == "*" and "*" in text and SINGLE_MARK.search(text):
        return inner
    return _padded(inner, mark + text + mark)


def _set_apart(inner: str, tag: str) -> str:
    """A block where only running text can stand, as in a heading or a cell: on a line of its own, a cell before a
    blank."""
    return f"{inner} " if tag in {"td", "th"} else f"{BREAK}{inner}{BREAK}"


def _raised(inner: str, branch: Branch) -> str:
    """A note's mark in brackets and a power with its sign: `1999` and note 1 are not 19991, nor is 10 to the 5 105."""
    text = inner.strip()
    if text.startswith("[["):
        text = text[1:-1] if text.endswith("]]") else text
    if text.startswith("[^"):
        return text
    if BREAK in text or not EXPONENT.fullmatch(text):
        return inner
    around = branch.parent
    if (around and around.tag == "a") or any(
        isinstance(child, Branch) and child.tag == "a" for child in branch.children
    ):
        return f"[{text}]"
    return _padded(inner, f"^{text}") if HAS_DIGIT_OR_SIGN.search(text) else inner


def _reading(inner: str, branch: Branch) -> str:
    """How a word is read stands above it; in a line it is put in parentheses, unless the page brings its own."""
    siblings = branch.parent.children[:RUBY_REACH] if branch.parent else ()
    has_own = any(isinstance(child, Branch) and child.tag == "rp" for child in siblings)
    return inner if has_own or not inner.strip() else f"({inner.strip()})"


def _quoted(inner: str, branch: Branch) -> str:
    return _padded(inner, f"“{inner.strip()}”") if inner.strip() else inner


def _balanced(text: str) -> str:
    """A link's text cannot hold a bracket without its partner."""
    if ("[" not in text and "]" not in text) or text.count("[") == text.count("]") or "](" in text:
        return text
    return text.replace("\\]", "]").replace("[", "\\[").replace("]", "\\]")


def _padded(original: str, marked: str) -> str:
    """The marked text with a blank where the original has any."""
    before = " " if original[0].isspace() else ""
    return f"{before}{marked} " if original[-1].isspace() else before + marked
