"""Text a reader of the page cannot see is taken out of the tree before anything else looks at it, and counted.

Hidden text is how pages carry instructions meant for machines. What only a script or an outside stylesheet
would hide cannot be known here. Text in code samples is text, whatever it says about CSS.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache, cached_property, partial
from itertools import islice

from wellsourced.pages.html import styles
from wellsourced.pages.html.dom import Document, Element, ancestors, attribute, remove, select, words
from wellsourced.text.plain_text import SELECTOR_RUNS

OFF_SCREEN_CLASSES = (
    ".sr-only, .visually-hidden, .visuallyhidden, .screen-reader-text, .screen-reader-only, .sr_only, .srOnly, "
    ".a11y-hidden, .element-invisible, .u-visually-hidden, .is-visually-hidden, .visually_hidden, .show-for-sr"
)
# On a page of fewer words a share says nothing.
LEAST_PAGE = 80
MAX_SHEETS = 200
WHITE = "#ffffff"
# Each selector is matched against the whole page.
MAX_SELECTORS = 200
MOST_MEANT = 1000
WHOLE_SHARE = 0.9
FADED_SHARE = 0.6
# React numbers the parts that it streams in hexadecimal.
STREAMED_ID = re.compile(r"S:[0-9a-f]{1,4}")
ARIA_SHARE = 0.6
PANEL = re.compile(r"accordi|collaps|faq|answer|(?<![a-z])tab-?(?:pane|content)|(?<![a-z])panel(?![a-z])", re.I)

PANEL_TITLE = re.compile(rf"{PANEL.pattern}|question|title|head|toggle|trigger|button", re.I)
OPENERS = frozenset(("button", "a", "label", "dt", "summary", "h2", "h3", "h4", "h5", "h6"))

ZERO_WIDTH = "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060\u2061\u2062\u2063\u2064\u3164\ufeff\uffa0"
BIDI_CONTROLS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
INVISIBLE = re.compile(
    f"[{ZERO_WIDTH}{BIDI_CONTROLS}\u206a-\u206f\ufff9-\ufffb\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f"
    "\U000e0000-\U000e0fff\U0001d173-\U0001d17a]"
)
# Joiners shape Indic and Arabic words and emoji; between other letters they only serve to hide.
STRAY_JOINER = re.compile(r"(?<=[\x00-\u02ff\s])[\u200c\u200d]+|[\u200c\u200d]+(?=[\x00-\u02ff\s])|[\u200c\u200d]{2,}")


def strip_invisible(text: str) -> str:
    """The text without characters that have no shape: zero-width, bidi controls, Unicode tags, controls."""
    if text.isascii() and text.isprintable():
        return text
    text = SELECTOR_RUNS.sub(r"\1", INVISIBLE.sub("", text))
    return STRAY_JOINER.sub("", text) if "\u200c" in text or "\u200d" in text else text


def remove_hidden(document: Document, *, scripting: bool = True) -> int:
    """Take out what cannot be seen; the number of elements with text that were removed."""
    noscript = "noscript, " if scripting else ""
    sheets = _sheets(document)
    count = _remove_all(select(document, f"template, {noscript}dialog:not([open])"))
    document.remove("script, style")
    total = Total(document)
    openable = _openable(document)
    count += _remove_all(_marked_hidden(document, total, openable))
    ground = cache(lambda: _page_ground(document, sheets))
    count += _remove_all(_hidden_inline(document, total, openable, ground))
    return count + _remove_all(_hidden_by_sheet(document, sheets, total, openable, ground))


class Total:
    """How many words the page has, counted when it is first asked for: most pages hide nothing."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def words(self) -> int:
        return sum(len(words(body)) for body in select(self._document, "body"))


def _sheets(document: Document) -> list[str]:
    """The page's own stylesheets for screens."""
    elements = [sheet for sheet in select(document, "style") if attribute(sheet, "media") in {"", "all", "screen"}]
    return [styles.tidy_sheet(sheet.text) for sheet in elements[:MAX_SHEETS]]


def _remove_all(elements: Iterable[Element]) -> int:
    count = 0
    for element in elements:
        if element.parent is not None:
            count += bool(element.text.strip()) or element.tag == "img"
            remove(element)
    return count


def _openable(document: Document) -> frozenset[str]:
    """Ids of panels that a button of the page opens: closed answers and tabs, which a reader can see on demand."""
    buttons = select(document, "button[aria-controls], [role=button][aria-controls], [role=tab][aria-controls]")
    return frozenset(attribute(button, "aria-controls") for button in buttons if button.text.strip())


def _streamed(element: Element) -> bool:
    """Whether this is a part that React sent late (`S:0`) and its script moves into view at once."""
    return STREAMED_ID.fullmatch(attribute(element, "id")) is not None


def _marked_hidden(document: Document, total: Total, openable: frozenset[str]) -> list[Element]:
    elements = [
        e for e in select(document, "[hidden]") if not (attribute(e, "hidden") == "until-found" or _streamed(e))
    ]
    for element in select(document, "[aria-hidden=true]:not(img[class*=mwe-math-])"):
        if len(words(element)) <= ARIA_SHARE * total.words:
            elements.append(element)
    elements = [element for element in elements if attribute(element, "id") not in openable]
    elements += select(document, OFF_SCREEN_CLASSES)
    return [element for element in elements if not (_is_frame(element) or _waits_for_script(element, total))]


