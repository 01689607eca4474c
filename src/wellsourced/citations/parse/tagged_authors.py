"""The people of a tagged reference: who begins where, which words are family names, which are given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from wellsourced.citations.parse.authors import ELISION, ET_AL
from wellsourced.citations.parse.tagger import EASTERN, Token
from wellsourced.citations.person_names import (
    CORPORATE,
    PARTICLES,
    SUFFIX,
    is_corporate,
    parse_person_name,
    split_particle,
)
from wellsourced.citations.reference import Name

NAMES = frozenset("AaGgLl-")
# Particles that may stand behind the given name.
BEHIND = frozenset(
    {"von", "van", "de", "der", "den", "del", "della", "la", "le", "di", "da", "dos", "du", "zu", "ten", "ter"}
)
JUNIOR = re.compile(r"[JS]r")
BARE = re.compile(r"[A-Z]{1,3}")
# Words within the names of organisations that no list of people has.
OF_GROUPS = frozenset({"of", "for", "at", "on", "für", "pour", "sur", "para", "voor"})
HYPHENS = "-‐‑–"
BETWEEN = frozenset(",;&/・、·") | {"and", "und", "et", "y", "и"}
# A run of names that begins later is somebody else: a reviewer, the editor of the book.
FAR = 6
MOST = 500


def authors_of(tagged: Sequence[tuple[Token, str]], text: str) -> tuple[tuple[Name, ...], bool]:
    """The names, and whether the list says that there are more."""
    region = _region(tagged)
    if not region:
        return (), False
    start, end = region[0][0].start, region[-1][0].end
    said = text[start : end + 12]
    if _is_group(region, text):
        return (Name(literal=text[start:end].strip(" .,:")),), False
    names = tuple(name for person in _whole_people(region) if (name := _name(person, text)).display)
    if any(BARE.fullmatch(name.given) for name in names[:-1]):  # `Doe J, Roe R.`: the point ends the sentence
        names = (*names[:-1], replace(names[-1], given=names[-1].given.rstrip(".")))
    return names[:MOST], bool(ET_AL.search(said) or ELISION.search(text[start:end]))


def end_names(tagged: Sequence[tuple[Token, str]], text: str) -> list[tuple[Token, str]]:
    """`Hauck JD. Kultur, Sprache und …`: the point behind initials without points ends the names."""
    found, is_bare_list = list(tagged), False
    for place in range(1, len(found) - 3):
        (token, label), before, point, after = found[place], found[place - 1], found[place + 1], found[place + 2]
        if label not in NAMES and label != "T":
            break
        is_bare = BARE.fullmatch(token.text) and len(before[0].text) > 2 and before[1] in "Aa" and label in "Gga"
        is_bare_list = is_bare_list or bool(is_bare and point[0].text == ",")
        if not is_bare or not (is_bare_list or len(token.text) > 1):
            continue
        if point[0].text != "." or text[point[0].end : point[0].end + 1] != " ":
            continue
        if after[1] not in NAMES or BARE.fullmatch(found[place + 3][0].text) or after[0].text.casefold() in BETWEEN:
            continue
        rest = range(place + 2, next((p for p in range(place + 2, len(found)) if found[p][1] not in NAMES), len(found)))
        return [(one, "T" if p in rest else said) for p, (one, said) in enumerate(found)]
    return found


def _is_group(region: Sequence[tuple[Token, str]], text: str) -> bool:
    """`Food and Drug Administration`: words of an organisation, without a comma or an initial."""
    words = [token.text for token, _ in region]
    said = text[region[0][0].start : region[-1][0].end]
    has_initial = any(len(word) == 1 and word.isalpha() for word in words)
    is_list = has_initial or bool({",", ";"} & set(words)) or ET_AL.search(said) is not None
    is_joined = not OF_GROUPS.isdisjoint(words[1:])
    return len(words) > 1 and not is_list and (is_joined or CORPORATE.search(said) is not None)


def _whole_people(region: Sequence[tuple[Token, str]]) -> Iterator[list[tuple[Token, str]]]:
    """What was taken for a person of its own and belongs to the family name before it: initials, a given name behind
    the first of a list (`Duncan, Margaret Carlisle, and …`) or behind a suffix (`Fulton, Jr., James E.`)."""
    waiting: list[tuple[Token, str]] = []
    is_first = True
    for person in _people(region):
        words = [token.text for token, label in person if label != "-"]
        has_suffix = any(JUNIOR.fullmatch(token.text) for token, _ in waiting)
        families = [token.text for token, label in waiting if label == "a" and token.text.casefold() not in PARTICLES]
        is_inverted = is_first and person[0][1] == "g" and len(families) == 1
        is_given = is_inverted or has_suffix or _are_given(words, waiting)
        if waiting and not any(label in "gl" for _, label in waiting) and is_given:
            waiting += [(token, "g" if label == "a" else label) for token, label in person]
            continue
        if waiting:
            is_first = False
            yield waiting
        waiting = person
    if waiting:
        yield waiting


def _is_complete(person: Sequence[tuple[Token, str]]) -> bool:
    """Both names were said, or one in a script that sets them together."""
    return {"a", "g"} <= {label for _, label in person} or EASTERN.match(person[0][0].text) is not None


def _are_given(words: Sequence[str], before: Sequence[tuple[Token, str]]) -> bool:
    """Initials; or names in small letters behind one in capitals, as ISO 690 sets family names."""
    families = [token.text for token, label in before if label == "a"]
    is_capital = bool(families) and all(len(word) > 2 and word.isupper() for word in families)
    return all(len(word) < 3 and word.isupper() for word in words) or (is_capital and not words[0].isupper())


def _region(tagged: Sequence[tuple[Token, str]]) -> list[tuple[Token, str]]:
    """The first run of names, over a misread word or two."""
    places = [place for place, (_, label) in enumerate(tagged) if label in NAMES]
    if not places:
        return []
    end = places[0]
    for place in places:
        if place - end > FAR:
            break
        end = place
    return list(tagged[places[0] : end + 1])


def _people(region: Sequence[tuple[Token, str]]) -> Iterator[list[tuple[Token, str]]]:
    """A person begins where the tagger says so, and behind a comma once both names were said."""
    person: list[tuple[Token, str]] = []
    is_parted = is_behind = False
    for token, label in region:
        is_parted = label == "-" and (is_parted or token.text.casefold() in BETWEEN)
        is_new = label in "AGL" or (label in "agl" and bool(person) and _is_complete(person))
        if person and is_new and (is_behind or EASTERN.match(token.text)):
            yield person
            person = []
        is_behind = is_parted
        label = _corrected(token.text, label)
        if label in NAMES and (person or label != "-"):
            person.append((token, label.lower()))
    if person:
        yield person


def _corrected(text: str, label: str) -> str:
    """`Jr` is no given name; `O’Connor` and the `v.` and `d.` of `W. v. d. Aalst` belong to family names."""
    if label in NAMES and JUNIOR.fullmatch(text):
        return "-"
    is_particle = len(text) == 1 and text in "vdz"
    is_word = len(text) > 3 and text[:1].isupper() and text.casefold() not in BETWEEN
    return "a" if (label == "-" and is_word) or (label in NAMES and is_particle) else label


def _name(person: Sequence[tuple[Token, str]], text: str) -> Name:
    if any(label == "l" for _, label in person):
        literal = _span([token for token, label in person if label == "l"], text)
        has_initial = any(len(token.text) == 1 and token.text.isupper() for token, _ in person)
        if has_initial and not is_corporate(literal):
            return parse_person_name(literal)
        return Name(literal=literal) if is_corporate(literal) or " " in literal else Name(family=literal)
    suffix = next((token.text for token, _ in person if len(token.text) > 1 and SUFFIX.fullmatch(token.text)), "")
    parts = _in_order([(token, label) for token, label in person if token.text != suffix])
    family = _span([token for token, label in parts if label == "a"], text)
    given = _span(_with_particles(parts), text)
    if not (family and given):
        return parse_person_name(f"{family}{given}".strip())
    particle, bare = split_particle(family)
    return Name(family=bare, given=given, particle=particle, suffix=suffix)


def _in_order(parts: list[tuple[Token, str]]) -> list[tuple[Token, str]]:
    """The labels set right by what the order says: a comma ends a family name; where the given name stands first, the
    family name begins behind the last initial, at a particle, or is the last word."""
    words = [place for place, (_, label) in enumerate(parts) if label != "-"]
    if len(words) < 2 or EASTERN.match(parts[words[0]][0].text):
        return parts
    comma = next((place for place in range(words[0], words[-1]) if parts[place][0].text == ","), None)
    last = parts[words[-1]][0].text
    is_turned = BARE.fullmatch(last) and not BARE.fullmatch(parts[words[0]][0].text)
    if comma is not None:
        return _labelled(parts, comma, "a", "g")
    if is_turned:
        return _labelled(parts, next(p for p in words if BARE.fullmatch(parts[p][0].text)), "a", "g")
    if parts[words[0]][1] == "g" or parts[words[-1]][1] == "a":
        return _labelled(parts, _family_start(parts, words), "g", "a")
    return parts


def _labelled(parts: list[tuple[Token, str]], start: int, first: str, then: str) -> list[tuple[Token, str]]:
    return [
        (token, label if label == "-" else first if place < start else then)
        for place, (token, label) in enumerate(parts)
    ]


def _family_start(parts: list[tuple[Token, str]], words: list[int]) -> int:
    for number in range(len(words) - 1, 0, -1):
        before, place = parts[words[number - 1]][0], words[number]
        if len(before.text) == 1 and before.text.isupper():
            return place
    for place in words[1:-1]:
        if parts[place][0].text.casefold() in PARTICLES:
            return place
    # A hyphen makes one word of two.
    return next(place for place in reversed(words) if parts[place - 1][0].text not in HYPHENS or place == words[0])


def _with_particles(parts: Sequence[tuple[Token, str]]) -> list[Token]:
    """The given names, and particles that stand behind them: `Berg, A. von der`."""
    found: list[Token] = []
    for token, label in parts:
        if label == "g" or (found and label == "-" and token.text in BEHIND):
            found.append(token)
    return found


def _span(tokens: Sequence[Token], text: str) -> str:
    """From the first to the last, with the point behind an initial."""
    if not tokens:
        return ""
    end = tokens[-1].end
    is_initial = len(tokens[-1].text) == 1 and text[end : end + 1] == "."
    return " ".join(text[tokens[0].start : end + is_initial].split())
