"""Colours that a page shows as its brand's: swatches with their names, and styles that say what they are for.

A colour counts when it is written out for people to read, when a swatch carries it as data, or when a custom property
of the page names its role. Colours that merely occur in a stylesheet say nothing and are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from wellsourced.brand import colour_values
from wellsourced.brand.page_readers.css import Sheet, declarations, resolved
from wellsourced.brand.page_readers.markup import BrandMarkup
from wellsourced.brand.page_readers.text_lines import HEADINGS, INLINE, lines, walk
from wellsourced.brand.types import Colour, Findings, Tier
from wellsourced.pages.html.dom import Element, Text, attribute, layout_text

MOST_PLACES = 300
LARGEST_SWATCH = 200
LARGEST_PART = 100
MOST_STEPS = 5
LONGEST_NAME = 40
SWATCH_CLASS = re.compile(r"swatch|colou?r|palette|farbe|couleur|chip", re.IGNORECASE)
SWATCH_DATA = ("data-hex", "data-color", "data-colour", "data-clipboard-text", "data-value")
LABEL = re.compile(
    r"(?:hex(?:\s?codes?)?|rgba?|cmyk|hsla?|hsb|oklch|ral|pms|pantone|ncs|lab|web|print|copy|copied|download|click|css|scss"
    r"|sass|var|usage|use|contrast|aa+|wcag|ink|field|on|colou?r|code|value|e\.?g)\b",
    re.IGNORECASE,
)
SEPARATOR = re.compile(r"[,;:·|•.()/=—–+]|\s-\s|\b(?:and|or|with|on|und|oder|et|ou|y|e|и|和|と)\b")
WORD = re.compile(r"[^\W\d_]")
BARE = re.compile(r"\s*[0-9A-Fa-f]{6}\s*")
TITLES = frozenset({"dt", "h3", "h4", "h5", "h6"})
PROPERTY = re.compile(r"(--[\w-]{1,80})[\"']?\s{0,4}:\s{0,4}$")
ROLE_WORDS: dict[str, re.Pattern[str]] = {
    role: re.compile(pattern, re.IGNORECASE)
    for role, pattern in {
        "primary": r"\bprimary|\bprimär|\bprimair|\bprimari[aoe]|\bprimári|\bhauptfarb|\bосновн|主要|主色|プライマリ",
        "secondary": r"\bsecondary|\bsekundär|\bsecondair|\bsec[ou]ndari|\bsecundári|дополнит|辅助|次要|セカンダリ",
        "accent": r"\baccent|\bakzent|\bacento|\bakcent|\bакцент|强调|アクセント|강조",
        "background": r"\bbackground|\bhintergrund|\barrière-plan|\bfondo\b|\bfundo\b|\bфон|背景|배경",
        "text": r"\b(?:body )?text\b|\btextfarbe|\btexte\b|\btexto\b|\btesto\b|\bтекст|文字|テキスト",
        "surface": r"\bsurface",
    }.items()
}
PROPERTY_NOISE = frozenset({"color", "colour", "clr", "col", "brand", "theme", "sys", "main", "default", "500", "base"})
PROPERTY_ROLES: dict[tuple[str, ...], str] = {
    ("primary",): "primary",
    ("secondary",): "secondary",
    ("accent",): "accent",
    ("background",): "background",
    ("bg",): "background",
    ("text",): "text",
    ("foreground",): "text",
    ("fg",): "text",
    ("ink",): "text",
    ("surface",): "surface",
    ("text", "secondary"): "text_secondary",
    ("text", "muted"): "text_secondary",
    ("muted", "foreground"): "text_secondary",
}
FRAMEWORK_DEFAULTS = frozenset({"#007BFF", "#0D6EFD", "#6C757D"})
"""What Bootstrap calls primary and secondary until somebody chooses: nobody's brand."""


@dataclass(frozen=True, slots=True)
class Shown:
    colour: Colour
    is_swatch: bool


