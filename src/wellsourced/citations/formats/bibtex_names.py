"""Lists of names as BibTeX has them: `and` between names, commas inside, braces around what must stay together.

Facts: the BibTeX documentation: `First von Last`, `von Last, First`, `von Last, Jr, First`; lower-case words in the
middle are the von part. biblatex's `family=…, given=…` is understood as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from wellsourced.citations.person_names import SUFFIX, is_corporate, name_in_reading_order
from wellsourced.citations.reference import Name
from wellsourced.text.latex import decode_latex
from wellsourced.text.plain_text import plain

MOST_NAMES = 3_000
LONGEST_NAME = 2_000
AND = re.compile(r"\s+and(?=\s)|\A\s*and(?=\s)|\s+and\s*\Z", re.IGNORECASE)
KEYED = re.compile(r"(family|given|prefix|suffix)(?:-i)?\s{0,5}=\s{0,5}([^,]{0,200})")
SPECIAL = re.compile(r"\s*\{\\")


def parse_bibtex_names(value: str) -> tuple[tuple[Name, ...], bool]:
    """The names, and whether the list ends with `and others`."""
    parts = [part.strip().strip(",;").strip() for part in _outside_braces(" ".join(value.split()))[:MOST_NAMES]]
    others = bool(parts) and parts[-1].lower() in {"others", "et al.", "et al"}
    names = (parse_bibtex_name(part) for part in (parts[:-1] if others else parts) if part)
    return tuple(name for name in names if name.display), others


def parse_bibtex_name(text: str) -> Name:
    text = text[:LONGEST_NAME]
    if _is_whole_group(text) or (text.startswith("{") and _is_whole_group(text.split(",")[0]) and text.endswith(",")):
        return Name(literal=_clean(text.rstrip(",")))
    keyed = dict(KEYED.findall(text))
    if "family" in keyed:
        parts = {name: _clean(part) for name, part in keyed.items()}
        return Name(family=parts["family"], given=parts.get("given", ""), particle=parts.get("prefix", ""),
                    suffix=parts.get("suffix", ""))  # fmt: skip
    pieces = _split_commas(text)
    if len(pieces) == 1:
        return _without_comma(text)
    if len(pieces) == 2 and SUFFIX.fullmatch(_clean(pieces[1])):
        name = _without_comma(pieces[0])
        return Name(
            family=name.family, given=name.given, particle=name.particle, literal=name.literal, suffix=_clean(pieces[1])
        )
    return _with_commas(pieces)


def _with_commas(pieces: list[str]) -> Name:
    family, given = pieces[0], pieces[-1]
    suffix = pieces[1] if len(pieces) > 2 else ""
    particle, bare = ("", _clean(family)) if _is_whole_group(family) else _particle(family)
    return Name(family=bare, given=_clean(given), particle=particle, suffix=_clean(suffix))


def _particle(family: str) -> tuple[str, str]:
    """Words in braces are never particles."""
    words = _words(family)
    count = 0
    while count < len(words) - 1 and _clean(words[count])[:1].islower() and not words[count].startswith("{"):
        count += 1
    return _clean(" ".join(words[:count])), _clean(" ".join(words[count:]))


def _without_comma(text: str) -> Name:
    words = _words(text)
    clean = _clean(text)
    if len(words) == 1:
        return Name(family=clean)
    if is_corporate(clean) and not any(_is_whole_group(word) for word in words):
        return Name(literal=clean)
    if _is_whole_group(words[-1]):
        return Name(family=_clean(words[-1]), given=_clean(" ".join(words[:-1])))
    return name_in_reading_order([cleaned for word in words if (cleaned := _clean(word))] or [clean])


def _clean(text: str) -> str:
    return plain(decode_latex(text))


def _is_whole_group(text: str) -> bool:
    """`{Barnes and Noble}`, but not `{\\'E}mile`, nor `{A} and {B}`."""
    if not text.startswith("{") or SPECIAL.match(text):
        return False
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            return position == len(text) - 1
    return False


def _outside_braces(value: str) -> list[str]:
    """Split at `and` outside braces."""
    parts, start = [], 0
    spans = _levels(value)
    for found in AND.finditer(value):
        if spans[found.start()] == 0 and spans[found.end() - 1] == 0:
            parts.append(value[start : found.start()])
            start = found.end()
    return [*parts, value[start:]]


def _levels(value: str) -> list[int]:
    depth, levels = 0, []
    for character in value:
        depth = max(0, depth + (character == "{") - (character == "}"))
        levels.append(depth)
    return levels or [0]


def _split_commas(text: str) -> list[str]:
    return _split(text, lambda character: character == ",")


def _words(text: str) -> list[str]:
    return [word for word in _split(text, lambda character: character.isspace() or character == "~") if word]


def _split(text: str, is_mark: Callable[[str], bool]) -> list[str]:
    parts, start, depth = [], 0, 0
    for position, character in enumerate(text):
        depth = max(0, depth + (character == "{") - (character == "}"))
        if depth == 0 and is_mark(character):
            parts.append(text[start:position].strip())
            start = position + 1
    return [*parts, text[start:].strip()]
