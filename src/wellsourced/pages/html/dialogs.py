"""What dialogs that are shown lie on: browsers give them a background and paddings, and mostly a place of their own."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import chain, islice, takewhile, zip_longest

from wellsourced.pages.html.boxes import BOXES
from wellsourced.pages.html.dom import Element, Node, Text, ancestors, select, texts_in
from wellsourced.pages.html.sizes import WITH_MARGINS, Sizes

# So many letters may stand in a line.
LEAST_WRAPPED, LONGEST_LINE = 110, 190
# So much at most is left out for standing above a dialog in a line.
LONGEST_ABOVE = 60
# So many more texts than are in it may be one below the other where a dialog lies.
MORE_BELOW, MOST_TEXTS = 2, 20
# What browsers give space to its left.
WITH_SIDES = frozenset(("blockquote", "figure", "ul", "ol", "menu", "dd", "dialog"))
# What makes a layer of a line.
LINE_LAYERS = ("isolation", "filter", "mix-blend-mode", "clip-path", "mask-image", "backdrop-filter")
# Where there are more than any page has for its readers, all that is beside them is left out.
MOST_DIALOGS = 30


class Dialogs(Sizes):
    """Looks at single elements with the values that won."""

    def below_dialogs(self, gone: Container[Element]) -> Iterator[Node]:
        """Dialogs that are shown lie on what follows, and in a line with their paddings on what is above."""
        shown = self._shown_dialogs() if self.ground_known else []
        if len(shown) > MOST_DIALOGS:
            self.is_unsure = True
            yield from (
                node for parent in dict.fromkeys(dialog.parent for dialog in shown) if parent for node in parent
            )
            return
        for dialog in shown:
            position = self.cascade.value(dialog, "position")
            if position == "absolute" and dialog not in gone:
                yield from self._below_raised(dialog)
            elif position in {"absolute", "fixed"} and (dialog not in gone or self._is_moved_across(dialog)):
                yield from self._texts_below(dialog)
            elif dialog not in gone and not self.is_box(dialog) and self._is_white(dialog):
                yield from self._above_line(dialog)
                yield from self._below_line(dialog) if self._is_line_in_front(dialog) else ()
                yield from self._blocks_before_lines(dialog)

    def _shown_dialogs(self) -> list[Element]:
        dialogs = select(self.cascade.index.document, "dialog")
        return [e for e in dialogs if not self._has_no_box(e) and self.cascade.value(e, "display") != "none"]

    def _is_moved_across(self, dialog: Element) -> bool:
        """Browsers put dialogs in the middle between both sides, so that half of the way is left of such a move."""
        return self.cascade.value(dialog, "left").endswith("%") and self.cascade.said(dialog, "right") is None

    def _below_raised(self, dialog: Element) -> Iterator[Node]:
        yield from _up_to_element(dialog)
        parent = dialog.parent
        if isinstance(parent, Element) and self.cascade.value(parent, "display") in BOXES:
            # There it has its place where all begins.
            yield from (node for node in parent if isinstance(node, Text))

    def _texts_below(self, dialog: Element) -> Iterator[Node]:
        count = len([*islice(texts_in([dialog]), MOST_TEXTS)])
        return islice(texts_in(dialog.next_siblings), MORE_BELOW + count if self.cascade.index.may_ask(count) else 0)

    def _above_line(self, dialog: Element) -> Iterator[Node]:
        yield from self._a_line_before(dialog)
        for above in self._last_above(dialog):
            is_low = not isinstance(above, Element) or above.tag not in WITH_MARGINS
            if is_low and len(above.text.strip()) <= LONGEST_ABOVE:
                yield above

    def _is_line_in_front(self, dialog: Element) -> bool:
        """Whether it is painted after what follows."""
        return any(self.cascade.value(dialog, name) not in {"", "none", "normal", "auto"} for name in LINE_LAYERS)

    def _below_line(self, dialog: Element) -> Iterator[Node]:
        """The first text of the block that follows."""
        after = next((node for node in dialog.next_siblings if self._is_block(node)), None)
        if isinstance(after, Element) and after.tag not in WITH_MARGINS:
            yield from islice(texts_in([after]), 1)

    def _a_line_before(self, dialog: Element) -> Iterator[Node]:
        """The texts so far before its end that they may be above it, where the line is wrapped."""
        distance = len(dialog.text.strip())
        for node in self._line_before(dialog):
            if isinstance(node, Element) and node.tag == "head":
                return
            for text in reversed([*texts_in([node])]):
                distance += len(text.data.strip())
                if distance > LONGEST_LINE:
                    return
                if distance > LEAST_WRAPPED:
                    yield text

    def _last_above(self, element: Element) -> Iterator[Node]:
        """The last blocks, or the last texts, of what stands above its line."""
        node: Node | None = element
        is_in_line = True
        while isinstance(node, Node) and self.cascade.index.may_ask(1):
            for before in node.previous_siblings:
                is_in_line &= not self._is_block(before)
                if before.text.strip() and not is_in_line:
                    line = takewhile(lambda each: not self._is_block(each), chain([before], before.previous_siblings))
                    is_block = isinstance(before, Element) and self.is_box(before)
                    yield from (
                        self._last_in(before) if isinstance(before, Element) and is_block else islice(line, MOST_TEXTS)
                    )
                    return
            node = node.parent
            is_in_line &= node is not None and not self._is_block(node)

    def _is_block(self, node: Node) -> bool:
        return isinstance(node, Element) and self.starts_line(node)

    def _last_in(self, block: Element) -> Iterator[Node]:
        if block.tag == "tr":
            for cell in block:
                yield from self._last_in(cell) if isinstance(cell, Element) else ()
            return
        nodes = [node for node in block if isinstance(node, Element) or node.text.strip()]
        last = nodes[-1] if nodes else None
        if isinstance(last, Element) and self.starts_line(last):
            yield from self._last_in(last)
        elif any(map(self._is_block, nodes)):
            yield from takewhile(lambda node: not self._is_block(node), reversed(nodes))
        else:
            yield block

    def _blocks_before_lines(self, dialog: Element) -> Iterator[Element]:
        flow = [node for node in self._flow(dialog) if isinstance(node, Element) or node.text.strip()]
        for block, after in zip_longest(flow, flow[1:]):
            if not isinstance(block, Element) or not self.starts_line(block):
                continue
            is_line = after is not None and (bool(after.text.strip()) or self._is_wide_without_text(after))
            is_line = is_line or any(map(self._is_wide_without_text, islice(block.next_siblings, 2)))
            if is_line and block.tag not in WITH_MARGINS:
                yield block

    def _is_wide_without_text(self, node: Node) -> bool:
        return isinstance(node, Element) and node.tag in WITH_SIDES and not self.starts_line(node)

    def _is_white(self, dialog: Element) -> bool:
        is_reset = self.cascade.said(dialog, "background-color") in {"initial", "unset", "transparent"}
        return not is_reset and bool(dialog.text.strip())

    def popovers(self) -> Iterator[Element]:
        """Those that a style shows without opening them stand in the window's middle, maybe cut off or covered."""
        document = self.cascade.index.document
        for popover in select(document, "[popover]:not(dialog, summary)") if self.ground_known else ():
            if any(self.cascade.value(above, "clip-path") not in {"", "none"} for above in ancestors(popover)):
                yield popover


def _up_to_element(element: Element) -> Iterator[Node]:
    """What follows with text, up to an element."""
    for node in element.next_siblings:
        if node.text.strip():
            yield node
            if isinstance(node, Element):
                return
