"""Words of titles: which of them were exchanged for others, and whether a title stands in a text."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from wellsourced.text.languages import language_of
from wellsourced.text.matching_titles import GREEK, SMALL_WORDS, have_subtitles, plainest, variants

SHORTEST_WORD = 3
SHORTEST_TITLE = 12
STANDS_THERE = 96.0
FALSE_PAIR = 0.87
MUCH_ALIKE = 0.7
NEGATIVE_WORDS = "not no non without never nicht kein keine ohne pas sans sin não sem не без нет"
NEGATIONS = frozenset(NEGATIVE_WORDS.split())
ORDINAL = re.compile(r"[0-9]{1,4}(?:st|nd|rd|th)\Z")
NUMBERED = re.compile(r"\bno (?=[0-9])")
"""`Report No. 12` denies nothing."""

UMLAUTS = frozenset("äöüÄÖÜøØæÆœŒåÅ")
VOWELS = str.maketrans("ao", "ee")


def content_words(text: str) -> list[str]:
    return [word for word in plainest(text).split() if word not in SMALL_WORDS]


def exchanged(cited: str, recorded: str) -> tuple[str, str] | None:
    """The first words of the citation that stand where the record has quite others.

    The titles are laid side by side whole where they are much alike or both have a subtitle, else in the forms in
    which they are most alike.
    What is missing or added may be a subtitle, what is spelt differently a slip, and a number or an acronym written out
    is still the same.
    """
    ours, theirs = [_content(form) for form in variants(cited)], [_content(form) for form in variants(recorded)]
    if not ours or not theirs:
        return None
    forms = [(ours[0], form) for form in theirs] + [(form, theirs[0]) for form in ours]
    whole = forms[0]
    is_alike = _matcher(*whole).ratio() >= MUCH_ALIKE or have_subtitles(cited, recorded)
    nearest = whole if is_alike else max(forms, key=lambda pair: _matcher(*pair).ratio())
    return _exchanged(*nearest, has_umlauts=not UMLAUTS.isdisjoint(cited + recorded))


def stands_in(title: str, text: str) -> bool:
    """Whether a title, or its part before the subtitle, stands in a text."""
    from rapidfuzz.fuzz import partial_ratio

    whole, full = plainest(text).replace(" ", ""), len(plainest(title).replace(" ", ""))
    for form in variants(title):
        joined = form.replace(" ", "").replace("\u2026", "")
        if len(joined) < min(SHORTEST_TITLE, full) or len(joined) <= SHORTEST_WORD:
            continue
        if joined in whole or (len(joined) <= len(whole) and partial_ratio(joined, whole) >= STANDS_THERE):
            return True
    return False


def in_two_languages(one: str, other: str) -> bool:
    first, second = language_of(one), language_of(other)
    return first is not None and second is not None and first != second


def may_be_translated(one: str, other: str) -> bool:
    """Whether one of two titles looks like another language than English and the other one does not."""
    languages = {language_of(one), language_of(other)}
    if len(languages) == 1 and None not in languages:
        return False
    strange = [
        any(c.isalpha() and not c.isascii() and c not in GREEK for c in title.casefold()) for title in (one, other)
    ]
    return strange[0] != strange[1] or (len(languages) > 1 and bool(languages - {"en", None}))


def _content(form: str) -> list[str]:
    words = NUMBERED.sub("", form.replace("\u2026", "")).split()
    return [word for word in words if word not in SMALL_WORDS or word in NEGATIONS]


def _matcher(cited: list[str], recorded: list[str]) -> SequenceMatcher[str]:
    return SequenceMatcher(a=cited, b=recorded, autojunk=False)


def _exchanged(cited: list[str], recorded: list[str], *, has_umlauts: bool) -> tuple[str, str] | None:
    joined, others = "".join(cited), "".join(recorded)
    for mark, i, j, k, m in _matcher(cited, recorded).get_opcodes():
        ours, theirs = cited[i:j], recorded[k:m]
        one, other = "".join(ours), "".join(theirs)
        if (
            mark != "replace"
            or 0 < joined.count(one) <= others.count(one)
            or 0 < others.count(other) <= joined.count(other)
        ):
            continue
        pairs = (
            list(zip(ours, theirs, strict=False)) if len(ours) == len(theirs) else [(" ".join(ours), " ".join(theirs))]
        )
        for one, other in pairs:
            if _is_another(one, other) and not (has_umlauts and _skeleton(one) == _skeleton(other)):
                return one, other
    denied = (NEGATIONS & set(cited)) ^ (NEGATIONS & set(recorded))
    if len(denied) == 1:
        word = next(iter(denied))
        return (word, "") if word in cited else ("", word)
    return None


def _is_another(one: str, other: str) -> bool:
    if " " in one or " " in other:
        words = (one + " " + other).split()
        is_plain = all(word.isalpha() and len(word) > SHORTEST_WORD for word in words)
        return is_plain and not _is_acronym(one, other) and not _is_acronym(other, one)
    if one.isdigit() or other.isdigit():
        return one.isdigit() and other.isdigit()
    if min(len(one), len(other)) < SHORTEST_WORD or bool(ORDINAL.match(one)) != bool(ORDINAL.match(other)):
        return False
    return not _is_slip(one, other)


def _is_acronym(short: str, long: str) -> bool:
    return short == "".join(word[0] for word in long.split())


def _is_slip(one: str, other: str) -> bool:
    from rapidfuzz.fuzz import ratio

    shorter, longer = sorted((one, other), key=len)
    if longer.startswith(shorter) and len(shorter) > SHORTEST_WORD:
        return True
    return shorter[:2] == longer[:2] and len(longer) - len(shorter) < 3 and ratio(one, other) / 100 > FALSE_PAIR


def _skeleton(word: str) -> str:
    """The same for a word with its umlauts and with them written out or left off."""
    return word.replace("ue", "u").translate(VOWELS)
