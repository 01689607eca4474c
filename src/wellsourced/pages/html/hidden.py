"""Text a reader of the page cannot see is taken out of the tree before anything else looks at it, and counted.

Hidden text is how pages carry instructions meant for machines. What only a script or an outside stylesheet
would hide cannot be known here. Text in code samples is text, whatever it says about CSS.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.cascade import Cascade, Declarations
from wellsourced.pages.html.css_conditions import media_holds
from wellsourced.pages.html.css_selectors import PageIndex
from wellsourced.pages.html.css_sheets import Sheets, all_sheets, read_data_sheet
from wellsourced.pages.html.dom import (
    Document,
    Element,
    Node,
    Text,
    ancestors,
    attribute,
    count_page_words,
    remove,
    select,
    words,
)
from wellsourced.pages.html.panels import Openable
from wellsourced.pages.html.unseen import Unseen, find_unseen
from wellsourced.pages.html.waiting import LEAST_PAGE, fading_in, main_part, whole_page
from wellsourced.text.plain_text import SELECTOR_RUNS

OFF_SCREEN = (
    *("sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screen-reader-only"),
    *("sr_only", "srOnly", "a11y-hidden", "element-invisible", "u-visually-hidden"),
    *("is-visually-hidden", "visually_hidden", "show-for-sr"),
)
# What the common style libraries hide by name; some show it again in wide windows.
UTILITY_CLASSES = ("d-none", "hidden")
SHOWN_IN_WIDE_WINDOWS = late_pattern(
    r"\bd-(?:sm|md|lg|xl)-(?!none)|\b(?:sm|md|lg|xl):(?!hidden)(?:block|flex|grid|inline|table|visible)"
)
# Browsers keep these back of themselves; a style of the page can bring them out.
NOT_DISPLAYED = frozenset(("rp", "noembed"))
# What browsers give to dialogs and popovers, which stand in front of the page.
RAISED = {"position": "absolute", "color": "canvastext", "background-color": "canvas"}
COLOURING = frozenset(("color", "bgcolor", "background", "text"))
MARKED_TAGS = {"mphantom": "phantom", "meta": "dark"}
DARK = "meta[name=color-scheme i]:not([content*=light i])"
MACHINERY = "template, noscript, script, style, link[rel~=stylesheet i]"
MARKS = ("style", "display", "kept_back", "raised", "until_found", "phantom", "coloured", "tiny", "aria", "dark")
MARKED = ", ".join(
    (
        *("[style]", "[hidden]", "[popover]", "dialog", "mphantom", "img[width]", "img[height]", "font[color]"),
        *("[bgcolor]", "[background]", "body[text]", "[aria-hidden=true]", DARK, *NOT_DISPLAYED),
    )
)
ARIA_SHARE = 0.6
# React numbers the parts that it streams in hexadecimal.
STREAMED_ID = late_pattern(r"S:[0-9a-f]{1,4}")
MOVED_ID = late_pattern(r"(?<=\")S:[0-9a-f]{1,4}(?=\")")
# The letters of a formula one by one, beside the formula itself.
TYPESET = late_pattern(r"katex-html|MathJax|mjx")
WITHOUT_SCRIPTS = late_pattern(r"\bno[-_]?(?:js|script)\b", re.I)
NO_SCRIPTS = tuple(f"no{joint}{word}".encode() for joint in ("-", "_", "") for word in ("js", "script"))
BARE_SCOPE = re.compile(r"@scope\s*(?=\{|to\b)", re.I)
HEX_DIGITS = late_pattern(r"[0-9a-fA-F]{6}")

ZERO_WIDTH = "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060\u2061\u2062\u2063\u2064\u3164\ufeff\uffa0"
BIDI_CONTROLS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
INVISIBLE = re.compile(
    f"[{ZERO_WIDTH}{BIDI_CONTROLS}\u206a-\u206f\ufff9-\ufffb\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f"
    "\U000e0000-\U000e0fff\U0001d173-\U0001d17a]"
)
# Joiners shape Indic and Arabic words and emoji; between other letters they only serve to hide.
STRAY_JOINER = late_pattern(
    r"(?<=[\x00-\u02ff\s])[\u200c\u200d]+|[\u200c\u200d]+(?=[\x00-\u02ff\s])|[\u200c\u200d]{2,}"
)
# What `strip_invisible` could take out of a text that is not ASCII.
INVISIBLE_SIGN = re.compile(f"[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef{INVISIBLE.pattern[1:]}")


def strip_invisible(text: str) -> str:
    """The text without characters that have no shape: zero-width, bidi controls, Unicode tags, controls."""
    if text.isascii() and text.isprintable():
        return text
    text = SELECTOR_RUNS.sub(r"\1", INVISIBLE.sub("", text))
    return STRAY_JOINER.sub("", text) if "\u200c" in text or "\u200d" in text else text


class Removed(NamedTuple):
    """What was taken out: `elements` with text.

    `unsure` says that not all of the page's styles could be decided, so that texts were left out which may be seen;
    `waiting` that the page shows its content only after its scripts have run, and was read as it stands.
    """

    elements: int = 0
    unsure: bool = False
    waiting: bool = False


def remove_hidden(document: Document, *, scripting: bool = True) -> Removed:
    """Take out what cannot be seen. All is judged before anything is taken out: styles ask for places among others."""
    machinery = select(document, MACHINERY)
    page = PageStyles(document, machinery)
    judged = {c: find_unseen(c, ground_known=not page.has_outside_sheets) for c in page.cascades()}
    found = list(judged.values())
    streamed = page.streamed()
    opened = Openable(document, found, streamed)
    folded = {e for unseen in found for e, is_folded in unseen.gone.items() if is_folded}
    panels = {e for e in folded if opened.is_panel(e)}
    gone = page.marks["tiny"] + [e for u in found for e in u.gone if e not in panels and e not in u.escaped[0]]
    dark = [(dark_ones - panels, lit) for u in found for dark_ones, lit in (*u.dark, u.escaped) if dark_ones]
    unjudged = page.unjudged(list(judged))
    unsure = bool(page.index.unmatched) or _differ(found) or any(cascade.has_unknown_value for cascade in judged)
    unsure |= any(unseen.unsure for unseen in found)
    sealed = opened.sealed()
    count = _remove_all([e for e in machinery if e.tag == "template" or (e.tag == "noscript" and scripting)])
    document.remove("script, style")
    count += _remove_all(page.hidden_by_name(opened))
    gone = [element for element in gone if element not in streamed and element.parent is not None]
    hidden = set(gone).union(*(dark_ones for dark_ones, _ in dark))
    # What browsers keep back until it is opened does not wait for scripts.
    waiting = whole_page(document, hidden.difference(page.marks["kept_back"])) or fading_in(document, found)
    if not waiting:
        curtains = {e for e in hidden if e.tag == "main" or e not in folded} if page.is_styled_elsewhere else set()
        waiting = main_part(document, hidden, page.parts_without_scripts(), curtains)
    for node in [*sealed, *(node for unseen in found for node in unseen.pushed if node not in waiting)]:
        count += _remove_all([node]) if isinstance(node, Element) else _remove_text(node)
    count += sum(_cut(text, kept) for unseen in found for text, kept in unseen.cut.items())
    count += _remove_all(element for element in gone if element not in waiting)
    for dark_ones, lit in dark:
        count += _darken(document, dark_ones - waiting, lit - dark_ones)
    return Removed(count + _remove_all(unjudged), unsure, bool(waiting))


def _differ(found: list[Unseen]) -> bool:
    """Whether it depends on conditions that could not be decided what of the page's text is seen."""
    judged = [set(unseen.gone).union(*(dark for dark, _ in unseen.dark)) for unseen in found]
    return any(element.text.strip() for element in judged[0] ^ judged[-1])


