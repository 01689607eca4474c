"""The words of a text that carry its meaning, in a form in which they can be compared.

Words are compared whole, after light stemming and with British spellings read as American ones; numbers as numbers
("1,000" is "1000"); scripts without spaces (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese) as pairs of
neighbouring characters. Stop words are English, German, French, Spanish and Portuguese.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from wellsourced.late_pattern import late_pattern

SHORTEST_WORD = 3  # acronyms in capitals may have two letters
LONGEST_WORD = 64  # longer runs are data, not words; the rest is ignored
SHORTEST_STEM = 3
# Ends in s without being a plural, so it keeps it.
NOT_PLURAL = frozenset({"news"})

# Marks that belong to the letter before them and that `\w` leaves out, joiners included.
MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0971-\u0dff\u200c\u200d"
)
UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u1000-\u1049\u1050-\u109f\u1100-\u11ff\u1780-\u17d3\u3005-\u3007"
    "\u3040-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U000323af"
)
_LETTERS = rf"(?:[^\W_{UNSPACED}]++|[{MARKS}])*+"
TOKEN = late_pattern(
    rf"(?P<unspaced>[{UNSPACED}]+)"
    rf"|(?P<number>\d+(?:[.,'’٫٬]\d+)*)(?P<tail>{_LETTERS})"
    r"|(?P<dotted>(?:[^\W\d_]\.){2,6}(?!\w))"
    rf"|(?P<word>(?!_)\w{_LETTERS})"
)
CLUSTER = late_pattern(r"[^\W_][^\w\s]*|.", re.DOTALL)
NUMBER = late_pattern(r"\d+(?:[.,'’٫٬]\d+)*")
GROUPED = late_pattern(r"[1-9]\d{0,2}(?:([.,'])\d{3})(?:\1\d{3})*")
ACCENTS = late_pattern(r"[\u0300-\u036f\u0591-\u05bd\u0640\u064b-\u0652]")
HIRAGANA = late_pattern(r"[\u3040-\u309f]+")
PARTICLES = frozenset("的了是在和与吗呢のはがをにとでもへ")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH_STOP_WORDS = _words(
    "a about above after again against all also am among an and any are as at be because been before being below"
    " between both but by can could did do does doing down during each either few for from further had has have having"
    " he her here hers him his how i if in into is it its itself just may me might more most must my no nor not now of"
    " off on once only or other our ours out over own same shall she should so some such than that the their theirs"
    " them then there these they this those through to too under until up upon very was we were what when where whether"
    " which while who whom whose why will with within without would you your yours"
    " aren couldn didn doesn hadn hasn haven isn shouldn wasn weren wouldn"
)
STOP_WORDS = ENGLISH_STOP_WORDS | _words(
    "der das dem und oder aber nicht auch auf aus bei nach vor zu zum zur für über durch gegen ohne um ein eine einer"
    " eines einem einen ist sind wird werden wurde wurden haben sich von vom ich wir ihr es wie wenn dass kein keine"
    " le les des du une est sont été être avec dans par sur aux que qui ce cette ces il elle ils elles nous vous leur"
    " leurs ont pas plus mais ou où donc"
    " el los las del una unos unas es está están fue fueron con por para que se su sus lo al como pero más este esta"
    " estos estas ese esa hay entre sobre"
    " os um uma uns umas não são foi foram com em no na nos nas ao aos pelo pela mais seu sua seus suas isso também"
)
# What gives a language away, and those of its stop words that mean something in English ("die", "war", "son").
HINTED_STOP_WORDS = (
    (_words("der das und nicht auch für ist sind wird über eine einer dass"), _words("die den war hat man mit als")),
    (_words("les des une est sont avec dans que qui cette aux du"), _words("son pour sans comme dont")),
    (_words("los las del una con por para que está más"), _words("son sin era")),
    (_words("os uma não são com em para que dos mais também"), _words("dos das por ser sem")),
)

AMERICAN_STEMS = late_pattern(
    r"^(behavi|col|endeav|fav|flav|harb|hon|hum|lab|neighb|od|parl|rum|sav|splend|tum|vap|vig)our"
)
AMERICAN_IZE = late_pattern(r"(?<=\w{3})([iy])s(e|es|ed|er|ers|ing|ation|ations|ational)$")
AMERICAN_WORDS = {
    "aeroplane": "airplane", "ageing": "aging", "aluminium": "aluminum", "anaemia": "anemia", "catalogue": "catalog",
    "centre": "center", "cheque": "check", "defence": "defense", "dialogue": "dialog", "diarrhoea": "diarrhea",
    "fibre": "fiber", "foetus": "fetus", "grey": "gray", "haemoglobin": "hemoglobin", "judgement": "judgment",
    "kilometre": "kilometer", "leukaemia": "leukemia", "licence": "license", "litre": "liter", "metre": "meter",
    "mould": "mold", "oestrogen": "estrogen", "offence": "offense", "paediatric": "pediatric", "plough": "plow",
    "programme": "program", "sceptic": "skeptic", "sulphur": "sulfur", "theatre": "theater", "tyre": "tire",
}  # fmt: skip


def significant_terms(text: str) -> list[str]:
    """The significant terms in order, each once: words in lower case, plain numbers, pairs of CJK characters."""
    stop_words = stop_words_of(text)
    unique: dict[str, None] = {}
    for token in TOKEN.finditer(text):
        unique.update(dict.fromkeys(_significant_parts(token, stop_words)))
    return list(unique)


@lru_cache(maxsize=8192)
def term_keys(term: str) -> frozenset[str]:
    """What a term is compared by; a number like "1.234" has two readings."""
    return _readings(term) if NUMBER.fullmatch(term) else frozenset({_word_key(term)})


def comparison_keys(text: str) -> frozenset[str]:
    """Every key that occurs in a text, stop words included: a term occurs in it when they share a key.

    What stands between two blanks is looked at once and then known, since most of a text is words of other texts.
    """
    every_key: set[str] = set()
    for chunk in set(text.split()):
        every_key |= _known_keys(chunk) if len(chunk) <= LONGEST_WORD else _keys_between_blanks(chunk)
    return frozenset(every_key)


def _keys_between_blanks(chunk: str) -> frozenset[str]:
    every_key: set[str] = set()
    for unspaced, number, tail, dotted, word in set(TOKEN.findall(chunk)):
        if unspaced:
            clusters = _clusters(unspaced)
            every_key.update(clusters, _pairs(clusters))
        elif word or dotted:
            every_key |= term_keys(_fold(word or dotted.replace(".", "")))
        else:
            every_key |= _readings(number) | term_keys(_fold(number + tail))
    return frozenset(every_key)


_known_keys = lru_cache(maxsize=16384)(_keys_between_blanks)


@lru_cache(maxsize=16)
def stop_words_in(language: str) -> frozenset[str]:
    """The stop words of a language whose code is known, beside those that mean nothing in any."""
    hinted = dict(zip(("de", "fr", "es", "pt"), HINTED_STOP_WORDS, strict=True)).get(language)
    return STOP_WORDS | hinted[1] if hinted else STOP_WORDS


def stop_words_of(text: str) -> frozenset[str]:
    """The stop words that apply to a text: "die" and "war" only where the text is German."""
    present = {_fold(token[0]) for token in TOKEN.finditer(text) if token["word"]}
    hinted = [ambiguous for hints, ambiguous in HINTED_STOP_WORDS if len(hints & present) >= 2]
    return STOP_WORDS.union(*hinted)


def stem_word(word: str) -> str:
    """A word without its English endings, in American spelling; the same for every form of a regular word."""
    word = word.removesuffix("'s").removesuffix("’s")
    if len(word) <= SHORTEST_STEM:
        return word
    if word[-1] == "s" and word[-2] not in "sui" and word not in NOT_PLURAL:
        word = word[:-1]
    word = AMERICAN_WORDS.get(word, word)
    if "our" in word:
        word = AMERICAN_STEMS.sub(r"\1or", word)
    if "is" in word or "ys" in word:
        word = AMERICAN_IZE.sub(r"\1z\2", word)
    return _without_ending(_without_participle(word))


def _without_participle(word: str) -> str:
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and not word.endswith("eed"):
            if len(rest) >= SHORTEST_STEM and any(letter in "aeiouy" for letter in rest):
                return rest
            if ending == "ed" and len(word) > SHORTEST_STEM:
                return word[:-1]
    return word


def _without_ending(word: str) -> str:
    """`make` and `mak(ing)`, `study` and `studi(es)`, `stop` and `stopp(ed)` come out alike."""
    if len(word) > SHORTEST_STEM and word[-1] == "e":
        word = word[:-1]
    if len(word) > SHORTEST_STEM and word[-1] == "y":
        word = word[:-1] + "i"
    if len(word) > SHORTEST_STEM and word[-1] == word[-2] and word[-1].isalpha():
        word = word[:-1]
    return word


def _significant_parts(token: re.Match[str], stop_words: frozenset[str]) -> Iterator[str]:
    if token["unspaced"]:
        clusters = _clusters(token["unspaced"])
        yield from (pair for pair in _pairs(clusters) if not _is_particle(pair))
        if len(clusters) == 1 and not _is_particle(clusters[0]):
            yield clusters[0]
    elif token["number"]:
        yield _fold(token[0]) if token["tail"] else _likeliest_reading(token["number"])
    else:
        word = _fold(_token_word(token))
        is_acronym = len(word) == 2 and _token_word(token).isupper()
        if word not in (ENGLISH_STOP_WORDS if is_acronym else stop_words) and (
            is_acronym or len(word) >= SHORTEST_WORD
        ):
            yield word


def _token_word(token: re.Match[str]) -> str:
    """`U.S.` and `US` are the same word."""
    return token["word"] or token["dotted"].replace(".", "")


def _is_particle(pair: str) -> bool:
    return bool(PARTICLES.intersection(pair)) or bool(HIRAGANA.fullmatch(pair))


def _clusters(run: str) -> list[str]:
    """Letters of an unspaced script, each with its marks."""
    return CLUSTER.findall(unicodedata.normalize("NFKC", run))


def _pairs(clusters: list[str]) -> list[str]:
    return [first + second for first, second in pairwise(clusters)]


def _fold(word: str) -> str:
    """One spelling whatever the case, the width and the composition."""
    if word.isascii():
        return word[:LONGEST_WORD].lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word[:LONGEST_WORD]).casefold())


def _word_key(word: str) -> str:
    """The stem without accents and vowel points, which are often left out; marks of other scripts are letters."""
    if not word.isascii():
        word = unicodedata.normalize("NFC", ACCENTS.sub("", unicodedata.normalize("NFD", word)))
    return stem_word(word)


def _likeliest_reading(number: str) -> str:
    """The likeliest reading: a point is a decimal point unless it occurs twice, a comma before three digits groups."""
    readings = _readings(number)
    if len(readings) == 1:
        return next(iter(readings))
    grouped = "," in number or "'" in number or number.count(".") > 1
    return (max if grouped else min)(readings, key=float)


def _readings(number: str) -> frozenset[str]:
    """The numbers a spelling can stand for, without grouping marks and needless zeros."""
    text = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in number[:LONGEST_WORD])
    text = text.replace("٫", ".").replace("٬", ",").replace("’", "'")
    marks = [c for c in text if not c.isdigit()]
    if not marks:
        return frozenset({text.lstrip("0") or "0"})
    readings: set[str] = set()
    if GROUPED.fullmatch(text):
        readings.add("".join(c for c in text if c.isdigit()))
    whole, _, fraction = text.rpartition(marks[-1])
    if marks[-1] in ".," and marks.count(marks[-1]) == 1 and not (readings and fraction == "000"):
        whole = "".join(c for c in whole if c.isdigit()).lstrip("0") or "0"
        fraction = fraction.rstrip("0")
        readings.add(f"{whole}.{fraction}" if fraction else whole)
    return frozenset(readings or {text})
