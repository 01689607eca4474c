"""Panels that are kept closed until a reader opens them."""

from __future__ import annotations

import re
from functools import cached_property

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.dom import Document, Element, Node, ancestors, attribute, element_before, select
from wellsourced.pages.html.unseen import Unseen

CONTROLS = (
    "button, [role=button], [role=tab], a[href^='#'], summary, label, [aria-expanded], [data-toggle], [data-bs-toggle]"
)
CONTROLLED = ("aria-controls", "data-target", "data-bs-target", "popovertarget", "commandfor")
NAMING = ", ".join(f"[{name}]" for name in CONTROLLED)
PANEL = re.compile(r"accordi|collaps|faq|answer|(?<![a-z])tab-?(?:pane|content)|(?<![a-z])panel(?![a-z])", re.I)
PANEL_TITLE = late_pattern(rf"{PANEL.pattern}|question|title|head|toggle|trigger|button", re.I)
OPENERS = frozenset(("button", "a", "label", "dt", "summary", "h2", "h3", "h4", "h5", "h6"))


class Openable:
    """Panels that a reader can open: something in sight says so."""

    def __init__(self, document: Document, found: list[Unseen], streamed: set[Element]) -> None:
        self.document = document
        self.hidden = {element for unseen in found for element in unseen.gone} - streamed
        self.hidden |= {element for unseen in found for dark, _ in unseen.dark for element in dark}

    @cached_property
    def named(self) -> frozenset[str]:
        """Ids that a control in sight names."""
        controls = [control for control in select(self.document, NAMING) if control.matches(CONTROLS)]
        named = [(control, attribute(control, name)) for control in controls for name in CONTROLLED]
        return frozenset(
            part.removeprefix("#")
            for control, value in named
            if value and self._is_seen(control)
            for part in value.split()
        )

    def _is_seen(self, element: Element) -> bool:
        return bool(element.text.strip()) and element not in self.hidden and self.hidden.isdisjoint(ancestors(element))

    def sealed(self) -> list[Node]:
        """What stands in details that are closed, where what would open them cannot be seen."""
        closed = select(self.document, "details:not([open])")
        heads = {
            details: next((e for e in details if isinstance(e, Element) and e.tag == "summary"), None)
            for details in closed
        }
        return [node for details, head in heads.items() if head in self.hidden for node in details if node is not head]

    def is_panel(self, element: Element) -> bool:
        if (own := attribute(element, "id")) and own in self.named:
            return True
        if not PANEL.search(attribute(element, "class")):
            return False
        above = element_before(element)
        return above is not None and self._is_seen(above) and _opens(above)


def _opens(element: Element) -> bool:
    return element.tag in OPENERS or PANEL_TITLE.search(attribute(element, "class")) is not None
