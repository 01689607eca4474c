"""Sentences of a text with their places in it, in any language that marks the ends of sentences.

CJK, Indic, Arabic, Ethiopic, Armenian, Burmese and Khmer full stops end a sentence wherever they stand; `.`, `!`, `?`
and `…` only before white space, and a `.` not after abbreviations, initials and the numbers of lists and German
dates. A line break always ends one. Texts without any punctuation (transcripts) are cut at a space. Linear time.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from wellsourced.late_pattern import late_pattern

LONGEST_SENTENCE = 1000  # transcripts without punctuation are one endless sentence
LOOK_AROUND = 24  # characters that decide about a full stop; keeps the time linear
JOINERS = "\u200d\ufe0e\ufe0f"

LINE_BREAKS = "\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
ALWAYS_ENDS = "。！？｡．؟۔।॥։።፧၊။។៕⸮"
CLOSERS = "\"'”’»›)\\]}）】」』》〉｣"
OPENERS = "([{\"'“‘«„"
QUOTES = "\"'”’»›」』｣"
MAY_END_MARKS = ".!?…‼⁇⁈⁉"
# One class of characters begins it: so its places are found fast.
BREAK = late_pattern(
    f"[{LINE_BREAKS}{ALWAYS_ENDS}{MAY_END_MARKS}](?:(?<=[{LINE_BREAKS}])[{LINE_BREAKS}]*"
    f"|(?<=[{ALWAYS_ENDS}])[{ALWAYS_ENDS}]*[.!?…{CLOSERS}]*|(?<=[{MAY_END_MARKS}])[{MAY_END_MARKS}]*[{CLOSERS}]*)"
)
LINE_BREAK_OR_STOP = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029" + ALWAYS_ENDS)
# 「…。」と言った: what is said there stands within the sentence that says who said it.
JAPANESE_CLOSERS = frozenset("」』）｣")
JAPANESE_STOPS = frozenset("。！？")
JAPANESE_BRACKETS = (("「", "」"), ("『", "』"), ("（", "）"))
LONGEST_QUOTATION = 250
JAPANESE_PARTICLES = frozenset("とはがをにでのもなやへか")
NEXT_WORD = late_pattern(r"\s*[\"'“‘«„(\[¿¡]*([^\W_]*)")
LIST_NUMBER = late_pattern(r"\(?(?:\d{1,3}|[ivxlc]{1,6}|[a-zA-Z])(?:\.\d{1,3})*\)?")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# These stand before what they belong to, so a sentence hardly ever ends with them.
LEADS_ON = _words(
    "dr mr mrs ms mx prof st sr sra srta dra rev hon gen col maj capt lt sgt cmdr adm sen rep gov pres supt messrs"
    " mme mlle mm hr frl dipl ing priv doz dña ud uds vs cf viz figs eqs nos vols"
    " pp pág págs eds hg hrsg approx ca circa resp incl e.g i.e eg ie"
    " z.b d.h u.a v.a i.d.r o.ä bzw vgl sog p.ex p.ej env núm op cit ibid т.е т.к им ул см стр рис डॉ श्री"
)
# These lead on to a number, and are common words or endings elsewhere.
BEFORE_NUMBERS = _words("no nr num fig eq vol ch chap sec art abs ziff kap s p pg pag bd ed c v tel av г")
# These may end a sentence; the next word decides.
MAY_END = _words(
    "etc inc ltd llc co corp plc bros al a.m p.m u.s u.k u.n u.s.a d.c e.u ee.uu ph.d m.d b.a m.a jr esq est dept"
    " univ assn usw u.s.w s.a s.l cie ltda mio mrd tsd т.д т.п др млн млрд тыс руб"
    " jan feb mar apr jun jul aug sep sept oct okt nov dec dez"
)
STARTERS = _words(
    "the this that these those it its he she they we you i there here a an in on at as but and or if when while"
    " however according after before since although for from with by to all some many most one two"
    " der die das ein eine es er sie wir im am in und aber bei nach mit"
    " le la les un une il elle ils elles nous en dans et mais pour selon"
    " el los las una uno él ella ellos en y pero según para o os as um uma ele ela eles no na"
)
ABBREVIATIONS = LEADS_ON | MAY_END
GERMAN_MONTHS = _words("januar jänner februar märz april mai juni juli august september oktober november dezember")


class Sentence(NamedTuple):
    """`text` is what stands at `start:end` of the whole."""

    text: str
    start: int
    end: int


def split_sentences(text: str) -> list[Sentence]:
    """The sentences in order, without the white space around them; nothing but white space is left out."""
    parts: list[Sentence] = []
    start = 0
    for end in (*_find_breaks(text, _has_capitals(text)), len(text)):
        rest = text[start:end].lstrip()
        piece = rest.rstrip()
        if len(piece) > LONGEST_SENTENCE:
            parts.extend(_split_long_sentence(text, start, end))
        elif piece:
            at = end - len(rest)
            parts.append(Sentence(piece, at, at + len(piece)))
        start = end
    return parts


def _has_capitals(text: str) -> bool:
    """The beginning of most texts tells."""
    return any(part != part.lower() for part in (text[:LONGEST_SENTENCE], text))


def cut_text(text: str, limit: int) -> str:
    """The start of a text, at most `limit` long, without tearing marks and joined emoji from their character."""
    return text if len(text) <= limit else text[: _whole_character(text, 0, limit)]


def _find_breaks(text: str, has_capitals: bool) -> Iterator[int]:
    start = 0
    for match in BREAK.finditer(text):
        end = match.end()
        if _is_plain_end(text, start, end) or _ends_sentence(text, start, match, has_capitals):
            start = end
            yield start


def _ends_sentence(text: str, start: int, match: re.Match[str], has_capitals: bool) -> bool:
    mark, end = match[0], match.end()
    if mark[0] in LINE_BREAK_OR_STOP:
        if mark[-1] in JAPANESE_CLOSERS:
            return text[end : end + 1] not in JAPANESE_PARTICLES
        return mark[-1] not in JAPANESE_STOPS or not _is_inside_quotation(text, start, end)
    if end < len(text) and not text[end].isspace():
        return False
    if text[end : end + 1] == "\n":
        return True
    following = NEXT_WORD.match(text[end : end + LOOK_AROUND])
    word = following[1] if following else ""
    goes_on = has_capitals and word[:1].islower()
    if mark[0] not in ".…":
        return not (goes_on and mark[-1] in QUOTES)
    if goes_on:
        return False
    return mark[:2] == ".." or mark[0] == "…" or mark[-1] in QUOTES or _is_full_stop(text, start, match.start(), word)


def _is_inside_quotation(text: str, start: int, end: int) -> bool:
    """Within 「…」 or （…） that began in this sentence and goes on behind the full stop."""
    before = text[max(start, end - LONGEST_QUOTATION) : end]
    for opener, closer in JAPANESE_BRACKETS:
        if opener in before and before.count(opener) > before.count(closer):
            close = text.find(closer, end, end + LONGEST_QUOTATION)
            return close > 0 and "\n" not in text[end:close]
    return False


def _is_plain_end(text: str, start: int, end: int) -> bool:
    """A word that is no abbreviation before the full stop and a capital behind it: what most sentences have."""
    if end - start <= LOOK_AROUND or text[end - 1 : end + 1] != ". " or not text[end + 1 : end + 2].isupper():
        return False
    before = text[end - LOOK_AROUND : end - 1].rpartition(" ")[2]
    return len(before) > 1 and before.isalpha() and before.islower() and before not in ABBREVIATIONS


def _is_full_stop(text: str, start: int, dot: int, next_word: str) -> bool:
    """Whether a single `.` ends the sentence that began at `start`, judged by the words on both sides."""
    if not next_word:
        return True
    window = text[max(start, dot - LOOK_AROUND) : dot]
    before = window.rsplit(None, 1)[-1].lstrip(OPENERS) if window.strip() else ""
    if dot - start < LOOK_AROUND and LIST_NUMBER.fullmatch(window.strip()):
        return False
    if before.isdigit() and len(before) <= 2:
        return next_word.casefold() not in GERMAN_MONTHS
    return not _is_abbreviation(before, next_word)


def _is_abbreviation(before: str, next_word: str) -> bool:
    name = before.casefold()
    if name in MAY_END or _is_initial(before):
        return next_word.casefold() not in STARTERS
    if name in BEFORE_NUMBERS and next_word[0].isdigit():
        return True
    return name in LEADS_ON or (len(before) == len(next_word) == 1 and before.isalpha())


def _is_initial(word: str) -> bool:
    """`J`, `J.K`, `U.S`: single capitals with dots between them."""
    return bool(word) and all(len(part) == 1 and part.isupper() for part in word.split("."))


def _split_long_sentence(text: str, start: int, end: int) -> Iterator[Sentence]:
    """One sentence, or several pieces of one that is too long to be quoted."""
    while start < end:
        stop = end
        if end - start > LONGEST_SENTENCE:
            space = text.rfind(" ", start + LONGEST_SENTENCE // 2, start + LONGEST_SENTENCE)
            stop = space if space > 0 else _whole_character(text, start, start + LONGEST_SENTENCE)
        piece = text[start:stop].strip()
        if piece:
            at = start + len(text[start:stop]) - len(text[start:stop].lstrip())
            yield Sentence(piece, at, at + len(piece))
        start = stop


def _whole_character(text: str, start: int, stop: int) -> int:
    """The last place at or before `stop` that is not inside a character made of several code points."""
    place = stop
    while place > start and stop - place < LOOK_AROUND and _is_inside_character(text, place):
        place -= 1
    return place if place > start and not _is_inside_character(text, place) else stop


def _is_inside_character(text: str, place: int) -> bool:
    here = text[place]
    joined = here in JOINERS or text[place - 1] == "\u200d" or "\U0001f3fb" <= here <= "\U0001f3ff"
    return joined or unicodedata.category(here)[0] == "M"
