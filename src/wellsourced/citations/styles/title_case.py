"""English titles with capitals on the words that carry meaning, as MLA and Chicago print them.

The words that stay small are those of the CSL processors, so that both print the same. A word that has a capital
anywhere keeps its own letters (`mRNA`, `iPhone`), and so does everything in a title that is not in English.
"""

from __future__ import annotations

import re

SMALL_TEXT = """
    about above across afore after against al along alongside amid amidst among amongst anenst apropos apud around as
    aside astride at athwart atop barring before behind below beneath beside besides between beyond but by circa despite
    down during et except for forenenst from given in inside into lest like modulo near next notwithstanding of off on
    onto out over per plus pro qua sans since than through throughout thruout till to toward towards under underneath
    until unto up upon versus vs v via vis-à-vis with within without or yet so and nor a an the de d von van c ca
"""
SMALL = frozenset(SMALL_TEXT.split())
# A word with the marks behind it: what follows `:`, `?` or `!` begins a sentence.
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
OPENS = re.compile(r"[:?!][\s\"“‘'’”(\[]*\Z")
ENGLISH = re.compile(r"(?:en\b|eng\b|english|american|british|\Z)", re.IGNORECASE)


# Small words that tell the language of a title that came without one.
ENGLISH_WORDS = frozenset(
    {"the", "of", "and", "an", "for", "with", "from", "by", "is", "are", "how", "what", "why", "to"}
)
FOREIGN_TEXT = """
    der die das und des dem den ein eine für über mit von zur zum im le la les du et aux dans pour sur une el los las
    del y en por para con una o os da do dos em um uma e il lo gli di della delle nel per het een van voor met og och av
    i na w z dla pro se ve
"""
FOREIGN_WORDS = frozenset(FOREIGN_TEXT.split())


def title_case(title: str, language: str | None = None) -> str:
    """The title with capitals, unless its language is, or seems to be, another than English."""
    if not ENGLISH.match((language or "").strip()) or (not language and _looks_foreign(title)):
        return title
    words = list(WORD.finditer(title))
    pieces, end = [], 0
    for place, word in enumerate(words):
        is_edge = (
            place == 0
            or (place == len(words) - 1 and len(word[0]) > 1)
            or OPENS.search(title[max(0, word.start() - 4) : word.start()])
            or (title[word.end() : word.end() + 1] == "-" and title[max(0, word.start() - 1) : word.start()] != "-")
        )
        pieces += [title[end : word.start()], _capitalised(word[0], bool(is_edge))]
        end = word.end()
    return "".join([*pieces, title[end:]])


def _looks_foreign(title: str) -> bool:
    words = {word[0].lower() for word in WORD.finditer(title)}
    has_accent = any(letter.isalpha() and letter > "\x7f" and not "Ͱ" <= letter <= "Ͽ" for letter in title)
    return not words & ENGLISH_WORDS and (has_accent or len(words & FOREIGN_WORDS) > 0)


def _capitalised(word: str, is_edge: bool) -> str:
    is_plain = word.islower() and (len(word) > 1 or is_edge) and not ("Ͱ" <= word[0] <= "Ͽ" and len(word) == 1)
    return word[0].upper() + word[1:] if is_plain and (is_edge or word not in SMALL) else word
