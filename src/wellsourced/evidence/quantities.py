"""Numbers as numbers: "1.4 million", "1,4 Mio.", "1 400 000" and 「140万」 are brought to the same digits.

Scale words and the small number words are those of English, German, French, Spanish and Portuguese, with the signs of
Chinese, Japanese and Korean. A billion is a thousand million in English and Portuguese texts of Brazil and a million
million elsewhere, so such a word is read both ways. Number words that mean something else in one of the languages
("once", "elf", "sept") are left alone.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from wellsourced.evidence.number_words import number_words
from wellsourced.late_pattern import late_pattern
from wellsourced.text.terms import term_keys

LONGEST_NUMBER = 24
THOUSAND, MILLION, BILLION, TRILLION = 10**3, 10**6, 10**9, 10**12

SCALE_WORDS: dict[str, tuple[int, ...]] = {
    "thousand": (THOUSAND,), "tausend": (THOUSAND,), "tsd": (THOUSAND,), "mille": (THOUSAND,), "mil": (THOUSAND,),
    "million": (MILLION,), "millions": (MILLION,), "millionen": (MILLION,), "mio": (MILLION,), "millón": (MILLION,),
    "millones": (MILLION,), "milhão": (MILLION,), "milhões": (MILLION,), "milioni": (MILLION,), "mln": (MILLION,),
    "milliard": (BILLION,), "milliards": (BILLION,), "milliarde": (BILLION,), "milliarden": (BILLION,),
    "mrd": (BILLION,), "bn": (BILLION,), "bilhão": (BILLION,), "bilhões": (BILLION,), "billion": (BILLION, TRILLION),
    "billions": (BILLION, TRILLION), "billionen": (TRILLION,), "billones": (TRILLION,), "billón": (TRILLION,),
    "trillion": (TRILLION,), "trillions": (TRILLION,), "trilhão": (TRILLION,), "trilhões": (TRILLION,),
    "万": (10**4,), "萬": (10**4,), "만": (10**4,), "億": (10**8,), "亿": (10**8,), "억": (10**8,), "兆": (TRILLION,),
}  # fmt: skip
SCALE_SIGNS = "万萬만億亿억兆"
SCALE_BEGINNINGS = ("thou", "taus", "tsd", "mil", "mio", "mln", "mrd", "bn", "bil", "tril")
LETTERS = late_pattern(r"[^\W\d_]+")
MIXED = "mil millones|mil milhões|thousand million|mille millions"

DIGITS_OF_WORD = {word: str(value) for word, value in number_words("").items()}

SPACES = " \u00a0\u2009\u202f"
# What must not stand before it is looked at after its first digit: a pattern that begins so finds its places faster.
GROUPED_BY_SPACES = late_pattern(rf"\d(?<![\d.,]\d)\d{{0,2}}(?:[{SPACES}]\d{{3}}){{1,6}}(?![\d.,]\d|\d)")
NUMBER_WORD = "|".join(sorted(DIGITS_OF_WORD, key=len, reverse=True))
SPACED_SCALE = "|".join(sorted((word for word in SCALE_WORDS if word.isascii() or word[0] < "\u2e80"), key=len)[::-1])
SCALED = late_pattern(
    rf"(?:(?<!\w)(?P<word>{NUMBER_WORD})|(?<![\d.,])(?P<number>\d[\d.,]{{0,{LONGEST_NUMBER}}}))"
    rf"(?:[{SPACES}-]{{0,2}}(?P<scale>{MIXED}|{SPACED_SCALE})(?!\w)|[ ]?(?P<sign>[{SCALE_SIGNS}]))",
    re.IGNORECASE,
)
MAY_HOLD_A_NUMBER = late_pattern(r"\d|thous|taus|tsd|mil|mio|mln|bil|tril|mrd", re.IGNORECASE)


def plain_numbers(text: str, *, every_reading: bool = True) -> str:
    """The text with scaled and space-grouped numbers in plain digits; only good for comparing.

    With `every_reading` a number that can be read in two ways is written in both, else in the likelier one.
    """
    if not MAY_HOLD_A_NUMBER.search(text):
        return text
    text = GROUPED_BY_SPACES.sub(lambda match: _ungrouped(match[0], every_reading), text)
    return SCALED.sub(lambda match: _in_digits(match, every_reading), text) if _names_a_scale(text) else text


def _names_a_scale(text: str) -> bool:
    """Whether it is worth looking for scaled numbers, which takes long; most texts have no beginning of such a word."""
    lowered = text.lower()
    if any(map(text.__contains__, SCALE_SIGNS)):
        return True
    return any(map(lowered.__contains__, SCALE_BEGINNINGS)) and not SCALE_WORDS.keys().isdisjoint(
        LETTERS.findall(lowered)
    )


def _ungrouped(number: str, every_reading: bool) -> str:
    joined = re.sub(r"\D", "", number)
    return f"{number} {joined}" if every_reading else joined


def _in_digits(match: re.Match[str], every_reading: bool) -> str:
    scale = (match["scale"] or match["sign"]).lower()
    factors = SCALE_WORDS.get(scale, (BILLION,))
    written = DIGITS_OF_WORD[match["word"].lower()] if match["word"] else match["number"].rstrip(".,")
    readings = sorted(term_keys(written), key=len)
    plain = [_times(reading, factor) for reading in readings for factor in factors]
    known = list(dict.fromkeys(number for number in plain if number)) or [match[0]]
    return " ".join(known if every_reading else known[:1])


def _times(number: str, factor: int) -> str:
    try:
        value = Decimal(number) * factor
    except InvalidOperation:
        return ""
    return format(value.normalize(), "f")
