"""Tone of voice, where a guidelines page has a section on it: what it says first, its traits, its dos and don'ts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wellsourced.brand.page_readers.markup import BrandMarkup
from wellsourced.brand.page_readers.text_lines import Line
from wellsourced.brand.types import Findings, Tier, Voice

SECTION = re.compile(
    r"\btone of voice\b|\bvoice\s*(?:and|&|\+)\s*tone\b|\btone\s*(?:and|&|\+)\s*voice\b"
    r"|\b(?:our|brand|the) (?:tone|voice)\b"
    r"|^(?:voice|tone|tonality|writing style|how we (?:write|speak|sound|talk))\W*$"
    r"|tonalität|sprachstil|markenstimme|ton de (?:la )?(?:voix|marque)|tono de (?:voz|comunicación)|tom de voz"
    r"|tono di voce|тон (?:голоса|коммуникации)|トーン・?(?:オブ|&|＆)|言葉遣い|语调|語調|品牌语气|말투|어조",
    re.IGNORECASE,
)
DOS = re.compile(
    r"^(?:✓|✔|✅)?\s*(?:do|do['’]?s|dos|we are|we do|so ja|à faire|(?:qué )?hacer|fazer|cosa fare|делать|すること)"
    r"\s*:?$",
    re.IGNORECASE,
)
DONTS = re.compile(
    r"^(?:✗|✘|❌)?\s*(?:don['’]?ts?|do not|don['’]t['’]?s|never|avoid|we are not|we['’]re not|we don['’]t|so nicht"
    r"|à (?:éviter|ne pas faire)|(?:qué )?no hacer|evitar|não fazer|cosa non fare|не делать|しないこと)"
    r"\s*:?$",
    re.IGNORECASE,
)
LONGEST_SUMMARY = 600
LONGEST_TRAIT = 60
LONGEST_RULE = 300
MOST = 12


def voice(page: BrandMarkup, tier: Tier) -> Findings:
    for place, line in enumerate(page.lines):
        if line.level and SECTION.search(line.text):
            found = _read(_section(page.lines, place))
            if found:
                return Findings(tier=tier, url=page.url, values={"tone_of_voice": found})
    return Findings(tier=tier, url=page.url)


def _section(page_lines: Sequence[Line], start: int) -> list[Line]:
    """The lines below a heading, up to the next one of its level."""
    level = page_lines[start].level
    below = page_lines[start + 1 : start + 200]
    end = next((place for place, line in enumerate(below) if 0 < line.level <= level), len(below))
    return list(below[:end])


def _read(section: Sequence[Line]) -> Voice:
    dos: list[str] = []
    donts: list[str] = []
    traits: list[str] = []
    said: list[str] = []
    places: list[list[str]] = []
    was_label = False
    for line in section:
        is_label = bool(DOS.match(line.text) or DONTS.match(line.text))
        if is_label:
            places = [*(places if was_label else ()), donts if DONTS.match(line.text) else dos]
        elif line.level:
            places = []
            traits.append(line.text)
        elif places:
            _keep_rule(line, places)
        elif line.is_item:
            traits.append(line.lead.strip(" :.–—-") or line.text)
        else:
            said.append(line.text)
        was_label = is_label
    return Voice(
        summary=_cut(next((text for text in said if len(text.split()) > 3), "")),
        attributes=tuple(dict.fromkeys(trait for trait in traits if 0 < len(trait) <= LONGEST_TRAIT))[:MOST],
        dos=tuple(dos[:MOST]),
        donts=tuple(donts[:MOST]),
    )


def _keep_rule(line: Line, places: list[list[str]]) -> None:
    """Below one label the rules are its own. Below two that stand side by side they come in turn, as cells of a table;
    whose the items of a list are is not said there."""
    if len(places) == 1 or not line.is_item:
        places[0].append(line.text[:LONGEST_RULE])
        places.append(places.pop(0))


def _cut(text: str) -> str:
    """The beginning of a long paragraph, up to the end of a word."""
    if len(text) <= LONGEST_SUMMARY:
        return text
    return text[:LONGEST_SUMMARY].rpartition(" ")[0] or text[:LONGEST_SUMMARY]