class PageStyles:
    """What decides how the page looks: its own sheets and attributes, and whether others are beyond reach."""

    def __init__(self, document: Document, machinery: list[Element]) -> None:
        self.document = document
        self.machinery = machinery
        sheets = [element for element in machinery if element.tag in {"style", "link"}]
        if any(element.tag == "template" for element in machinery):
            sheets = [sheet for sheet in sheets if not any(around.tag == "template" for around in ancestors(sheet))]
        self.texts = [_with_scope(text, sheet) for sheet in sheets if (text := _sheet_text(sheet))]
        self.has_outside_sheets = any(s.tag == "link" and not _is_data(s) for s in sheets)
        self.index = PageIndex(document)
        self.marks: dict[str, list[Element]] = {}

    @cached_property
    def scripts(self) -> str:
        """The text of the scripts that run."""
        scripts = [e for e in self.machinery if e.tag == "script" and "json" not in attribute(e, "type")]
        return "\n".join([script.text for script in scripts])

    def _marks_missing_scripts(self) -> bool:
        """Whether a script speaks of a class for pages without scripts, which it then takes away."""
        # Plain words are found many times faster in bytes than the expression in a text.
        small = self.scripts.encode(errors="replace").lower()
        return any(map(small.__contains__, NO_SCRIPTS)) and WITHOUT_SCRIPTS.search(self.scripts) is not None

    @cached_property
    def is_without_scripts(self) -> bool:
        return all(element.tag != "script" for element in self.machinery)

    @property
    def is_styled_elsewhere(self) -> bool:
        """Whether sheets and scripts of other files decide how it looks; the scripts may not have been saved."""
        has_scripts = any(e.tag == "script" and e.attr("src") for e in self.machinery)
        return self.has_outside_sheets and (has_scripts or self.is_without_scripts)

    @property
    def inline(self) -> Iterable[str]:
        return (attribute(element, "style") for element in self.marks["style"])

    def _sent_late(self) -> set[Element]:
        """Parts that React sent late (`S:0`), each with the place (`B:0`, `P:0`) where it is to be shown."""
        parts = [e for e in self.marks["display"] if STREAMED_ID.fullmatch(attribute(e, "id"))]
        if not parts:
            return set()
        places = {attribute(element, "id")[1:] for element in self.machinery if element.tag == "template"}
        return {part for part in parts if attribute(part, "id")[1:] in places}

    def streamed(self) -> set[Element]:
        """Those that a script of the page moves there."""
        parts = self._sent_late()
        moved = set(MOVED_ID.findall(self.scripts)) if parts else ()
        return {part for part in parts if attribute(part, "id") in moved}

    def parts_without_scripts(self) -> set[Element]:
        """Those of a page that was saved without the scripts that would."""
        return self._sent_late() if self.is_without_scripts else set()

    def _read_marks(self) -> None:
        """Everything that attributes and tags say, from one walk over the page."""
        self.marks = {name: [] for name in MARKS}
        for element in select(self.document, MARKED):
            tag, names = element.tag, frozenset(element.attrs)
            is_popover = "popover" in names
            if "style" in names and element.attr("style"):
                self.marks["style"].append(element)
            if "hidden" in names:
                is_found = (element.attr("hidden") or "").lower() == "until-found"
                self.marks["until_found" if is_found else "display"].append(element)
            if (
                tag in NOT_DISPLAYED
                or (is_popover and tag != "dialog" and not _heads_details(element))
                or (tag == "dialog" and "open" not in names)
            ):
                self.marks["kept_back"].append(element)
            if tag == "dialog" or is_popover:
                self.marks["raised"].append(element)
            elif tag in MARKED_TAGS:
                self.marks[MARKED_TAGS[tag]].append(element)
            if tag == "img" and any(attribute(element, name) in {"0", "1"} for name in ("width", "height")):
                self.marks["tiny"].append(element)
            if not COLOURING.isdisjoint(names) and any(map(element.attr, COLOURING)):
                self.marks["coloured"].append(element)
            is_silent = "aria-hidden" in names and element.attr("aria-hidden") == "true"
            if is_silent and "mwe-math-" not in (element.attr("class") or ""):
                self.marks["aria"].append(element)

    def hidden_by_name(self, opened: Openable) -> list[Element]:
        """What a sheet from elsewhere most likely hides: by names that all use so, and what is not said aloud.

        Drawers and dialogs are marked for screen readers; where all sheets are known, that mark hides nothing.
        """
        elements = self.index.with_names(OFF_SCREEN)
        around_formulas = {formula.parent for formula in select(self.document, "math")}
        elements += [e for e in self.marks["aria"] if e.parent in around_formulas or _is_typeset(e)]
        if not self.has_outside_sheets:
            return elements
        named = self.index.with_names(UTILITY_CLASSES)
        named = [e for e in named if not SHOWN_IN_WIDE_WINDOWS.search(attribute(e, "class"))]
        opened.hidden.update(named)
        elements += [e for e in named if not opened.is_panel(e)]
        sizes = {element: len(words(element)) for element in self.marks["aria"]}
        most = (
            ARIA_SHARE * count_page_words(self.document)
            if any(size > LEAST_PAGE for size in sizes.values())
            else LEAST_PAGE
        )
        return elements + [e for e, size in sizes.items() if size <= most and not (e.attr("id") and opened.is_panel(e))]

    def cascades(self) -> Iterator[Cascade]:
        """One, or two where the conditions of some rules cannot be decided, as far as the first was asked."""
        self._read_marks()
        inline = self.marks["style"]
        sheets = all_sheets(self.texts, self.inline)
        selectors = self.index.possible(sheets)
        for_others = [number for number in selectors if _is_without_scripts(sheets.heads[number])]
        if for_others and self._marks_missing_scripts():
            for number in for_others:
                del selectors[number]
        declarations = Declarations(sheets, selectors)
        first = Cascade(self.index, declarations, inline, with_uncertain=True)
        self._add_defaults(first)
        for part, several in self.index.possible_parts(sheets).items():
            first.parts[part] = Cascade(self.index, Declarations(sheets, several), (), with_uncertain=True)
        yield first
        if first.is_undecided or any(sheets.contexts[number].uncertain for number in selectors):
            second = Cascade(self.index, declarations, inline, with_uncertain=False)
            self._add_defaults(second)
            yield second

    def _add_defaults(self, cascade: Cascade) -> None:
        cascade.add_default("display", self.marks["kept_back"], "none")
        cascade.add_default("display", self.marks["display"], "none", by_attribute=True)
        for name, value in RAISED.items():
            cascade.add_default(name, self.marks["raised"], value)
        cascade.add_default("content-visibility", self.marks["until_found"], "hidden", by_attribute=True)
        cascade.add_default("visibility", self.marks["phantom"], "hidden")
        root = select(self.document, "html") if self.marks["dark"] else []
        cascade.add_default("color-scheme", root, "dark", by_attribute=True)
        for element in self.marks["coloured"]:
            for name, source in (("color", "color"), ("color", "text"), ("background-color", "bgcolor")):
                value = attribute(element, source).lower()
                if value:
                    value = f"#{value}" if HEX_DIGITS.fullmatch(value) else value
                    cascade.add_default(name, [element], value, by_attribute=True)
            if attribute(element, "background"):
                cascade.add_default("background-image", [element], "url()", by_attribute=True)

    def unjudged(self, cascades: list[Cascade]) -> list[Element]:
        """What selectors could mean that were too much to match: all elements with the name they ask for."""
        if not self.index.unmatched:
            return []
        hiding = set().union(*(cascade.hiding_selectors() for cascade in cascades))
        elements: list[Element] = []
        for selector in self.index.unmatched:
            if selector in hiding:
                among = self.index.candidates(selector)
                if among is None:
                    return select(self.document, "body > *")
                elements += among
        return elements


