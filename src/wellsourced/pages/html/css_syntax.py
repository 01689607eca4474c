"""Which selectors a browser knows."""

from __future__ import annotations

import re
from functools import lru_cache

from turbohtml import SelectorSyntaxError
from turbohtml._html import _css_specificity

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.css_values import on_one_line

VALID, MEANS_NOTHING, UNKNOWN = range(3)
OPEN = late_pattern(r":open(?![\w-])")
PLAIN = r"(?:\*|[a-zA-Z][a-zA-Z0-9_-]*+)?(?:[.#][a-zA-Z_-][a-zA-Z0-9_-]*+)*+"
_PLAIN_SELECTOR = rf"(?=[a-zA-Z0-9_.#*]){PLAIN}(?:(?:\s*+[>+~]\s*+|\s++)(?=[a-zA-Z0-9_.#*]){PLAIN})*+"
PLAIN_SELECTOR = late_pattern(_PLAIN_SELECTOR)
PLAIN_LIST = re.compile(rf"\s*+{_PLAIN_SELECTOR}\s*+(?:,\s*+{_PLAIN_SELECTOR}\s*+)*+")
# Parts and states that no element has on a page as it is loaded; their rules are valid and mean nothing here.
_PARTS = (
    "before after first-line first-letter marker placeholder selection backdrop cue cue-region file-selector-button "
    "part slotted target-text spelling-error grammar-error highlight view-transition[a-z-]* details-content "
    "scroll-marker scroll-marker-group scroll-button column checkmark picker picker-icon search-text -webkit-[a-z-]+"
)
_STATES = (
    "before after first-line first-letter host host-context autofill -webkit-autofill popover-open modal open "
    "fullscreen -webkit-full-screen -webkit-full-page-media user-valid user-invalid state picture-in-picture playing "
    "paused seeking muted buffering stalled volume-locked target-within target-current target-before target-after "
    "current past future local-link has-slotted active-view-transition active-view-transition-type xr-overlay "
    "window-inactive horizontal vertical increment decrement start end double-button single-button no-button "
    "corner-present -webkit-drag -webkit-any-link -internal-[a-z-]+ heading interest-source interest-target"
)
NOT_ELEMENTS = late_pattern(
    rf"::(?:{'|'.join(_PARTS.split())})(?![\w-])|(?<!:):(?:{'|'.join(_STATES.split())})(?![\w-])", re.I
)


def in_parser_words(selector: str) -> str:
    """As the parser wants it, which has no old names."""
    if ":-webkit-any" in selector:
        selector = selector.replace(":-webkit-any(", ":is(").replace(":-webkit-any-link", ":any-link")
    return OPEN.sub(":is(details, dialog)[open]", selector) if ":open" in selector else selector


@lru_cache(4096)
def validity(selector: str) -> int:
    """Whether elements can be matched by it, whether it is known to mean none of them, or not known at all."""
    selector = on_one_line(selector)
    if PLAIN_SELECTOR.fullmatch(selector):
        return VALID
    try:
        _css_specificity(selector)
    except SelectorSyntaxError:
        return MEANS_NOTHING if NOT_ELEMENTS.search(selector) else UNKNOWN
    return VALID


def is_known(selector: str) -> bool:
    """Whether a browser keeps a rule with it. What is defined is known of a page alone."""
    return validity(in_parser_words(selector).replace(":defined", ":root")) != UNKNOWN
