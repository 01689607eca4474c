"""What a page says about itself: title, author, site, language, description, canonical address.

Sources in order of trust: JSON-LD of the page's main thing, meta tags, microdata, then marked-up bylines.
Nothing is made up: a source that does not look like a name or a title is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape, unescape
from typing import Any
from urllib.parse import urljoin, urlsplit

from wellsourced.pages.html.dom import Document, Element, attribute, layout_text, select
from wellsourced.pages.html.features import PageFacts
from wellsourced.pages.html.hidden import strip_invisible
from wellsourced.pages.html.structured_data import DeclaredData, type_names
from wellsourced.pages.html.titles import TitleSources, choose_title

CONTENT_TYPES = (
    "newsarticle", "article", "blogposting", "techarticle", "scholarlyarticle", "report", "reportagenewsarticle",
    "analysisnewsarticle", "opinionnewsarticle", "reviewnewsarticle", "socialmediaposting", "discussionforumposting",
    "medicalwebpage", "recipe", "howto", "review", "learningresource", "question", "qapage", "creativework",
    "videoobject",
)  # fmt: skip
CANONICAL = "link[rel~=canonical][href]"
PLAIN_VERSIONS = "link[rel~=amphtml][href], link[rel~=alternate][media=print][href]"
MOST_AUTHORS = 20
AUTHOR_META = ("citation_author", "author", "article:author", "dc.creator", "dcterms.creator", "parsely-author",
               "sailthru.author", "byl", "og:article:author", "cxenseparse:author")  # fmt: skip
BYLINES = (
    "[itemprop=author] [itemprop=name]", "[itemprop=author]", "[rel=author]", ".author-name", ".byline-name",
    ".author__name", ".byline__name", ".entry-author", ".post-author", ".article-author", ".byline a", ".byline",
    ".author a", "a[href*='/author/']", "a[href*='/authors/']", ".author", "[class*='author-name']",
    "[class*='AuthorName']", "[class*='byline' i]",
)  # fmt: skip
BY = re.compile(r"^\s*(?:(?:written|posted|published|words|story|reviewed|article)\s+)?by\b[:\s]+", re.I)
BY_ELSEWHERE = re.compile(r"^\s*(?:von|par|por|da|door|av|af|przez|от)\b[:\s]+", re.I)
NAME_END = re.compile(
    r"(?:(?<!\s)[^\S\n]*+\n|(?:(?<!\s)\s++)?(?:[|•·–—]|(?<=\s)-\s|(?-i:\b(?:on|in)\b)|\bupdated\b|\bpublished\b|\bposted\b"
    r"|,\s+\d|(?<=\s)\d)).*$",
    re.I | re.S,
)
NOT_A_NAME = re.compile(
    r"https?:|www\.|@|^\W*$|\d{4}|^(?:admin|administrator|editor|staff|author|guest|user|by|share|follow)$", re.I
)
# Documentation puts a link to itself behind a heading.
HEADING_MARKS = "¶#§🔗\uf0c1 "
LONGEST_NAME = 80
LONGEST_TITLE = 500
SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class HtmlMetadata:
    title: str = ""
    author: str = ""
    site: str = ""
    language: str = ""
    description: str = ""
    canonical_url: str = ""
    plain_version: str = ""


def page_facts(document: Document, declared: DeclaredData, url: str) -> PageFacts:
    """What the scorer may know of the page as a whole."""
    kinds = {name for thing in declared.things for name in type_names(thing)}
    kinds.add("og:" + declared.first("og:type").lower())
    title = declared.first("og:title") or page_title(document)
    return PageFacts(url, title[:LONGEST_TITLE], frozenset(kinds))


def read_metadata(document: Document, declared: DeclaredData, url: str) -> HtmlMetadata:
    site = find_site(declared)
    return HtmlMetadata(
        title=find_title(document, declared, site, url),
        author=find_author(document, declared),
        site=site or (urlsplit(url).hostname or "").removeprefix("www."),
        language=find_language(document, declared),
        description=clean_text(declared.first("description", "og:description", "dc.description"))[:1000],
        canonical_url=find_linked_url(document, url, CANONICAL),
        plain_version=find_linked_url(document, url, PLAIN_VERSIONS),
    )


def find_site(declared: DeclaredData) -> str:
    return clean_text(declared.first("og:site_name", "application-name") or _publisher(declared))


def clean_text(text: str) -> str:
    """One line without invisible characters."""
    return SPACES.sub(" ", strip_invisible(text[:5000])).strip()


def find_title(document: Document, declared: DeclaredData, site: str, url: str) -> str:
    """What a scholarly page cites itself by, else the best of its headings and of what it declares."""
    cited = clean_text(declared.first("citation_title"))
    return cited[:LONGEST_TITLE] or choose_title(title_sources(document, declared, site, url))


def title_sources(document: Document, declared: DeclaredData, site: str, url: str) -> TitleSources:
    offered = (declared.first(name) for name in ("og:title", "twitter:title", "dc.title"))
    named = (thing.get("headline") or thing.get("name") for thing in declared.of_type(*CONTENT_TYPES))
    headlines = [clean_text(unescape(name)) for name in named if isinstance(name, str)][:2]
    lesser = _headings(document, "h2", 2)
    tag = clean_text(page_title(document))
    return TitleSources(_headings(document, "h1", 5), lesser, tag, _texts(offered), headlines, site, url)


def _headings(document: Document, tag: str, most: int) -> list[str]:
    return _texts(layout_text(element).rstrip(HEADING_MARKS) for element in select(document, tag)[:most])


def _texts(raw: Iterable[str]) -> list[str]:
    return [text for each in raw if (text := clean_text(each))]


def article_body(declared: DeclaredData) -> str:
    """The text that the page's data gives as its article's, as markup; "" where there is none or it is not for all."""
    for thing in declared.of_type(*CONTENT_TYPES):
        body = thing.get("articleBody")
        if isinstance(body, str) and _is_free(thing):
            text = unescape(body)
            is_markup = "</p>" in text or "<br" in text
            return text if is_markup else "".join(f"<p>{escape(line)}</p>" for line in text.splitlines())
    return ""


def declared_words(declared: DeclaredData) -> int:
    """How many words the page says that its article has; 0 where it does not."""
    return max((_declared_words(thing) for thing in declared.of_type(*CONTENT_TYPES)), default=0)


def _declared_words(thing: Mapping[str, Any]) -> int:
    body, count = thing.get("articleBody"), str(thing.get("wordCount", ""))
    written = len(body.split()) if isinstance(body, str) else 0
    return max(written, int(count) if count.isdecimal() and len(count) < 7 else 0)


def is_free(declared: DeclaredData) -> bool:
    """Whether none of the page's articles is said to be for subscribers."""
    return all(map(_is_free, declared.of_type(*CONTENT_TYPES)))


