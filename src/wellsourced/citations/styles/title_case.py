"""English titles with capitals on the words that carry meaning, as MLA and Chicago print them.

The rules, and the words that stay small, are those of citeproc-js, so that both print the same. A word that has a
capital anywhere keeps its own letters (`mRNA`, `iPhone`), and so does a title that is plainly not in English.
"""

from __future__ import annotations

import re
from functools import lru_cache

from wellsourced.late_pattern import late_pattern

SMALL_TEXT = """
    about above across afore after against al along alongside amid amidst among amongst anenst apropos apud around as
    aside astride at athwart atop barring before behind below beneath beside besides between beyond but by circa despite
    down during et except for forenenst from given in inside into lest like modulo near next notwithstanding of off on
    onto out over per plus pro qua sans since than through throughout thruout till to toward towards under underneath
    until unto up upon versus vs v via vis-à-vis with within without or yet so and nor a an the de von van c ca
"""
SMALL = frozenset(SMALL_TEXT.split())
# What parts the pieces of a title, with the quotation marks that open behind a blank.
MARK = late_pattern(r"( [\"']|[‘’“”\"'\-–—/.,;?!:\[\]()])")
WORD = late_pattern(r"[^ \u00a0\u2000-\u200b\u205f\u3000]+")
CLOSERS = {' "': '"', " '": "'", "‘": "’", "“": "”"}
INNER = {' "': " '", " '": ' "', "‘": "‘", "“": "“"}
QUOTES = frozenset("‘’“”\"'") | CLOSERS.keys()
ENGLISH = late_pattern(r"(?:en\b|en[-_]|eng\b|english|american|british|\Z)", re.IGNORECASE)
# Small words that tell the language of a title that came without one.
ENGLISH_WORDS = frozenset(
    {"the", "of", "and", "an", "for", "with", "from", "by", "is", "are", "how", "what", "why", "to"}
)
FOREIGN_TEXT = """
    der das und des dem ein eine für über mit zur zum les du aux dans pour sur une gli della delle nel het een voor och
    og dla
"""
FOREIGN_WORDS = frozenset(FOREIGN_TEXT.split())
# Those that English titles have too tell it only together with another sign.
UNSURE_TEXT = """
    die den von im le la et el los las del y en por para con una o os da do dos em um uma e il lo di per van met av i na
    w z pro se ve
"""
UNSURE_WORDS = frozenset(UNSURE_TEXT.split())


@lru_cache(maxsize=512)  # the same title or journal stands in several styles
def title_case(title: str, language: str | None = None) -> str:
    """The title with capitals, unless its language is, or plainly seems to be, another than English."""
    if not ENGLISH.match((language or "").strip()) or (not language and _looks_foreign(title)):
        return title
    pieces = MARK.split(title)
    written, begins, last = list(pieces), True, -1
    for place in range(0, len(pieces), 2):
        mark = pieces[place - 1] if place else ""
        begins = begins or mark[-1:] in {"!", "?", ":"}
        hyphened = place == 0 and pieces[1:2] == ["-"]
        if pieces[place].strip():
            written[place], begins, last = _with_capitals(pieces[place], begins, hyphened), False, place
    for place in _unpaired(pieces):
        written[place] = pieces[place][:1] + written[place][1:]
    if last >= 0:
        written[last] = _last_word(written[last])
    return "".join(written)


def _with_capitals(piece: str, begins: bool, hyphened: bool) -> str:
    """The first word of a sentence, and the one before the first hyphen, has a capital even if it is small."""
    words = list(WORD.finditer(piece))
    for place, word in enumerate(words):
        is_edge = (place == 0 and begins) or (hyphened and place == len(words) - 1)
        if is_edge or (len(word[0]) > 1 and word[0].lower() not in SMALL):
            piece = piece[: word.start()] + _capitalised(word[0]) + piece[word.end() :]
    return piece


def _capitalised(word: str) -> str:
    is_greek_letter = len(word) == 1 and "Ͱ" <= word <= "Ͽ"
    return word if word != word.lower() or is_greek_letter else word[0].upper() + word[1:]


def _last_word(piece: str) -> str:
    *_, word = WORD.finditer(piece)
    is_small = len(word[0]) > 1 and word[0].lower() in SMALL
    return piece[: word.start()] + _capitalised(word[0]) + piece[word.end() :] if is_small else piece


def _unpaired(pieces: list[str]) -> list[int]:
    """The pieces behind apostrophes, and behind quotation marks that have no other: their first letter stays."""
    open_quotes: list[tuple[str, int]] = []
    found = []
    for place in range(1, len(pieces), 2):
        mark = pieces[place]
        if mark in CLOSERS:
            if open_quotes and INNER[open_quotes[-1][0]] != mark:
                found.append(open_quotes.pop()[1])
                open_quotes.append((mark, -1))
            else:
                open_quotes.append((mark, place + 1))
        elif mark in QUOTES and (not open_quotes or not _closes(open_quotes[-1][0], mark, pieces[place + 1])):
            found.append(place + 1)
        elif mark in QUOTES:
            open_quotes.pop()
    return [place for place in (*found, *(place for _, place in open_quotes)) if place > 0]


def _closes(opened: str, mark: str, behind: str) -> bool:
    """A straight single mark with a blank behind it passes for an apostrophe."""
    return CLOSERS[opened] == mark and not (mark == "'" and behind.startswith(" "))


def _looks_foreign(title: str) -> bool:
    words = {word.lower() for word in re.findall(r"[^\W_]+", title)}
    has_accent = any(letter.isalpha() and letter > "\x7f" and not "Ͱ" <= letter <= "Ͽ" for letter in title)
    signs = 2 * len(words & FOREIGN_WORDS) + len(words & UNSURE_WORDS) + has_accent
    return not words & ENGLISH_WORDS and signs > 1