def _heads_details(element: Element) -> bool:
    return element.tag == "summary" and isinstance(element.parent, Element) and element.parent.tag == "details"


def _is_typeset(element: Element) -> bool:
    """Whether it is made of a formula beside it; without one it is all there is."""
    is_alone = element.previous_sibling is None and element.next_sibling is None
    names = element.attr("class") or ""
    return TYPESET.search(names) is not None and not (is_alone and "katex-html" in names)


def _is_without_scripts(selectors: str) -> bool:
    return "no" in selectors and WITHOUT_SCRIPTS.search(selectors) is not None


def _is_data(link: Element) -> bool:
    return attribute(link, "href")[:5].lower() == "data:"


def _sheet_text(sheet: Element) -> str:
    """The text of a sheet of the page's own that applies in an ordinary window."""
    if attribute(sheet, "type").lower() not in {"", "text/css"} or media_holds(attribute(sheet, "media")) is False:
        return ""
    return sheet.text if sheet.tag == "style" else read_data_sheet(attribute(sheet, "href"))


def _with_scope(text: str, sheet: Element) -> str:
    """A sheet whose `@scope` says of what it speaks: without that it speaks of the element that the sheet is in."""
    if not BARE_SCOPE.search(text):
        return text
    places = [1 + sum(isinstance(node, Element) for node in each.previous_siblings) for each in ancestors(sheet)]
    path = " > ".join((":root", *(f":nth-child({place})" for place in reversed(places[:-1]))))
    return BARE_SCOPE.sub(f"@scope ({path}) ", text)