def swatches(page: BrandMarkup, tier: Tier) -> Findings:
    """The colours that a guidelines page shows, swatches first, each under the best name it is given."""
    found = list(_shown(page))
    ordered = [each for each in found if each.is_swatch] + [each for each in found if not each.is_swatch]
    palette: dict[str, Colour] = {}
    for each in ordered:
        known = palette.setdefault(each.colour.hex, each.colour)
        palette[known.hex] = Colour(
            hex=known.hex, name=known.name or each.colour.name, role=known.role or each.colour.role
        )
    return Findings(tier=tier, url=page.url, palette=tuple(palette.values()))


def styled(sheets: Sequence[Sheet], tier: Tier) -> Iterator[Findings]:
    """Colours of custom properties that are named after a role, sheet by sheet."""
    for sheet in sheets:
        palette: dict[str, Colour] = {}
        for name, value in sheet.properties.items():
            role = property_role(name)
            colour = colour_values.to_hex(resolved(value, sheets)) if role and role not in palette else ""
            if colour and colour not in FRAMEWORK_DEFAULTS:
                palette[role] = Colour(hex=colour, role=role)
        if palette:
            yield Findings(tier=tier, url=sheet.url, palette=tuple(palette.values()))


def property_role(name: str) -> str:
    """The role that a custom property's name states in full: `--color-text-muted`, not `--primary-hover`."""
    tokens = [token for token in re.split(r"[-_]+|(?<=[a-z])(?=[A-Z])", name.strip("-")) if token]
    rest = tuple(token.lower() for token in tokens if token.lower() not in PROPERTY_NOISE)
    if not rest:
        return "primary" if any(token.lower() == "brand" for token in tokens) else ""
    return PROPERTY_ROLES.get(rest, "")


def stated_role(text: str) -> str:
    """The role that a heading or a name gives; "" when it speaks of several or none."""
    roles = [role for role, pattern in ROLE_WORDS.items() if pattern.search(text)]
    return roles[0] if len(roles) == 1 else ""


def _shown(page: BrandMarkup) -> Iterator[Shown]:
    headings: dict[int, str] = {}
    seen: set[Element] = set()
    for node, opens in walk(page.document):
        if len(seen) >= MOST_PLACES:
            return
        if isinstance(node, Text):
            block = _block(node) if _has_colour(node) else None
            if block is not None and block not in seen:
                seen.add(block)
                yield from _written(block, headings)
        elif isinstance(node, Element) and opens:
            _note_heading(node, headings)
            if colour := _carried(node):
                seen.add(node)
                yield _swatch(colour, node, headings)


def _has_colour(text: Text) -> bool:
    """Whether a colour is written there; `HEX` or `#` may stand in a part of its own before it."""
    if BARE.fullmatch(text.data) and (block := _block(text)):
        return any(colour_values.written(layout_text(block)[:LARGEST_SWATCH]))
    return any(colour_values.written(text.data[:5000]))


def _note_heading(element: Element, headings: dict[int, str]) -> None:
    level = HEADINGS.get(element.tag)
    if level:
        for deeper in [known for known in headings if known >= level]:
            del headings[deeper]
        headings[level] = layout_text(element)[:200]


def _block(text: Text) -> Element | None:
    parent = text.parent
    while isinstance(parent, Element) and parent.tag in INLINE:
        parent = parent.parent
    return parent if isinstance(parent, Element) else None


def _carried(element: Element) -> str:
    """The colour that a swatch without words carries as data or as its background."""
    for name in SWATCH_DATA:
        value = attribute(element, name)
        if value.startswith("#") and (colour := colour_values.to_hex(value)):
            return colour
    style = attribute(element, "style")
    if "background" not in style or not SWATCH_CLASS.search(attribute(element, "class")):
        return ""
    css = declarations(style[:2000])
    return colour_values.to_hex(css.get("background-color") or css.get("background", ""))