def _is_free(thing: Mapping[str, Any]) -> bool:
    return str(thing.get("isAccessibleForFree", True)).lower() != "false"


def page_title(document: Document) -> str:
    titles = select(document, "head title") or select(document, "title")
    return titles[0].text if titles else ""


def find_author(document: Document, declared: DeclaredData) -> str:
    """The first source that gives something like a name, or several."""
    for names in _author_sources(document, declared):
        results = list(dict.fromkeys(name for raw in names if (name := as_name(raw))))
        if results:
            return _joined(results[:MOST_AUTHORS])
    return ""


def _joined(names: list[str]) -> str:
    """With commas, unless one could be taken for the comma within a name: `Li, Wei` or `Reuters, Jane Doe`."""
    is_plain = all(" " in name and "," not in name for name in names)
    return (", " if is_plain else "; ").join(names)


def _author_sources(document: Document, declared: DeclaredData) -> Iterator[Iterable[str]]:
    for thing in declared.of_type(*CONTENT_TYPES):
        yield _names(thing.get("author") or thing.get("creator"), declared)
    for name in AUTHOR_META:
        yield declared.meta.get(name, ())
    for selector in BYLINES:
        elements = select(document, selector)[:4]
        if elements:
            yield _distinct_bylines(elements)


def _distinct_bylines(elements: list[Element]) -> list[str]:
    """A byline stands once or twice on a page; many different ones belong to other pages or to comments."""
    bylines = (BY_ELSEWHERE.sub("", clean_text(attribute(e, "content") or layout_text(e))) for e in elements)
    texts = list(dict.fromkeys(bylines))
    return texts[:1] if len(texts) <= 3 else []


def _names(value: Any, declared: DeclaredData) -> list[str]:
    """Names in a JSON-LD author: a text, an object, a reference to another object, or a list of these."""
    if isinstance(value, list):
        return [name for item in value[:10] if not isinstance(item, list) for name in _names(item, declared)]
    if isinstance(value, str):
        return [unescape(value)]
    if not isinstance(value, Mapping):
        return []
    name = value.get("name")
    if isinstance(name, list):
        name = name[0] if name else None
    if isinstance(name, str) and name.strip():
        return [unescape(name)]
    return [n for n in (_referred(value.get("@id"), declared),) if n]


def _referred(identity: object, declared: DeclaredData) -> str:
    for thing in declared.things:
        if identity and thing.get("@id") == identity and isinstance(thing.get("name"), str):
            return str(thing["name"])
    return ""


def as_name(raw: str) -> str:
    """The text as a person's or an organisation's name, or "" when it is not one."""
    text = BY.sub("", clean_text(raw))
    text = NAME_END.sub("", text).strip(" ,.:;")
    if not text or len(text) > LONGEST_NAME or len(text.split()) > 8 or NOT_A_NAME.search(text):
        return ""
    return text


def find_language(document: Document, declared: DeclaredData) -> str:
    root = select(document, "html")
    tag = attribute(root[0], "lang") or attribute(root[0], "xml:lang") if root else ""
    tag = tag or declared.first("og:locale", "content-language", "dc.language")
    return tag.replace("_", "-")[:35] if re.match(r"[A-Za-z]{2,3}(?:[-_]|$)", tag) else ""


def find_linked_url(document: Document, url: str, selector: str) -> str:
    for link in select(document, selector):
        try:
            address = urljoin(url, attribute(link, "href"))
        except ValueError:
            continue
        if address.startswith(("http://", "https://")):
            return address[:2000]
    return ""


def _publisher(declared: DeclaredData) -> str:
    for thing in declared.of_type("website", *CONTENT_TYPES):
        source = thing if "website" in type_names(thing) else thing.get("publisher")
        if isinstance(source, Mapping) and isinstance(source.get("name"), str):
            return str(source["name"])
    return ""
