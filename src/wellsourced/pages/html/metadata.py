"""What a page says about itself: title, author, site, language, description, canonical address.

Sources in order of trust: JSON-LD of the page's main thing, meta tags, microdata, then marked-up bylines.
Nothing is made up: a source that does not look like a name or a title is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape, unescape
from typing import Any
from urllib.parse import urljoin, urlsplit

from wellsourced.late_dataclass import dataclass
from wellsourced.pages.html.authors import find_author
from wellsourced.pages.html.blocks import Outline
from wellsourced.pages.html.dom import Document, Element, attribute, layout_text, select
from wellsourced.pages.html.features import PageFacts
from wellsourced.pages.html.headings import page_title
from wellsourced.pages.html.structured_data import CONTENT_TYPES, DeclaredData, clean_text, type_names
from wellsourced.pages.html.titles import TitleSources, choose_title, site_in_tag
from wellsourced.text.languages import FUNCTION_WORDS, detect_language
from wellsourced.text.urls import host_of, registrable_domain

# The address that a page prefers, and those of its plain versions.
LINKED = (
    "link[rel~=canonical][href]",
    "link[rel~=amphtml][href], link[rel~=alternate][media~=print][href]",
)
# Documentation puts a link to itself behind a heading.
HEADING_MARKS = "¶#§🔗\uf0c1 "
ARTICLES = frozenset(("article", "newsarticle", "blogposting", "techarticle", "og:article", "discussionforumposting"))
LONGEST_TITLE = 500
LANGUAGE_SAMPLE = 1200  # characters
PROSE = 0.08
# Without Danish and Swedish, which Norwegian is taken for, and Hindi, whose letters other languages have too.
TOLD_LANGUAGES = frozenset((*FUNCTION_WORDS, "ja", "ko", "zh", "ru", "ar", "el", "he", "th")) - {"da", "sv"}
# Letters of Ukrainian, Serbian and others, and of Persian and Urdu.
OTHER_ALPHABET = re.compile("[іїєґўђћџњљјѓќәөұқ\u067e\u0686\u0698\u06af\u0679\u0688\u06d2]")


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
    title = declared.first("og:title") or page_title(document)
    return PageFacts(url, title[:LONGEST_TITLE], page_kinds(declared))


def page_kinds(declared: DeclaredData) -> frozenset[str]:
    kinds = {name for thing in declared.things for name in type_names(thing)}
    return frozenset((*kinds, "og:" + declared.first("og:type").lower()))


def read_metadata(document: Document, declared: DeclaredData, url: str, outline: Outline | None = None) -> HtmlMetadata:
    said = find_site(declared)
    site = said or site_in_tag(clean_text(page_title(document)), url)
    # A preferred address of another site may be an advertisement's.
    canonical, plain_version = (_first_address(select(document, links), url) for links in LINKED)
    return HtmlMetadata(
        title=find_title(document, declared, said, url),
        author=find_author(document, declared, outline, site, url),
        site=site or (urlsplit(url).hostname or "").removeprefix("www."),
        language=find_language(document, declared),
        description=clean_text(declared.first("description", "og:description", "dc.description"))[:1000],
        canonical_url=canonical if canonical and is_same_site(canonical, url) else "",
        plain_version=plain_version,
    )


def find_site(declared: DeclaredData) -> str:
    return clean_text(declared.first("og:site_name", "application-name") or _publisher(declared))


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
    headings, is_article = _headings(document, "h1", 5), bool(page_kinds(declared) & ARTICLES)
    return TitleSources(headings, lesser, tag, _texts(offered), headlines, site, url, is_article)


def _headings(document: Document, tag: str, most: int) -> list[str]:
    return _texts(_heading_text(element).rstrip(HEADING_MARKS) for element in select(document, tag)[:most])


def _heading_text(element: Element) -> str:
    """Without the buttons in it, such as the one that copies its address."""
    text = layout_text(element)
    for label in map(layout_text, select(element, "button")):
        text = text.replace(label, " ") if label != text else text
    return text


def _texts(raw: Iterable[str]) -> list[str]:
    return [text for each in raw if (text := clean_text(each))]


def article_body(declared: DeclaredData, *, only_free: bool = True) -> str:
    """The text that the page's data gives as its article's, as markup; "" where there is none or it is not for all."""
    for thing in declared.of_type(*CONTENT_TYPES):
        body = thing.get("articleBody")
        if isinstance(body, str) and (_is_free(thing) or not only_free):
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


def find_language(document: Document, declared: DeclaredData) -> str:
    root = document.find("html")
    tag = attribute(root, "lang") or attribute(root, "xml:lang") if root is not None else ""
    tag = tag or declared.first("og:locale", "content-language", "dc.language")
    return tag.replace("_", "-")[:35] if re.match(r"[A-Za-z]{2,3}(?:[-_]|$)", tag) else ""


def language_of_text(text: str, declared: str) -> str:
    """The declared language, unless it is one that can be told and two parts of the text are both in another one."""
    first, second = text[:LANGUAGE_SAMPLE], text[LANGUAGE_SAMPLE : 2 * LANGUAGE_SAMPLE]
    code, found = declared[:2].lower(), detect_language(first)
    if found in {code, None} or (code and code not in TOLD_LANGUAGES):
        return declared
    is_sure = len(second) > LANGUAGE_SAMPLE // 4 and detect_language(second) == found and _is_prose(first, found)
    return found if found in TOLD_LANGUAGES and is_sure and not OTHER_ALPHABET.search(first) else declared


def _is_prose(text: str, language: str) -> bool:
    """Lists of names have words that look like those of some language; sentences have many."""
    words, known = text.lower().split(), frozenset(FUNCTION_WORDS.get(language, "").split())
    return not known or sum(word in known for word in words) > PROSE * len(words)


def is_same_site(one: str, other: str) -> bool:
    first, second = host_of(one), host_of(other)
    return first == second or registrable_domain(first) == registrable_domain(second)


def _first_address(links: Iterable[Element], url: str) -> str:
    for link in links:
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
