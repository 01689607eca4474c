"""Searching a catalogue of names that has no search of its own.

Every word of the query must occur in the name, in any order; `GDP` also finds "Gross domestic product" and the other
way round. Works for any script: a query without spaces is looked for as it stands.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

WORD = re.compile(r"\w+")
SMALL_WORDS = "of and the in at by for to on a an de la le du des et"
SMALL = frozenset(SMALL_WORDS.split())
LONGEST_QUERY_WORDS = 30
ACRONYM = range(3, 7)


def search_names(query: str, names: Sequence[str]) -> list[int]:
    """Positions of the names that match, best first: the phrase itself, then short names before long ones."""
    phrase = " ".join(fold(query).split())
    words = WORD.findall(phrase)[:LONGEST_QUERY_WORDS]
    if not words:
        return []
    spelled_out = _acronyms(words)
    ranked = [
        (rank, position)
        for position, name in enumerate(names)
        if (rank := _rank(phrase, words, spelled_out, fold(name))) is not None
    ]
    return [position for _, position in sorted(ranked)]


def words_in(text: str) -> list[str]:
    """The words of a name in one spelling; an apostrophe does not part them."""
    return WORD.findall(fold(text).replace("'", "").replace("’", ""))


def fold(text: str) -> str:
    """One spelling whatever the case, the width and the accents."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not "\u0300" <= c <= "\u036f"))


def _rank(
    phrase: str, words: Sequence[str], spelled_out: Mapping[str, Sequence[str]], name: str
) -> tuple[int, int] | None:
    if phrase in name:
        starts = name.lstrip().startswith(phrase)
        whole = re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", name) is not None
        return (0 if starts and whole else 1 if whole else 2), len(name)
    missing = [word for word in words if word not in name]
    if missing:
        missing = _unexplained(missing, spelled_out, name)
        return None if missing else (4, len(name))
    return 3, len(name)


def _unexplained(missing: Sequence[str], spelled_out: Mapping[str, Sequence[str]], name: str) -> list[str]:
    """The words that acronyms do not account for, in the query or in the name."""
    if not spelled_out and not any(len(word) in ACRONYM for word in missing):
        return list(missing)
    name_words = WORD.findall(name)
    initials = "".join(word[0] for word in name_words if word not in SMALL)
    explained = {word for short in name_words if short in spelled_out for word in spelled_out[short]}
    return [word for word in missing if word not in explained and not (len(word) in ACRONYM and word in initials)]


def _acronyms(words: Sequence[str]) -> dict[str, Sequence[str]]:
    """Every run of the query's words under the acronym its initials make."""
    runs = (words[start : start + length] for start in range(len(words)) for length in ACRONYM)
    return {"".join(word[0] for word in run): run for run in runs if len(run) >= ACRONYM.start}
