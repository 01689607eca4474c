"""How a source stands beside the others: a press release or a print of one, retracted, self-published, cited by them.

What shows is reported, with an address where there is one: marks of the news wires, what a title says of itself, the
kind of host, and the works that the pages link to. A work that several publishers link to, or that is among the
sources itself, is the primary source behind them as far as that shows. Nothing is weighed: it is for the reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal, TypeAlias

from wellsourced.evidence.duplicates import DeduplicatedText, SourceText, deduplicate_pages
from wellsourced.evidence.source_type import classify_source
from wellsourced.pages.page import Page
from wellsourced.pages.work_details import own_doi
from wellsourced.text.identifiers import doi_from_url, doi_url
from wellsourced.text.urls import canonical_url, display_host, host_of, registrable_domain, url_comparison_key
from wellsourced.tool.base import OutputPart

StandingKind: TypeAlias = Literal[
    "press_release", "print_of_press_release", "retracted", "concern", "self_published", "cited_by_others", "cites"
]

LOOKED_AT = 200_000  # characters in which links are looked for
EDGE = 1500  # characters at both ends of a page in which wires and publishers leave their marks
MOST_LINKS = 400
MOST_CITED = 2  # works named for each source
_WIRES = (
    "prnewswire.com prnewswire.co.uk businesswire.com globenewswire.com eurekalert.org accesswire.com einpresswire.com"
    " prweb.com newswire.com newswire.ca presseportal.de ots.at presseportal.ch idw-online.de alphagalileo.org"
    " pressebox.de openpr.com openpr.de cision.com prlog.org"
)
WIRES = frozenset(_WIRES.split())
RELEASE_PATH = re.compile(
    r"/(?:press-?releases?|news-?releases?|media-?releases?|pressemitteilung(?:en)?|medienmitteilung(?:en)?"
    r"|communiques?(?:-de-presse)?|comunicados?(?:-de-prensa|-stampa)?|comunicati(?:-stampa)?|persberichten)(?:/|$)",
    re.IGNORECASE,
)
RELEASE_OPENING = re.compile(
    r"\bfor immediate release\b|^\W{0,9}(?:press|news|media) release\b|^\W{0,9}(?:presse|medien)mitteilung\b"
    r"|^\W{0,9}communiqué de presse\b|^\W{0,9}(?:nota|comunicado) de prensa\b|^\W{0,9}comunicato stampa\b"
    r"|^\W{0,9}persbericht\b",
    re.IGNORECASE | re.MULTILINE,
)
WIRE_MARK = re.compile(
    r"/PRNewswire/|\(BUSINESS WIRE\)|\(GLOBE NEWSWIRE\)|\(ACCESSWIRE\)|\(ots\)|\bOTS:|\bnews aktuell\b"
    r"|\b[Mm]aterials provided by\b|\bpress release distribution\b|\bdistributed by (?:PR|Business|EIN)\b"
    r"|\bSource: [^\n]{0,60}\bpress release\b|\bQuelle: Pressemitteilung\b"
)
# What stands in every text that the patterns match: looked for first, since they are slow.
RELEASE_WORDS = ("release", "mitteilung", "communiqu", "de prensa", "comunicato", "persbericht")
WIRE_WORDS = (
    "PRNewswire", "WIRE)", "(ots)", "OTS:", "news aktuell", "aterials provided by", "press release", "distributed by",
    "Quelle: Presse",
)  # fmt: skip
RETRACTED_TITLE = re.compile(r"^\W{0,3}(?:retracted(?: article| paper)?\b|withdrawn\b)", re.IGNORECASE)
LINK = re.compile(r"\]\(<?(https?://[^\s()<>]{4,500}(?:\([^\s()<>]{0,100}\)[^\s()<>]{0,200})?)")
DOI = "doi:"
NAMED_DOI = re.compile(r"doi:(?<!\wdoi:)\s?(10\.\d{4,9}/\S{2,200})")
SELF_PUBLISHED = {
    "blog": "A blog or a host where anybody publishes.",
    "social_media": "A post on a social network.",
    "forum": "A post in a forum.",
}
PRIMARY = frozenset({"peer_reviewed", "government"})


class StandingPart(OutputPart):
    """A standing as the tools give it."""

    kind: StandingKind
    note: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """`kind` for programs, `note` as a sentence, `url` where another address belongs to it."""

    kind: StandingKind
    note: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class CitedWork:
    """A work that sources link to; `cited_by` are their addresses."""

    url: str
    cited_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Standings:
    """For each source, in order, how it stands; and the works that several of them cite."""

    of_sources: tuple[tuple[Standing, ...], ...]
    cited: tuple[CitedWork, ...]


@dataclass(frozen=True, slots=True)
class ComparedPages:
    """Pages held against each other: what is left of each without repeats, and how each stands."""

    texts: tuple[DeduplicatedText, ...]
    standings: Standings


def compare_pages(
    pages: tuple[Page, ...], drop_repeats: bool, prepared: Sequence[SourceText | None] = ()
) -> ComparedPages:
    texts = tuple(deduplicate_pages([(page.url, page.markdown) for page in pages], drop_repeats, prepared))
    return ComparedPages(texts, find_standings(pages, texts))


def find_standings(pages: Sequence[Page], marks: Sequence[DeduplicatedText]) -> Standings:
    """What can be seen of the pages themselves and of each other."""
    cited = _cited_works(pages)
    releases = {page.url for page in pages if is_press_release(page)}
    return Standings(
        tuple(tuple(_standings(page, mark, releases, cited)) for page, mark in zip(pages, marks, strict=True)),
        tuple(work for work in cited if len(work.cited_by) > 1),
    )


def page_standings(page: Page) -> tuple[Standing, ...]:
    """What can be seen of a page by itself."""
    return tuple(_own_standings(page))


def standing_parts(standings: Sequence[Standing]) -> list[StandingPart] | None:
    return [StandingPart.from_record(each) for each in standings] or None


def is_press_release(page: Page) -> bool:
    """By its host, its address, or the words it opens with; not a print of one elsewhere."""
    host = host_of(page.url)
    if registrable_domain(host) in WIRES or RELEASE_PATH.search(page.url):
        return True
    opening = f"{page.title}\n{(page.plain or page.markdown)[:EDGE]}"
    is_opening = _holds(opening.lower(), RELEASE_WORDS) and RELEASE_OPENING.search(opening)
    return bool(is_opening) and not _has_wire_mark(page)


def _standings(
    page: Page, mark: DeduplicatedText, releases: set[str], cited: Sequence[CitedWork]
) -> Iterator[Standing]:
    yield from _own_standings(page)
    if page.url not in releases and mark.same_text_as in releases:
        yield Standing(
            "print_of_press_release", "It prints a press release that is among the sources.", mark.same_text_as
        )
    own = _keys_of(page)
    for work in cited:
        others = [url for url in work.cited_by if url != page.url]
        if work_key(work.url) in own and others:
            yield Standing("cited_by_others", f"{len(others)} of the other sources link to it.", others[0])
    theirs = [work.url for work in cited if page.url in work.cited_by and work_key(work.url) not in own]
    for url in theirs[:MOST_CITED]:
        yield Standing("cites", f"It links to this work at {display_host(url)}.", url)


def _own_standings(page: Page) -> Iterator[Standing]:
    if RETRACTED_TITLE.match(page.title):
        yield Standing("retracted", "Its title says that it was retracted.")
    if is_press_release(page):
        yield Standing("press_release", "A press release: the words of those it is about.")
    elif _has_wire_mark(page):
        yield Standing("print_of_press_release", "It bears the marks of a press release or of what one handed out.")
    if note := SELF_PUBLISHED.get(classify_source(page.url, page.structured).source_type):
        yield Standing("self_published", note)


def _has_wire_mark(page: Page) -> bool:
    text = page.plain or page.markdown
    return any(_holds(edge, WIRE_WORDS) and WIRE_MARK.search(edge) for edge in (text[:EDGE], text[-EDGE:]))


def _holds(text: str, words: Sequence[str]) -> bool:
    return any(map(text.__contains__, words))


def _cited_works(pages: Sequence[Page]) -> list[CitedWork]:
    """The works that the pages link to, those that most of them do first; two pages of one publisher count once."""
    citing: dict[str, dict[str, str]] = {}
    addresses: dict[str, str] = {}
    for page in pages:
        for url in _linked_works(page):
            key = work_key(url)
            addresses.setdefault(key, url)
            citing.setdefault(key, {}).setdefault(registrable_domain(host_of(page.url)), page.url)
    works = [CitedWork(addresses[key], tuple(by.values())) for key, by in citing.items()]
    return sorted(works, key=lambda work: -len(work.cited_by))


def _linked_works(page: Page) -> Iterator[str]:
    """Papers and public bodies' documents that a page links to, outside of its own site, in order."""
    own, text = registrable_domain(host_of(page.url)), page.markdown[:LOOKED_AT]
    for link, named in _links_in_order(text):
        if link and _domain_at(link.split("/", 3)[2]) == own:
            continue
        doi = named or doi_from_url(link)
        url = doi_url(doi.rstrip(".,;)")) if doi else canonical_url(link)
        if (link or registrable_domain(host_of(url)) != own) and (doi or _is_document(url)):
            yield url


