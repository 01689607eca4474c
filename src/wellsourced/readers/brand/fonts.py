"""Fonts: what a guidelines page says is used for what, and what the page's own styles use.

Google Fonts addresses (css, css2, fonts.google.com) and Adobe kits (use.typekit.net) name their families and weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import parse_qsl, urlsplit

from wellsourced.model.brand import Findings, Font, Tier, Value
from wellsourced.readers.brand.css import Sheet, resolved, selectors
from wellsourced.readers.brand.lines import Line
from wellsourced.readers.brand.page import BrandMarkup

GENERIC_WORDS = (
    "serif sans-serif monospace cursive fantasy system-ui ui-serif ui-sans-serif ui-monospace ui-rounded math emoji"
    " inherit initial unset revert -apple-system blinkmacsystemfont none"
)
GENERIC = frozenset(GENERIC_WORDS.split())
PICTURES = re.compile(
    r"awesome|icon|glyph|fontello|entypo|material symbols|dashicons|emoji|symbol|swiper|slick|eicons", re.IGNORECASE
)
PLAIN_FAMILY = re.compile(r"[\w][\w .'&+-]{0,60}")
ROLES: dict[str, re.Pattern[str]] = {
    role: re.compile(pattern, re.IGNORECASE)
    for role, pattern in {
        "mono": r"\bcode\b|\bmono(?:space)?|\bcli\b|\bterminal|\btechnical\b|コード|代码|код",
        "heading": r"\bhead(?:ing|line|er)s?\b|\btitles?\b|\bdisplay\b|überschrift|\btitres?\b|\btítulos?\b|titoli|"
        r"заголов|見出し|标题|標題|제목",
        "body": r"\bbody\b|\bparagraphs?\b|\b(?:running|long|copy) text\b|\bcopy\b|fließtext|\bcorps\b"
        r"|\bcuerpo\b|\bcorpo\b|основной текст|本文|正文|본문",
    }.items()
}
LABELLED = re.compile(
    r"(?:(heading|headline|title|display|body|paragraph|code|mono)s?(?: (?:font|typeface|type|text|copy))?)\s?[:–—]\s?"
    r"([^\W\d_][\w'&+-]{1,30}(?: [\w'&+-]{1,20}){0,4})(?=$|[.,;(])",
    re.IGNORECASE,
)
LABEL_ROLES = {"heading": "heading", "headline": "heading", "title": "heading", "display": "heading"} | {
    "body": "body",
    "paragraph": "body",
    "code": "mono",
    "mono": "mono",
}
SECTION = re.compile(
    r"typograph|typeface|\bfonts?\b|schrift|typographie|tipograf|шрифт|字体|字體|書体|フォント|서체", re.I
)
SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\s—\s|;\s")
PROPERTY_ROLES = {
    "heading": "heading", "headings": "heading", "headline": "heading", "title": "heading", "display": "heading",
    "body": "body", "text": "body", "primary": "body", "base": "body", "sans": "body",
    "mono": "mono", "code": "mono", "monospace": "mono",
}  # fmt: skip
PROPERTY_NOISE = frozenset({"font", "fonts", "family", "ff", "typeface"})
MOST_LINES = 400


def served(page: BrandMarkup, sheets: Sequence[Sheet]) -> dict[str, Font]:
    """The families that the page loads, by their name in small letters."""
    found: dict[str, Font] = {}
    addresses = [url for url, _ in page.linked("stylesheet")] + [link.url for link in page.links]
    for address in addresses:
        for font in google_families(address):
            found.setdefault(font.family.casefold(), font)
    for sheet in sheets:
        for face in sheet.faces:
            _add_face(found, face)
    return found


def google_families(address: str) -> Iterator[Font]:
    """The families that an address of Google Fonts asks for, with their weights."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    if host not in {"fonts.googleapis.com", "fonts.google.com", "fonts.bunny.net"}:
        return
    if parts.path.startswith("/specimen/"):
        yield _google(parts.path.removeprefix("/specimen/").replace("+", " "), "")
    for name, value in parse_qsl(parts.query[:4000]):
        if name in {"family", "selection.family"}:
            for family in value.split("|")[:20]:
                yield _google(*(family.partition(":")[::2]))


def named(page: BrandMarkup, known: dict[str, Font], tier: Tier) -> Findings:
    """Fonts for which the page says in words what they are for."""
    values: dict[str, Value] = {}
    for role, family in _statements(page.lines, known):
        values.setdefault(f"typography.{role}", known.get(family.casefold(), Font(family=family)))
    if values and (address := google_stylesheet(page)):
        values["typography.google_fonts_url"] = address
    return Findings(tier=tier, url=page.url, values=values)


def styled(sheets: Sequence[Sheet], known: dict[str, Font], tier: Tier) -> Iterator[Findings]:
    """Fonts that the styles set for headings, for the text and for code, and the sizes of headings."""
    for sheet in sheets:
        values: dict[str, Value] = {}
        for role, stack in _stacks(sheet):
            family = first_family(resolved(stack, sheets))
            if family:
                values.setdefault(f"typography.{role}", known.get(family.casefold(), Font(family=family)))
        if scale := _scale(sheet, sheets):
            values["typography.scale"] = scale
        if values:
            yield Findings(tier=tier, url=sheet.url, values=values)


