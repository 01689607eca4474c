"""Whether two lists of authors are the same people: initials, accents, particles, order and `et al.` considered."""

from __future__ import annotations

import re
import unicodedata

from wellsourced.citations.person_names import parse_person_name
from wellsourced.citations.reference import Name, Reference
from wellsourced.text.titles import Outcome, main_script

# `Müller`, `Mueller` and `Muller` are one name; so are the usual transliterations from Cyrillic.
UMLAUTS = (
    ("ae", "a"),
    ("oe", "o"),
    ("ue", "u"),
    ("ss", "s"),
    ("aa", "a"),
    ("kh", "h"),
    ("iy", "y"),
    ("yu", "u"),
    ("ya", "a"),
    ("j", "y"),
)
# One sound, written differently by the languages that transliterate it.
SOUNDS = (("tsch", "c"), ("tch", "c"), ("shch", "sc"), ("sch", "c"), ("sh", "c"), ("ch", "c"), ("w", "v"), ("ff", "v"))
VOWELS_AND_DOUBLES = re.compile(r"[aeiouy ]|(.)(?=\1)")
FOOTNOTE_MARK = re.compile(r"(?<=[^\W\d])[0-9]{1,2}\b")
# Comparing is quadratic; longer lists differ early if they differ.
MOST = 400


def compare_authors(cited: Reference, recorded: Reference) -> Outcome:
    """Match when everybody who is cited is an author in that order; partial when some are, or in another order."""
    if not cited.authors or not recorded.authors:
        return "not_given"
    ours, theirs = cited.authors[:MOST], recorded.authors[:MOST]
    if main_script("".join(n.surname for n in ours)) != main_script("".join(n.surname for n in theirs)):
        return "not_comparable"
    places = [_place(name, theirs) for name in ours]
    known = [place for place in places if place is not None]
    if not known:
        return _group_or_people(ours, theirs)
    is_all = len(known) == len(places)
    in_order = known == sorted(known) and known[0] == 0
    is_whole = cited.et_al or recorded.et_al or len(ours) == len(theirs) or _is_shortened(len(ours), len(theirs), known)
    if is_all and in_order and is_whole:
        return "match"
    return "partial" if len(known) * 3 >= len(places) else "mismatch"


def is_same_person(one: Name, other: Name) -> bool:
    """The family names agree, and the given names do not contradict each other."""
    if one.literal or other.literal:
        return _same_literal(one, other)
    return _same(one, other) or (
        _ends_in_initials(one) and _same(Name(family=one.given, given=one.family.upper()), other)
    )


def _ends_in_initials(name: Name) -> bool:
    """`Blasco MA`, where a format wants the family name last; in a line of small letters it is `blasco ma`."""
    return len(name.family) <= 3 and len(name.given) > 1


def _same(one: Name, other: Name) -> bool:
    families, others = _families(one), _families(other)
    if not families & others and not _is_turned(one, other) and not _is_transliterated(one.family, other.family):
        return False
    return _is_turned(one, other) or _given_agree(one.given, other.given)


def _place(name: Name, people: tuple[Name, ...]) -> int | None:
    return next((place for place, other in enumerate(people) if is_same_person(name, other)), None)


def _is_shortened(ours: int, theirs: int, known: list[int]) -> bool:
    """Styles that leave out the middle of a long list keep the first ones and the last."""
    return (
        theirs > 7 and ours >= 3 and known[: ours - 1] == list(range(ours - 1)) and known[-1] in {ours - 1, theirs - 1}
    )


def _group_or_people(ours: tuple[Name, ...], theirs: tuple[Name, ...]) -> Outcome:
    """An organisation on one side and people on the other say nothing against each other."""
    is_mixed = all(name.literal for name in ours) != all(name.literal for name in theirs)
    return "not_comparable" if is_mixed else "mismatch"


def _same_literal(one: Name, other: Name) -> bool:
    first, second = _bare(one.display), _bare(other.display)
    if first == second or set(first.split()) == set(second.split()):
        return True
    if one.literal and other.literal:
        return _is_acronym(first, second) or _is_acronym(second, first) or _is_part(first, second)
    literal, name = (one, other) if one.literal else (other, one)
    parted = parse_person_name(literal.literal)
    return not parted.literal and is_same_person(parted, name)