def _links_in_order(text: str) -> Sequence[tuple[str, str]]:
    """The addresses that a text links to and the DOIs that it names, each as a pair with nothing for the other."""
    if DOI not in text:
        return [(link, "") for link in LINK.findall(text)[:MOST_LINKS]]
    found = [(match.start(), match[1], "") for match in islice(LINK.finditer(text), MOST_LINKS)]
    found += [(match.start(), "", match[1]) for match in islice(NAMED_DOI.finditer(text), MOST_LINKS)]
    return [(link, named) for _, link, named in sorted(found)[:MOST_LINKS]]


@lru_cache(maxsize=1024)
def _domain_at(authority: str) -> str:
    """Of the host and port of an address: most links of a page lead to a few."""
    return registrable_domain(host_of(f"https://{authority}/"))


def _is_document(url: str) -> bool:
    """A page below the front page of a host known for works of its own."""
    has_path = len(url.partition("://")[2].partition("/")[2]) > 1
    return has_path and classify_source(url).source_type in PRIMARY


def _keys_of(page: Page) -> set[str]:
    doi = own_doi(page)
    return {work_key(page.url), *([work_key(doi_url(doi))] if doi else [])}


def work_key(url: str) -> str:
    """One for all addresses of a work, as far as they tell it."""
    doi = doi_from_url(url)
    return f"doi:{doi}" if doi else url_comparison_key(url)