def google_stylesheet(page: BrandMarkup) -> str:
    addresses = (url for url, _ in page.linked("stylesheet"))
    return next((url for url in addresses if urlsplit(url).hostname == "fonts.googleapis.com"), "")


def first_family(stack: str) -> str:
    """The first family of a stack that is a font of its own rather than the system's."""
    first = stack.split(",")[0].strip().strip("\"'").strip()
    usable = first.casefold() not in GENERIC and not PICTURES.search(first) and PLAIN_FAMILY.fullmatch(first)
    return first if usable else ""


def _google(family: str, axes: str) -> Font:
    name = family.replace("+", " ").strip()
    numbers = re.findall(r"(?<![\d.])([1-9]\d{2})(?!\d)", axes[:600])
    weights = tuple(sorted({int(number) for number in numbers}))
    return Font(family=name, weights=weights, origin="google_fonts", origin_id=name)


def _add_face(found: dict[str, Font], face: dict[str, str]) -> None:
    family = first_family(face.get("font-family", ""))
    if not family:
        return
    weight = face.get("font-weight", "")
    own = (int(weight),) if weight.isdecimal() and len(weight) < 5 else ()
    known = found.get(family.casefold())
    if known is None:
        found[family.casefold()] = Font(family=family, weights=own, origin="self_hosted")
    elif known.origin == "self_hosted":
        weights = tuple(sorted({*known.weights, *own}))
        found[family.casefold()] = Font(family=known.family, weights=weights, origin="self_hosted")


def _statements(page_lines: Sequence[Line], known: dict[str, Font]) -> Iterator[tuple[str, str]]:
    """What for, and which family, in the order of the page: in one sentence, or under the family's name."""
    kept = list(_typographic(page_lines))[:MOST_LINES]
    for line in kept:
        for sentence in SENTENCE.split(line.text):
            yield from _in_sentence(sentence, known)
    for place, line in enumerate(kept):
        font = known.get(line.text.casefold())
        if font:
            below = " ".join(each.text for each in _until_heading(kept[place + 1 :]))
            yield from ((role, font.family) for role in _roles(_without_names(below, known))[:1])


def _typographic(page_lines: Sequence[Line]) -> Iterator[Line]:
    """The lines of the sections on typography."""
    inside = 0
    for line in page_lines:
        if line.level and (not inside or line.level <= inside):
            inside = line.level if SECTION.search(line.text) else 0
        if inside:
            yield line


def _in_sentence(sentence: str, known: dict[str, Font]) -> Iterator[tuple[str, str]]:
    families = [font.family for font in known.values() if _mentions(sentence, font.family)]
    if families:
        longest = max(families, key=len)
        yield from ((role, longest) for role in _roles(_without_names(sentence, known))[:1])
        return
    for found in LABELLED.finditer(sentence[:500]):
        if not PICTURES.search(found[2]):
            yield LABEL_ROLES[found[1].lower()], found[2]


def _mentions(text: str, family: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(family)}(?!\w)", text, re.IGNORECASE))


def _without_names(text: str, known: dict[str, Font]) -> str:
    """The text without font names, many of which have Display, Text or Mono in them."""
    for font in sorted(known.values(), key=lambda each: -len(each.family)):
        text = re.sub(rf"(?<!\w){re.escape(font.family)}(?!\w)", " ", text, flags=re.IGNORECASE)
    return text


def _roles(text: str) -> list[str]:
    """Roles in the order in which the text speaks of them."""
    places = {role: found.start() for role, pattern in ROLES.items() if (found := pattern.search(text))}
    return sorted(places, key=lambda role: places[role])


def _until_heading(following: Sequence[Line]) -> Iterator[Line]:
    for line in following[:6]:
        if line.level:
            return
        yield line


def _stacks(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Font stacks by role: rules for elements first, then custom properties that are named after a role."""
    for prelude, declared in sheet.rules:
        stack = declared.get("font-family", "")
        for selector in selectors(prelude) if stack else ():
            if selector in {"body", "html", "p"}:
                yield "body", stack
            elif selector in {"h1", "h2", "h3"}:
                yield "heading", stack
            elif selector in {"code", "pre", "kbd"}:
                yield "mono", stack
    for name, value in sheet.properties.items():
        tokens = [token.lower() for token in re.split(r"[-_]+", name) if token]
        rest = [token for token in tokens if token not in PROPERTY_NOISE]
        if len(rest) == 1 and len(rest) < len(tokens) and rest[0] in PROPERTY_ROLES:
            yield PROPERTY_ROLES[rest[0]], value


def _scale(sheet: Sheet, sheets: Sequence[Sheet]) -> dict[str, str]:
    found: dict[str, str] = {}
    for prelude, declared in sheet.rules:
        for selector in selectors(prelude):
            if selector in {"h1", "h2", "h3", "h4", "h5", "h6", "body"} and declared.get("font-size"):
                size = resolved(declared["font-size"], sheets)
                if size and selector not in found:
                    found[selector] = size[:60]
    return dict(sorted(found.items(), key=lambda pair: (pair[0] == "body", pair[0])))
