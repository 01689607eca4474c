"""A fetched page made ready for the questions a brand raises: parsed once, its styles and declarations set aside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urljoin

from wellsourced.brand.page_readers.css import parse
from wellsourced.brand.page_readers.text_lines import Line, clean, lines
from wellsourced.pages.html import structured_data
from wellsourced.pages.html.dom import Document, Element, ancestors, attribute, layout_text, select
from wellsourced.pages.html.dom import parse as parse_markup
from wellsourced.pages.html.hidden import remove_hidden

MOST_SHEETS = 20
MOST_LINKS = 3000
HIGHEST = 12
LONGEST_ADDRESS = 2000


@dataclass(frozen=True, slots=True)
class PageLink:
    """`around` has the tags and the names of the elements that the link stands in, nearest first."""

    url: str
    text: str
    relations: frozenset[str]
    around: tuple[tuple[str, str], ...]


class BrandMarkup:
    """A page's markup. What a visitor cannot see is not in `document`, so no colour or name comes from there."""

    def __init__(self, html: str, url: str) -> None:
        self.document: Document = parse_markup(html)
        self.url = url
        self._base = self._home_of_links(url)
        self.declared = structured_data.read_structured_data(self.document)
        self.sheets = [parse(each.text, url) for each in select(self.document, "style")[:MOST_SHEETS]][::-1]
        self.links = self._links()
        titles = select(self.document, "head title")
        self.title = clean(titles[0].text) if titles else ""
        remove_hidden(self.document)

    def _home_of_links(self, url: str) -> str:
        """Relative addresses count from here."""
        declared = select(self.document, "base[href]")
        return self._joined(url, attribute(declared[0], "href")) or url if declared else url

    @cached_property
    def lines(self) -> list[Line]:
        return [line for body in select(self.document, "body") for line in lines(body)]

    @cached_property
    def text(self) -> str:
        return "\n".join(f"{'#' * line.level} {line.text}" if line.level else line.text for line in self.lines)

    def _links(self) -> list[PageLink]:
        """All of them, for a menu that is folded away leads somewhere too."""
        found = []
        for anchor in select(self.document, "a[href]")[:MOST_LINKS]:
            if address := self.address(attribute(anchor, "href")):
                relations = frozenset(attribute(anchor, "rel").lower().split())
                found.append(PageLink(address, clean(layout_text(anchor)), relations, tuple(_around(anchor))))
        return found

    def linked(self, relation: str) -> Iterator[tuple[str, Element]]:
        """Addresses of `link` elements with this relation."""
        for link in select(self.document, f"link[rel~='{relation}' i]")[:100]:
            if address := self.address(attribute(link, "href")):
                yield address, link

    def address(self, reference: str) -> str:
        """The full web address of a reference on the page; "" for anything else."""
        return self._joined(self._base, reference) if reference else ""

    @staticmethod
    def _joined(start: str, reference: str) -> str:
        try:
            joined = urljoin(start, reference.strip())
        except ValueError:
            return ""
        is_usable = joined.startswith(("http://", "https://")) and len(joined) <= LONGEST_ADDRESS
        return joined if is_usable else ""


def _around(element: Element) -> Iterator[tuple[str, str]]:
    for _, above in zip(range(HIGHEST), ancestors(element), strict=False):
        yield above.tag, " ".join(attribute(above, name)[:200] for name in ("class", "id", "aria-label"))
