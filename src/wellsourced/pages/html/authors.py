"""Who wrote a page: what it declares, marked-up bylines, the byline near its heading, a thread's first poster.

Nothing is made up: a source that does not look like a name is passed over, and a page's own site counts as its author
only where no person is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from typing import Any
from urllib.parse import urlsplit

from wellsourced.pages.html.blocks import Block, Branch, Outline
from wellsourced.pages.html.dom import Document, Element, attribute, layout_text, select_each
from wellsourced.pages.html.headings import places_near_heading
from wellsourced.pages.html.structured_data import CONTENT_TYPES, DeclaredData, clean_text
from wellsourced.text.dates import MONTHS, find_date

MOST_AUTHORS, MOST_WORDS = 20, 16
LONGEST_NAME = 80
AUTHOR_META = ("citation_author", "author", "article:author", "dc.creator", "dcterms.creator", "parsely-author",
               "sailthru.author", "byl", "og:article:author", "cxenseparse:author")  # fmt: skip
BYLINES = (
    "[itemprop=author] [itemprop=name]", "[itemprop=author]", "[rel=author]", ".author-name", ".byline-name",
    ".author__name", ".byline__name", ".entry-author", ".post-author", ".article-author", ".byline a", ".byline",
    ".author a", "a[href*='/author/']", "a[href*='/authors/']", ".author", "[class*='author-name']",
    "[class*='AuthorName']", "[class*='byline' i]",
)  # fmt: skip
THREAD = re.compile(
    r"/(?:threads?|topics?|t|questions?|discussions?|d|forum)/|viewtopic|showthread|thread-|topic=", re.I
)
POSTERS = (
    ".p-description .username", ".post-signature.owner .user-details a", ".crawler-post-meta [itemprop=name]",
    ".MessageCard__user-info a", ".message-name", ".postprofile [class*=username]", ".author_information a",
    ".postprofile dt a", ".username_container .username", ".bigusername", ".postleft dt", ".poster h4 a",
    "[class*=PostUser] .username",
)  # fmt: skip
BY = re.compile(
    r"^\s*(?:(?:(?:written|posted|published|words|story|text|article|authored|recommended|edited|started)\s+)?by\b"
    r"|view (?:all|more) posts(?: by)?\b|authors?\b(?=\s*:)|thread starter\b)[:\s]*",
    re.I,
)
BY_ELSEWHERE = re.compile(r"^\s*(?:von|par|por|da|door|av|af|przez|от|autore?|auteur|автор)\b[:\s]+", re.I)
NAME_END = re.compile(
    r"(?:(?<!\s)[^\S\n]*+\n|(?:(?<!\s)\s++)?(?:[|•·–—»⋅*]|(?<=\s)-\s|(?-i:\b(?:on|in)\b)|\bupdated\b|\bpublished\b"
    r"|\bposted\b|\breviewed\b|,\s+\d|(?<=\s)\d)).*$",
    re.I | re.S,
)
ROLE = re.compile(
    r"(?<=\w\w)(?:,\s+(?=[^,;]*\b(?:editor|writer|expert|manager|director|reporter|contributor|founder|specialist"
    r"|analyst|coordinator|officer|correspondent|journalist|columnist|lead|head|president|strategist)\b)"
    r"|\s+(?=(?:Senior|Staff|Contributing|Associate|Content|Managing|Executive|Chief|Head|Editor|Writer|Reporter"
    r"|Contributor|Founder|Co-Founder|Director|Manager)\b)).*$",
    re.S,
)
NOT_A_NAME = re.compile(
    r"https?:|www\.|@|^\W*$|\d{4}|page\.|^(?:the )?(?:admin|administrator|editors?|staff|authors?|guest|user|by|share"
    r"|follow|undefined|null|none|unknown|webmaster|human|written by|recipe by|home|menu|comments?|default|login|next"
    r"|skip to|(?:contributing|senior|staff)? ?(?:writer|contributor))$",
    re.I,
)
PERSON = re.compile(
    r"(?:(?:[^\W\d_a-z][\w.'’-]*|van|von|de|der|den|da|di|del|la|el|bin|al)\s+){1,4}[^\W\d_a-z][\w.'’-]+"
)
UNLIKELY = re.compile(r"[\d!?:\"()/]|\b(?:this|article|posts?|all|skip|copyright|view|your)\b", re.I)
JOINTS = frozenset((",", "&", "and", "und", "et", "y", "e", ";"))
JOINT = re.compile(r",\s+|(?<!\s)\s+(?:and|und|et|y|e|&)\s+")
NEAREST = 6
NAMED_PLACE = re.compile(r"author|byline|writer|contributor", re.I)


def find_author(document: Document, declared: DeclaredData, outline: Outline | None, site: str, url: str) -> str:
    """The first source that gives something like a name, or several; the site itself last."""
    own = {_plain(site), _plain((urlsplit(url).hostname or "").removeprefix("www.")), ""}
    own |= {name.partition(".")[0] for name in own}
    fallback = ""
    for names in _author_sources(document, declared, outline, url):
        results = list(dict.fromkeys(name for raw in names if (name := as_name(raw))))
        if results and (len(results) > 1 or _plain(results[0]) not in own):
            return _joined(results[:MOST_AUTHORS])
        fallback = fallback or "".join(results)
    return fallback


def _plain(name: str) -> str:
    return re.sub(r"[^\w.]", "", name.lower())


def _joined(names: list[str]) -> str:
    """With commas, unless one could be taken for the comma within a name: `Li, Wei` or `Reuters, Jane Doe`."""
    is_plain = all(" " in name and "," not in name for name in names)
    return (", " if is_plain else "; ").join(names)


def _author_sources(
    document: Document, declared: DeclaredData, outline: Outline | None, url: str
) -> Iterator[Iterable[str]]:
    for thing in declared.of_type(*CONTENT_TYPES):
        yield _names(thing.get("author") or thing.get("creator"), declared)
    for name in AUTHOR_META:
        yield declared.meta.get(name, ())
    if THREAD.search(url):
        yield from ([_shown_name(each) for each in elements[:1]] for elements in select_each(document, POSTERS))
    yield from _near_heading(document, declared, outline)
    for elements in select_each(document, BYLINES):
        if elements:
            yield _distinct_bylines(elements[:4])


def _near_heading(document: Document, declared: DeclaredData, outline: Outline | None) -> Iterator[list[str]]:
    """Names around the heading: behind "by", in a place named after authors, or alone beside a date."""
    blocks = outline.blocks if outline else []
    alone: list[str] = []
    for step, number in enumerate(places_near_heading(document, declared, outline)):
        pieces = _pieces(blocks[number])
        before = _pieces(blocks[number - 1]) if number else []
        is_labelled = len(before) == 1 and _by(before[0] + " ") == ""
        if pieces:
            yield _behind_by([*before, *pieces] if is_labelled else pieces)
            if _is_named_after_authors(blocks[number].container):
                yield [piece for piece in pieces if _is_likely(piece)][:1]
            elif step < NEAREST and PERSON.fullmatch(pieces[0]) and _has_date([*pieces, *_next_pieces(blocks, number)]):
                alone += [piece for piece in pieces[:1] if _is_likely(piece)]
    yield alone[:1]


def _next_pieces(blocks: list[Block], number: int) -> list[str]:
    return _pieces(blocks[number + 1]) if number + 1 < len(blocks) else []


def _is_likely(text: str) -> bool:
    """Whether a text without a label may be a name: a few words with capitals, or a single word."""
    words = text.split()
    return len(words) <= 5 and (len(words) == 1 or text[0].isupper()) and not UNLIKELY.search(text)


def _pieces(block: Block) -> list[str]:
    """The texts of a short block."""
    pieces: list[str] = []
    left = MOST_WORDS if len(block.texts) < 40 else 0
    for piece in block.texts[:20]:
        words = piece.split(None, left + 1)
        left -= len(words)
        if left < 0:
            return []
        pieces += [" ".join(words)] if words else []
    return pieces


def _by(text: str) -> str | None:
    """What follows "by" at the start of a text; None where it does not start so."""
    match = BY.match(text) or BY_ELSEWHERE.match(text)
    return text[match.end() :] if match else None


def _behind_by(pieces: list[str]) -> list[str]:
    """The names that follow "by": pieces with commas or "and" between them, or one piece with several in it."""
    for number, piece in enumerate(pieces[:4]):
        rest = _by(piece + " ")
        if rest is not None:
            following = [rest, *pieces[number + 1 :]] if rest.strip() else pieces[number + 1 :]
            names = [name for text in _joined_pieces(following) for name in JOINT.split(ROLE.sub("", text.strip()))]
            return [name for name in names if PERSON.fullmatch(as_name(name))] or list(filter(_is_likely, names[:1]))
    return []


def _joined_pieces(pieces: list[str]) -> Iterator[str]:
    """The first, and each that is joined to the one before."""
    for number, piece in enumerate(pieces):
        if number == 0 or pieces[number - 1] in JOINTS:
            yield piece
        elif piece not in JOINTS:
            return


def _is_named_after_authors(branch: Branch | None) -> bool:
    for _ in range(3):
        if branch is None:
            return False
        if NAMED_PLACE.search(branch.class_name):
            return True
        branch = branch.parent
    return False


def _has_date(pieces: list[str]) -> bool:
    return bool(find_date(" ".join(pieces)))


def _shown_name(element: Element) -> str:
    return clean_text(attribute(element, "content") or layout_text(element))


def _distinct_bylines(elements: list[Element]) -> list[str]:
    """A byline stands once or twice on a page; many different ones belong to other pages or to comments."""
    texts = list(dict.fromkeys(BY_ELSEWHERE.sub("", _shown_name(element)) for element in elements))
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
    text = NAME_END.sub("", text).strip(" ,.:;&")
    person = ROLE.sub("", text)
    text = person if " " in person else text
    if (
        not text
        or len(text) > LONGEST_NAME
        or len(text.split()) > 8
        or NOT_A_NAME.search(text)
        or text.lower() in MONTHS
    ):
        return ""
    return text
