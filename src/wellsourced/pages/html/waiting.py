"""Pages that show their content only after their scripts have run: what hides it is told from text nobody shall see."""

from __future__ import annotations

from wellsourced.pages.html.dom import Document, Element, ancestors, attribute, count_page_words, select, words
from wellsourced.pages.html.unseen import Unseen

# On a page of fewer words a share says nothing.
LEAST_PAGE = 80
# A page that shows fewer words of all it has shows nothing before its scripts have run.
LEAST_SHOWN = 10
WHOLE_SHARE = 0.9
FADED_SHARE = 0.5
# Longer paragraphs in sight are a text, unless they are next to nothing beside what is hidden.
LONGEST_BESIDE_MAIN, MOST_BESIDE_MAIN = 40, 0.03
# So are many short ones that are neither menus nor the frame of the page.
MENUS, MOST_OUTSIDE_MENUS = "a, nav, header, footer, aside, form, button", 0.15


def whole_page(document: Document, hidden: set[Element]) -> set[Element]:
    """The elements that hide all there is: then this is the page itself, dark until its scripts have run."""
    outermost = [e for e in hidden if hidden.isdisjoint(ancestors(e))]
    sizes = {element: len(words(element)) for element in outermost if element.tag != "head"}
    if max(sizes.values(), default=0) <= WHOLE_SHARE * LEAST_PAGE:
        return set()
    total = count_page_words(document)
    if total <= LEAST_PAGE or total - sum(sizes.values()) >= LEAST_SHOWN:
        return set()
    whole = {element for element, size in sizes.items() if size > WHOLE_SHARE * total}
    names = {name for element in whole for name in attribute(element, "class").split()}
    # What one rule hides is often nested: `html, body`, elements not yet defined, boxes within boxes of that name.
    nested = [e for e in hidden if e.tag == "body" or "-" in e.tag or names & set(attribute(e, "class").split())]
    curtains = whole.union(nested) if whole else whole
    # Where those still leave most of it in the dark, all that is hidden waits.
    return hidden if curtains and 2 * _count_outermost(hidden - curtains) > total else curtains


def _count_outermost(elements: set[Element]) -> int:
    return sum(len(words(element)) for element in elements if elements.isdisjoint(ancestors(element)))


def main_part(document: Document, hidden: set[Element], late: set[Element], curtains: set[Element]) -> set[Element]:
    """The page's main part, where all of it is hidden until sheets and scripts from elsewhere have come.

    It is the page if it holds a third of all words, menus among them, and the headline that the page is named after, or
    is what was sent late, while nothing in sight reads like a text. `curtains` are the elements that may hide it.
    """
    parts = hidden & late
    if not parts and not curtains:
        return set()
    headlines, titles = (select(document, tag) for tag in ("h1", "title"))
    if len(headlines) == 1 and titles and _is_named(words(headlines[0]), words(titles[0])):
        parts |= curtains.intersection(ancestors(headlines[0]))
    size = _count_outermost(parts)
    if not parts or 3 * size < count_page_words(document):
        return set()
    is_text_seen = (
        _long_words_seen(document, hidden) > MOST_BESIDE_MAIN * size
        or _words_outside_menus(document, hidden) > MOST_OUTSIDE_MENUS * size
    )
    return set() if is_text_seen else parts


def _long_words_seen(document: Document, hidden: set[Element]) -> int:
    long = [(p, size) for p in select(document, "p") if (size := len(words(p))) > LONGEST_BESIDE_MAIN]
    return sum(size for p, size in long if p not in hidden and hidden.isdisjoint(ancestors(p)))


def _words_outside_menus(document: Document, hidden: set[Element]) -> int:
    apart = hidden.union(select(document, MENUS))
    outermost = (element for element in apart if apart.isdisjoint(ancestors(element)))
    return count_page_words(document) - sum(len(words(element)) for element in outermost)


def _is_named(headline: list[str], title: list[str]) -> bool:
    one, other = ({word.lower() for word in said if word.isalnum()} for said in (headline, title))
    return 2 * len(one & other) > len(one) > 0 or 2 * len(one & other) >= len(other) > 0


def fading_in(document: Document, found: list[Unseen]) -> set[Element]:
    """Parts set up to fade in when they are scrolled to, where they are most of the page."""
    fading = {element for unseen in found for element in unseen.fading}
    outermost = [e for e in fading if fading.isdisjoint(ancestors(e))]
    total = count_page_words(document) if fading else 0
    is_most = total > LEAST_PAGE and sum(len(words(e)) for e in outermost) >= FADED_SHARE * total
    return fading if is_most else set()
