"""Fonts: what a guidelines page says is used for what, and what the page's own styles use.

Google Fonts addresses (css, css2, fonts.google.com) and Adobe kits (use.typekit.net) name their families and weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

from wellsourced.brand.page_readers.css import Sheet, resolved, selectors
from wellsourced.brand.page_readers.markup import BrandMarkup
from wellsourced.brand.page_readers.text_lines import Line
from wellsourced.brand.types import Findings, Font, Tier, Value
from wellsourced.pages.html.dom import attribute

GENERIC_WORDS = (
    "serif sans-serif monospace cursive fantasy system-ui ui-serif ui-sans-serif ui-monospace ui-rounded math emoji"
    " inherit initial unset revert -apple-system blinkmacsystemfont none"
)
GENERIC = frozenset(GENERIC_WORDS.split())
PICTURES = re.compile(
    r"awesome|icon|glyph|fontello|entypo|material symbols|dashicons|emoji|symbol|swiper|slick|eicons", re.IGNORECASE
)
BUILT_NAME = re.compile(r"__([A-Z][A-Za-z0-9]*(?:_[A-Z0-9][A-Za-z0-9]*)*)_[0-9a-f]{6,8}")
"""What a bundler makes of a family's name: `__Open_Sans_1a2b3c`."""
DIGEST = re.compile(r"[0-9a-f]{16,}")
SHORTHAND = re.compile(
    r"(?:^|\s)(?:[\d.]+[a-z%]+|(?:xx?-)?(?:small|large)|medium|(?:calc|clamp|var)\([^()]*\))(?:\s*/\s*[\w.%]+)?\s+(\S.*)"
)
"""A stack at the end of `font`: behind the size, which may have a line height with it."""
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
LABELLED = re.compile(r"([^:–—：]{2,40}?)\s?[:–—：]\s?([^\W\d_][\w'&+-]{1,30}(?: [\w'&+-]{1,20}){0,4})(?=$|[.,;(])")
CUT = re.compile(
    r" (?:(?:extra|semi|demi|ultra)[ -]?)?(?:bold|light|regular|medium|thin|italic|book|semibold)$", re.IGNORECASE
)
"""A weight or a posture behind a family's name."""
NO_FAMILY = re.compile(rf"{PICTURES.pattern}|\b(?:case|caps|uppercase|lowercase)\b", re.IGNORECASE)
SECTION = re.compile(
    r"typograph|typeface|\bfonts?\b|schrift|typographie|tipograf|шрифт|字体|字體|書体|フォント|서체", re.I
)
SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\s—\s|;\s")
ELEMENT_ROLES = {
    "body": "body", "html": "body", "p": "body", "h1": "heading", "h2": "heading", "h3": "heading",
    "code": "mono", "pre": "mono", "kbd": "mono",
}  # fmt: skip
PROPERTY_ROLES = {
    "heading": "heading", "headings": "heading", "headline": "heading", "title": "heading", "display": "heading",
    "body": "body", "text": "body", "primary": "body", "base": "body", "sans": "body",
    "mono": "mono", "code": "mono", "monospace": "mono",
}  # fmt: skip
PROPERTY_NOISE = frozenset({"font", "fonts", "family", "ff", "typeface"})
MOST_LINES = 400
ADOBE = "typekit.net"


def served(page: BrandMarkup, sheets: Sequence[Sheet]) -> dict[str, Font]:
    """The families that the page loads, by their name in small letters."""
    found: dict[str, Font] = {}
    for address in [*_stylesheets(page, sheets), *(link.url for link in page.links)]:
        for font in google_families(address):
            found.setdefault(font.family.casefold(), font)
    for sheet in sheets:
        for face in sheet.faces:
            _add_face(found, face, sheet.url)
    return found


def _stylesheets(page: BrandMarkup, sheets: Sequence[Sheet]) -> list[str]:
    """Addresses of the styles that the page loads: linked, linked to be loaded a little later, or imported."""
    later = [url for url, link in page.linked("preload") if attribute(link, "as") == "style"]
    imported = [page.address(url) for sheet in sheets for url in sheet.imports]
    return [url for url, _ in page.linked("stylesheet")] + later + list(filter(None, imported))


def google_families(address: str) -> Iterator[Font]:
    """The families that an address of Google Fonts asks for, with their weights."""
    if _host(address) not in {"fonts.googleapis.com", "fonts.google.com", "fonts.bunny.net"}:
        return
    parts = urlsplit(address)
    if parts.path.startswith("/specimen/"):
        yield _google(parts.path.removeprefix("/specimen/").replace("+", " "), "")
    for name, value in parse_qsl(parts.query[:4000]):
        if name in {"family", "selection.family"}:
            for family in value.split("|")[:20]:
                yield _google(*(family.partition(":")[::2]))