def _written(block: Element, headings: dict[int, str]) -> Iterator[Shown]:
    hexes = {colour for line in lines(block) for colour, _, _ in colour_values.written(line.text)}
    if len(hexes) == 1 and len(layout_text(block)) <= LARGEST_SWATCH:
        colour = hexes.pop()
        if _is_label(layout_text(block)):
            yield _swatch(colour, block, headings)
            return
    for line in lines(block):
        for colour, name, role in _named_inline(line.text):
            yield Shown(Colour(hex=colour, name=name, role=role), is_swatch=False)


def _is_label(text: str) -> bool:
    """A swatch is labelled in a few words, whatever codes stand beside them; a sentence has more."""
    return len([word for word in text.split() if WORD.search(word) and not colour_values.to_hex(word)]) <= 16


def _swatch(colour: str, element: Element, headings: dict[int, str]) -> Shown:
    """The colour with the name that stands in its swatch: the largest part around it that has no other colour."""
    around = element
    for _ in range(MOST_STEPS):
        parent = around.parent
        if not isinstance(parent, Element) or not _holds_only(colour, parent):
            break
        around = parent
    inside = lines(around) if _holds_only(colour, around) else []
    name = next(filter(None, (_name_in(line.text) for line in inside)), "") or _declared_name(element)
    name = name or _title_before(element)
    above = (stated_role(headings[level]) for level in sorted(headings, reverse=True))
    role = stated_role(name) or next(filter(None, above), "")
    return Shown(Colour(hex=colour, name=name, role=role), is_swatch=True)


def _holds_only(colour: str, element: Element) -> bool:
    """Whether an element is small and shows no colour but this one."""
    if element.tag in {"body", "html", "main"}:
        return False
    nodes = list(islice(walk(element), LARGEST_PART + 1))
    if len(nodes) > LARGEST_PART:
        return False
    shown = " ".join(line.text for line in lines(element))
    others = {found for found, _, _ in colour_values.written(shown)}
    others |= {_carried(node) for node, opens in nodes if opens and isinstance(node, Element)}
    return len(shown) <= LARGEST_SWATCH and others <= {colour, ""}


def _title_before(element: Element) -> str:
    """The name in a term or a small heading that stands right before the colour."""
    before = element.previous_sibling
    if isinstance(before, Text) and not before.data.strip():
        before = before.previous_sibling
    return _name_in(layout_text(before)) if isinstance(before, Element) and before.tag in TITLES else ""


def _declared_name(element: Element) -> str:
    return next(
        (name for each in ("data-name", "aria-label", "title") if (name := _name_in(attribute(element, each)))), ""
    )


def _name_in(text: str) -> str:
    """A line of a swatch as a colour's name, without the colour itself; "" when it is a code or a sentence."""
    rest = text
    for _, start, end in reversed(list(colour_values.written(text))):
        rest = f"{rest[:start]} {rest[end:]}"
    return _as_name(rest)


def _as_name(text: str) -> str:
    name = " ".join(text.split()).strip(" :;,.-–—=|()/\"'#")
    is_short = 1 < len(name) <= LONGEST_NAME and len(name.split()) <= 5
    return name if is_short and WORD.search(name) and not LABEL.match(name) and "%" not in name else ""


def _named_inline(text: str) -> Iterator[tuple[str, str, str]]:
    """Colours in a sentence with the words right before them that are written as a name, or in code under theirs."""
    last = 0
    for colour, start, end in colour_values.written(text):
        if found := PROPERTY.search(text, max(last, start - 100), start):
            last = end
            yield colour, "", property_role(found[1])
            continue
        words = SEPARATOR.split(text[last:start].rstrip(" (:–—-="))[-1].split()
        last = end
        capital = list(takewhile(lambda word: word[0].isupper() or not word[0].isascii(), reversed(words)))
        name = _as_name(" ".join(reversed(capital)))
        yield colour, name, stated_role(name)