def _is_part(first: str, second: str) -> bool:
    shorter, longer = sorted((set(first.split()) - {"the", "of", "and"}, set(second.split())), key=len)
    return len(shorter) > 1 and shorter <= longer


def _is_acronym(short: str, long: str) -> bool:
    letters = "".join(word[0] for word in long.split() if word not in {"of", "the", "for", "and", "on"})
    return len(short) > 1 and short.replace(" ", "") == letters


def _families(name: Name) -> set[str]:
    """With and without particle, with umlauts written out or not, and each half of a double name."""
    whole, bare = _bare(name.surname), _bare(name.family)
    forms = {whole, bare, whole.replace(" ", ""), bare.replace(" ", "")}
    parts = bare.split()
    forms |= {part for part in (parts[:1] + parts[-1:]) if len(parts) > 1 and len(part) > 3}
    if name.given:
        forms |= {f"{_bare(word)}{bare}".replace(" ", "") for word in name.given.split()[-3:] if word[:1].islower()}
    return {_folded(FOOTNOTE_MARK.sub("", form)) for form in forms if form}


def _is_transliterated(one: str, other: str) -> bool:
    """Long names that differ in a letter, or in vowels and signs for one sound: `Dostoyevsky`, `Dostoevskii`."""
    from rapidfuzz.fuzz import ratio

    first, second = _folded(_bare(one)), _folded(_bare(other))
    if len(consonants := _consonants(first)) > 3 and consonants == _consonants(second):
        return True
    return min(len(first), len(second)) > 5 and first[0] == second[0] and ratio(first, second) > 88


def _consonants(name: str) -> str:
    for written, sound in SOUNDS:
        name = name.replace(written, sound)
    return VOWELS_AND_DOUBLES.sub("", name)


def _is_turned(one: Name, other: Name) -> bool:
    """Family and given name in the wrong places, as happens with Hungarian and East Asian names."""
    first, second = _bare(f"{one.given} {one.family}").split(), _bare(f"{other.given} {other.family}").split()
    if main_script(one.family) == "CJK":  # written without a blank, nothing says where the family name ends
        return "".join(first) in {"".join(second), "".join(reversed(second))} or "".join(reversed(first)) == "".join(
            second
        )
    return len(first) > 1 and sorted(first) == sorted(second)


def _given_agree(one: str, other: str) -> bool:
    first, second = (
        _bare(one.replace(".", ". ").replace("-", " ")).split(),
        _bare(other.replace(".", ". ").replace("-", " ")).split(),
    )
    if not first or not second:
        return True
    a, b = _letters(one, first), _letters(other, second)
    return any(x == y or (min(len(x), len(y)) == 1 and x[0] == y[0]) or _is_short_form(x, y) for x in a for y in b)


def _letters(written: str, words: list[str]) -> list[str]:
    """`AB` without points is two initials."""
    is_initials = len(words) == 1 and len(words[0]) <= 3 and written.isupper()
    return list(words[0]) if is_initials else words


def _is_short_form(one: str, other: str) -> bool:
    shorter, longer = sorted((_folded(one), _folded(other)), key=len)
    return len(shorter) > 1 and (longer.startswith(shorter) or (shorter[0] == longer[0] and shorter[:3] == longer[:3]))


def _bare(text: str) -> str:
    split = (
        unicodedata.normalize("NFKD", text)
        .casefold()
        .replace("ø", "o")
        .replace("ł", "l")
        .replace("đ", "d")
        .replace("ß", "ss")
    )
    split = (
        split.replace("æ", "ae").replace("œ", "oe").replace("ı", "i").replace("'", "").replace("’", "").replace("ʼ", "")
    )
    kept = "".join(c if c.isalnum() else " " for c in split if not unicodedata.combining(c))
    return " ".join(kept.split())


def _folded(text: str) -> str:
    for written, short in UMLAUTS:
        text = text.replace(written, short)
    return text