def named(page: BrandMarkup, sheets: Sequence[Sheet], known: dict[str, Font], tier: Tier) -> Findings:
    """Fonts for which the page says in words what they are for."""
    values: dict[str, Value] = {}
    for role, family in _statements(page.lines, known):
        values.setdefault(f"typography.{role}", known.get(family.casefold(), Font(family=family)))
    if values and (address := google_stylesheet(page, sheets)):
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


def google_stylesheet(page: BrandMarkup, sheets: Sequence[Sheet]) -> str:
    return next((url for url in _stylesheets(page, sheets) if _host(url) == "fonts.googleapis.com"), "")


def first_family(stack: str) -> str:
    """The first family of a stack that is a font of its own rather than the system's."""
    first = stack.split(",")[0].strip().strip("\"'").strip()
    if first.startswith("__") or DIGEST.match(first):
        built = BUILT_NAME.fullmatch(first)
        first = built[1].replace("_", " ").removesuffix(" Fallback") if built else ""
    usable = first.casefold() not in GENERIC and not PICTURES.search(first) and PLAIN_FAMILY.fullmatch(first)
    return first if usable else ""


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _google(family: str, axes: str) -> Font:
    name = family.replace("+", " ").strip()
    numbers = re.findall(r"(?<![\d.])([1-9]\d{2})(?!\d)", axes[:600])
    weights = tuple(sorted({int(number) for number in numbers}))
    return Font(family=name, weights=weights, origin="google_fonts", origin_id=name)


def _add_face(found: dict[str, Font], face: dict[str, str], sheet: str) -> None:
    family = first_family(face.get("font-family", ""))
    if not family:
        return
    weight = face.get("font-weight", "")
    own = (int(weight),) if weight.isdecimal() and len(weight) < 5 else ()
    known = found.get(family.casefold()) or _from_face(family, sheet)
    if known.origin != "google_fonts":
        found[family.casefold()] = replace(known, weights=tuple(sorted({*known.weights, *own})))


def _from_face(family: str, sheet: str) -> Font:
    """An Adobe kit goes by the name of its stylesheet."""
    if f".{_host(sheet)}".endswith(f".{ADOBE}"):
        return Font(family=family, origin="adobe_fonts", origin_id=urlsplit(sheet).path.strip("/").removesuffix(".css"))
    return Font(family=family, origin="self_hosted")


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
    found = LABELLED.match(sentence[:500])
    roles = _roles(found[1])[:1] if found else []
    for role in roles:
        family = _without_cut(found[2]) if found else ""
        if family and not NO_FAMILY.search(family) and not any(word[:1].islower() for word in family.split()):
            yield role, family


def _without_cut(name: str) -> str:
    """`Montserrat SemiBold Italic` is a cut of Montserrat; "" where a cut is all that is named."""
    name = f" {name}"
    while CUT.search(name):
        name = CUT.sub("", name)
    return name.strip()


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
    last: dict[str, str] = {}
    for prelude, declared in sheet.rules:
        stack = declared.get("font-family") or _stack_of(declared.get("font", ""))
        if stack:
            last |= dict.fromkeys(selectors(prelude), stack)
    yield from ((role, last[element]) for element, role in ELEMENT_ROLES.items() if element in last)
    for name, value in sheet.properties.items():
        tokens = [token.lower() for token in re.split(r"[-_]+", name) if token]
        rest = [token for token in tokens if token not in PROPERTY_NOISE]
        if len(rest) == 1 and len(rest) < len(tokens) and rest[0] in PROPERTY_ROLES:
            yield PROPERTY_ROLES[rest[0]], value


def _stack_of(shorthand: str) -> str:
    found = SHORTHAND.search(shorthand)
    return found[1] if found else ""


def _scale(sheet: Sheet, sheets: Sequence[Sheet]) -> dict[str, str]:
    found: dict[str, str] = {}
    for prelude, declared in sheet.rules:
        for selector in selectors(prelude):
            if selector in {"h1", "h2", "h3", "h4", "h5", "h6", "body"} and declared.get("font-size"):
                size = resolved(declared["font-size"], sheets)
                if size:
                    found[selector] = size[:60]
    return dict(sorted(found.items(), key=lambda pair: (pair[0] == "body", pair[0])))
