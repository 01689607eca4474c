"""The commonest content words in seven languages side by side, so that a question finds a page in another language.

Names, numbers and cognates are found without it, by their runs of characters. Written by hand; forms are folded.
"""

from __future__ import annotations

from functools import cache

from wellsourced.data import read_lines

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl")


@cache
def _tables() -> dict[tuple[str, str], tuple[int, ...]]:
    """The rows in which a form stands, by language and form."""
    table: dict[tuple[str, str], tuple[int, ...]] = {}
    for number, row in enumerate(_rows()):
        for language, forms in zip(LANGUAGES, row, strict=True):
            for form in forms:
                table[language, form] = (*table.get((language, form), ()), number)
    return table


@cache
def _rows() -> tuple[tuple[tuple[str, ...], ...], ...]:
    lines = (line.split() for line in read_lines("bilingual_words.txt"))
    return tuple(tuple(tuple(column.split("/")) for column in line) for line in lines)


def translate_word(word: str, asked_in: str, language: str) -> tuple[str, ...]:
    """The forms of a folded word in another language; none where it is not among the commonest."""
    if asked_in == language or language not in LANGUAGES:
        return ()
    place = LANGUAGES.index(language)
    return tuple(form for number in _tables().get((asked_in, word), ()) for form in _rows()[number][place])
