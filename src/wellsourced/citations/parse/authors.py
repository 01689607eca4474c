"""Lists of authors in free text, in the manner of any style: `Doe, J., & Roe, R.`, `Doe J, Roe R`, `J. Doe and R. Roe`,
`Doe, John, and Jane Roe`, `Doe, J.; Roe, R.`, or an organisation."""

from __future__ import annotations

import re

from wellsourced.citations.person_names import PARTICLES, SUFFIX, is_corporate, parse_person_name
from wellsourced.citations.reference import Name
from wellsourced.late_pattern import late_pattern

# Bounds the work: the patterns below are linear, but run several times.
LONGEST = 5_000
MOST = 500
ET_AL = late_pattern(
    r"(?:,?(?<!\s)\s+|,)?"
    r"(?:\bet\.?\s?al(?:ii|iae)?\b\.?|\band others\b|\bu\.\s?a\.|\by otros\b|\be altri\b|\bи др\.|等|ほか)",
    re.IGNORECASE,
)
ELISION = late_pattern(r"(?:(?<!\s)\s+)?(?:\.\s?\.\s?\.|…)\s*")
GROUP = late_pattern(r"\s?[\[(][^\[\]()]{2,60}[\])]\Z")
EDITORS = late_pattern(
    r"(?:(?<![\s,])[\s,]+)?\(?\b(?:eds?|editors?|hrsg|coords?|org|dir)\b\.?\)?\.?\s*\Z", re.IGNORECASE
)
# `and` in the languages of the larger bibliographies, and the marks that East Asian lists use for it.
LAST = late_pattern(
    r",?(?<!\s)\s+(?:and|AND|und|UND|et|ET|y|e|en|och|og|и|&)\s+|(?:(?<!\s)\s+)?&\s*|[、，]|(?<=[\u3400-\u9fff\uac00-\ud7af])・(?=[\u3400-\u9fff])|(?<=[\uac00-\ud7af])·(?=[\uac00-\ud7af])"
)
# A whole name: written without a blank, family name first.
EASTERN = late_pattern(r"[\u3400-\u9fff\uac00-\ud7af]{2,}")

INITIALS = late_pattern(r"(?:[^\W\d_a-zß-ÿа-я]\.?(?:[- ]?(?=[^\W\d_])|\s?)){1,5}\.?")
ENDS_IN_INITIAL = late_pattern(r"(?:\A|[\s.,-])[^\W\d_]\.\Z|\b(?:Jr|Sr|Inc|Ltd|Co)\.\Z")
FAMILY_INITIALS = late_pattern(
    r"(.{1,59}?[^\s.])\s((?:[A-ZÀ-ÞŁŚŠŻŽČŞİА-Я][- ]?){1,3})\.?(?:\s(Jr|Sr|2nd|3rd|I{2,3}))?\.?"
)


def parse_authors(text: str) -> tuple[tuple[Name, ...], bool]:
    """The names, and whether the list says that there are more."""
    text = GROUP.sub("", EDITORS.sub("", text[:LONGEST].strip(" ,;:")))
    text = text if ENDS_IN_INITIAL.search(text) else text.rstrip(".")
    shorter = ET_AL.sub("", text)
    et_al = shorter != text
    parts = [part for chunk in ELISION.split(shorter) for part in _people(chunk.strip(" ,;"))]
    return tuple(name for name in parts[:MOST] if name.display), et_al or bool(ELISION.search(shorter))


def _people(text: str) -> list[Name]:
    if not text:
        return []
    if "/" in text and "," in text:
        text = text.replace("/", ";")
    if ";" in text:
        return [
            parse_person_name(part.strip().removeprefix("and ").removeprefix("& "))
            for part in text.split(";")
            if part.strip()
        ]
    pieces = [piece.strip(" ,") for piece in LAST.split(text)]
    tokens = [token.strip() for piece in pieces for token in piece.split(",") if token.strip()]
    if _is_organisation(text, tokens):
        return [Name(literal=text)]
    return [name for piece in pieces for name in _walk([token.strip() for token in piece.split(",") if token.strip()])]


def _is_organisation(text: str, tokens: list[str]) -> bool:
    has_initials = any(INITIALS.fullmatch(token) or FAMILY_INITIALS.fullmatch(token) for token in tokens)
    return (
        not has_initials
        and is_corporate(text.replace(",", ""))
        and (len(tokens) < 2 or any(is_corporate(t) for t in tokens))
    )


def _walk(tokens: list[str]) -> list[Name]:
    names: list[Name] = []
    position = 0
    while position < len(tokens):
        token, after = tokens[position], tokens[position + 1] if position + 1 < len(tokens) else ""
        is_pair = (
            bool(after)
            and not (EASTERN.fullmatch(token) and EASTERN.fullmatch(after))
            and _is_family(token)
            and (
                INITIALS.fullmatch(after) is not None
                or (position == 0 and _is_given(after, tokens))
                or _is_capital_family(token, after)
            )
        )
        if SUFFIX.fullmatch(token) and names:
            names[-1] = _with_suffix(names[-1], token)
        elif is_pair:
            names.append(parse_person_name(f"{token}, {after}"))
            position += 1
        else:
            names.append(_single(token))
        position += 1
    return names


def _is_capital_family(token: str, after: str) -> bool:
    """ISO 690 sets family names in capitals: `CORTI, Roberto, FLAMMER, Andreas J.`"""
    return token.isupper() and len(token) > 2 and not after.isupper() and len(after.split()) < 4


def _is_family(token: str) -> bool:
    """One or two words, or particles and a word; never something that has initials of its own."""
    words = [word for word in token.split() if word not in PARTICLES]
    if len(words) > 1 and len(words[0]) > 2 and words[0].isupper() and not words[-1].isupper():  # `CURIE Marie`
        return False
    return (
        0 < len(words) <= 2 and not any(word.endswith(".") for word in words) and not FAMILY_INITIALS.fullmatch(token)
    )


def _is_given(token: str, tokens: list[str]) -> bool:
    """Behind the first family name: `Doe, John`, but not `Doe, Roe` or `John Doe, Jane Roe` as reading on shows."""
    are_whole = len(tokens) > 2 and all(len(name.split()) > 1 for name in tokens)
    return len(tokens) == 2 or (len(token.split()) <= 3 and not are_whole)


def _single(token: str) -> Name:
    match = FAMILY_INITIALS.fullmatch(token)
    if match:
        return _with_suffix(parse_person_name(f"{match[1]}, {match[2]}"), match[3] or "")
    return parse_person_name(token)


def _with_suffix(name: Name, suffix: str) -> Name:
    return Name(
        family=name.family, given=name.given, particle=name.particle, literal=name.literal, suffix=suffix or name.suffix
    )