def _remove_all(elements: Iterable[Element]) -> int:
    count = 0
    for element in elements:
        if element.parent is not None and element.tag not in {"html", "body", "head"}:
            count += bool(element.text.strip()) or element.tag == "img"
            remove(element)
        elif element.tag in {"html", "body"}:
            count += sum(map(_remove_text, list(element)))
            count += _remove_all([child for child in element if isinstance(child, Element) and child.tag != "head"])
    return count


def _darken(document: Document, dark: set[Element], lit: set[Element]) -> int:
    """Take out the texts of dark elements, up to elements within that are lit again.

    The last first, so that the same page gives the same count each time.
    """
    above: set[Element] = set()
    for element in lit:
        for parent in ancestors(element):
            if parent in above:
                break
            above.add(parent)
    count = 0
    waiting = [element for element in select(document, "*") if element in dark] if dark else []
    while waiting:
        element = waiting.pop()
        if element not in above and element.tag not in {"html", "body"}:
            count += _remove_all([element])
            continue
        for child in list(element):
            if isinstance(child, Text):
                count += bool(child.data.strip())
                remove(child)
            elif isinstance(child, Element) and child not in lit and child not in dark and child.tag != "head":
                waiting.append(child)
    return count


def _remove_text(node: Node) -> int:
    if isinstance(node, Text) and node.parent is not None:
        remove(node)
        return bool(node.data.strip())
    return 0


def _cut(text: Text, kept: str) -> int:
    """Leave of a text the words that are seen."""
    if text.parent is None:
        return 0
    text.data = f" {kept} "
    return 1


def hides_inline(style: str) -> bool:
    """Whether a `style` attribute alone hides what it stands on."""
    from wellsourced.pages.html.dom import parse

    document = parse("<!doctype html><div></div>")
    element = select(document, "div")[0]
    element.attrs["style"] = style
    cascade = Cascade(PageIndex(document), Declarations(Sheets(), {}), [element], with_uncertain=True)
    found = find_unseen(cascade, ground_known=True)
    return element in found.gone or any(element in dark for dark, _ in found.dark)