def _page_ground(document: Document, sheets: list[str]) -> str:
    """White, where nothing gives the page another background; "" where an outside sheet or a picture might."""
    painted = select(document, "link[rel~=stylesheet], [bgcolor], [background], [style*=background]")
    return "" if painted or set().union(*map(styles.sheet_backgrounds, sheets)) - {WHITE} else WHITE


def _hidden_inline(
    document: Document, total: Total, openable: frozenset[str], page_ground: styles.Ground
) -> list[Element]:
    elements = []
    judged: dict[str, tuple[styles.Declarations, bool]] = {}
    for element in select(document, "[style]"):
        style = attribute(element, "style")
        if style not in judged:
            declared = styles.parse_declarations(style)
            judged[style] = declared, styles.hides_text(declared)
        css, hides = judged[style]
        if _is_frame(element) or not (hides or _sinks_into_background(element, css, page_ground)):
            continue
        if not (attribute(element, "id") in openable and styles.is_folded(css)):
            elements.append(element)
    return [element for element in elements if not _waits_for_script(element, total)]


def _sinks_into_background(element: Element, css: styles.Declarations, page_ground: styles.Ground) -> bool:
    """Whether the text has the colour of the nearest background that is declared inline, or of the bare page."""
    ink = styles.normalise_colour(css["color"]) if "color" in css else ""
    if not ink or styles.background_colour(css):
        return False
    for parent in ancestors(element):
        style = attribute(parent, "style")
        ground = styles.background_colour(styles.parse_declarations(style)) if style else ""
        if ground:
            return ground == ink
        if "background" in style:
            return False
    return ink == WHITE and ink == page_ground()


def _waits_for_script(element: Element, total: Total) -> bool:
    """Whether next to nothing would be left to see: then this is the page itself, dark until its scripts have run."""
    if total.words <= LEAST_PAGE:
        return False
    share = len(words(element)) / total.words
    if share <= FADED_SHARE:
        return False
    css = styles.parse_declarations(attribute(element, "style"))
    faded = css.get("opacity") == "0" and not styles.is_folded(css)
    return faded or share > WHOLE_SHARE


def _is_frame(element: Element) -> bool:
    return element.tag in {"html", "body", "head"}


def _hidden_by_sheet(
    document: Document, sheets: list[str], total: Total, openable: frozenset[str], ground: styles.Ground
) -> list[Element]:
    """Elements that rules of the page's own `style` elements hide and no weightier rule shows again."""
    folds = dict(islice((rule for sheet in sheets for rule in styles.hiding_selectors(sheet, ground)), MAX_SELECTORS))
    meant = cache(partial(_meant, document))
    hidden: dict[Element, str] = {}
    for selector in sorted(folds, key=styles.selector_weight):
        hidden |= dict.fromkeys(meant(selector), selector)
    if hidden:
        _show_again(hidden, sheets, meant)
    kept_away = {element for selector, folded in folds.items() if not folded for element in meant(selector)}
    elements = [e for e in hidden if not _is_frame(e) and (e in kept_away or not _is_panel(e, openable))]
    if not elements:
        return elements
    is_within = cache(lambda parent: parent in hidden or any(above in hidden for above in ancestors(parent)))
    covered = sum(len(words(element)) for element in elements if not is_within(element.parent))
    return elements if total.words <= LEAST_PAGE or covered <= WHOLE_SHARE * total.words else []


def _meant(document: Document, selector: str) -> list[Element]:
    """The elements a selector means; what stands in what is followed where few could be meant, as it is slow."""
    outer, *inner = styles.compounds(selector)
    if inner and (document.select_one(outer) is None or len(select(document, inner[-1])) > MOST_MEANT):
        return []
    return select(document, selector)


def _is_panel(element: Element, openable: frozenset[str]) -> bool:
    """Whether a reader can open this: a button of the page says so, or its own name and what stands above it."""
    if attribute(element, "id") in openable:
        return True
    if not PANEL.search(attribute(element, "class")):
        return False
    above = element.previous_sibling
    while above is not None and not isinstance(above, Element):
        above = above.previous_sibling
    return above is not None and bool(above.text.strip()) and _opens(above)


def _opens(element: Element) -> bool:
    return element.tag in OPENERS or PANEL_TITLE.search(attribute(element, "class")) is not None


def _show_again(hidden: dict[Element, str], sheets: list[str], meant: Callable[[str], list[Element]]) -> None:
    """Take back the elements that a rule of the same weight or more makes appear.

    What a rule hides by what it stands in may also wait for a script to bring about what another rule shows it in.
    """
    known = {name for element in hidden for name in attribute(element, "class").split()}
    showing = (
        selector
        for sheet in sheets
        for selector, place in styles.showing_rules(sheet)
        if styles.class_names(styles.compounds(selector)[-1]) <= known and styles.shows(sheet, place)
    )
    for selector in islice(showing, MAX_SELECTORS):
        shown, last = frozenset(meant(selector)), styles.compounds(selector)[-1]
        for element, hiding in list(hidden.items()):
            is_shown = element in shown and styles.selector_weight(hiding) <= styles.selector_weight(selector)
            waits = "." in last and styles.is_nested(hiding) and element.matches(last)
            if is_shown or waits:
                del hidden[element]
