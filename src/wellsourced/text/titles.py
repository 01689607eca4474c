"""Whether two titles are the same title, and whether a title stands in a text.

Three questions are asked of titles, from quick to thorough:
- `is_same_title`: is the best match of a search service what was asked for? Letters alone decide, in every script.
- `is_title_near_start`, `is_title_in_text`: does a document carry this title?
- `compare_titles`, `find_exchanged_words`: does a citation name the recorded work? No honest way of writing the same
  title counts as another title. Forgiven: case, accents, punctuation, markup (HTML, JATS, LaTeX), a dropped subtitle,
  a title cut with an ellipsis, a translation in brackets, British and American spelling, `&` for `and`, ligatures and
  Greek letters spelled out. Not forgiven: other content words. One of them changed makes a title partly alike at best.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias

from wellsourced.text.latex import decode_latex
from wellsourced.text.plain_text import strip_markup

Outcome: TypeAlias = Literal["match", "partial", "mismatch", "not_given", "not_comparable"]
LONGEST = 1_500  # characters of a title that are compared; no real title is longer
ANY_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9:-]{0,20}(?:\s[^<>]{0,200})?/?>")
LATEX_SIGNS = re.compile(r"\\[a-zA-Z\"'`^~{]|\$[^$]{1,200}\$|\{[A-Z]")
BRACKETED = re.compile(r"(?:(?<!\s)\s+)?[\[［【]([^\[\]【】]{3,600})[\]］】]\s*\.?\s*")
CUT = re.compile(r"(?:(?<!\s)\s+)?(?:…|\.\.\.|\. \. \.)\s*+(?:[\"”’]\s*+)?\Z")
SUBTITLE = re.compile(r"(?:(?<!\s)\s+)?(?::|：|\?|!|\s[-–—]\s|—|\.\s|;|\s\|\s)\s*")
BEHIND_A_SITE = re.compile(r"\s[|–—-]\s")
GREEK_LETTERS = "αβγδεζηθικλμνξπρστυφχψω"
GREEK_NAMES = """
    alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega
"""
GREEK = dict(zip(GREEK_LETTERS, GREEK_NAMES.split(), strict=True))
SPELLINGS = (
    (re.compile(r"(?<=(?:aly|cri|the|gno))ses\b"), "sis"),
    (re.compile(r"(?<=[a-z])is(?=(?:e|ed|er|es|ing|ation|ations|ational)\b)"), "iz"),
    (re.compile(r"(?<=[a-z])yse(?=[drs]?\b)"), "yze"),
    (re.compile(r"(?<=[a-z]{2})our(?=(?:s|ed|ing|al|able|ful|ist|ite|less)?\b)"), "or"),
    (re.compile(r"(?<=[a-z]{2})([bt])re(?=s?\b)"), r"\1er"),
    (re.compile(r"(?<=[a-z])ll(?=(?:ed|ing|er|ers|or)\b)"), "l"),
    (re.compile(r"(?<=[a-z])ogue(?=s?\b)"), "og"),
    (re.compile(r"(?<=[a-z])ence\b"), "ense"),
    (re.compile(r"(?<=[a-z])gramme(?=s?\b)"), "gram"),
    (re.compile(r"\baeroplane"), "airplane"),
    (re.compile(r"(?:a|o)e(?=[a-z])"), "e"),
    (re.compile(r"\bsceptic"), "skeptic"),
    (re.compile(r"\btyre"), "tire"),
    (re.compile(r"\bplough"), "plow"),
    (re.compile(r"\bsulph"), "sulf"),
    (re.compile(r"(?<=[a-df-z])eing\b"), "ing"),
    (re.compile(r"\bgrey"), "gray"),
    (re.compile(r"(?<=age)e?ment\b"), "ment"),
)
CENTURIES = ("sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth", "twenty first")
WRITTEN_OUT = tuple(
    (re.compile(rf"\b{name}\b"), f"{16 + place}{'st' if place == 5 else 'th'}") for place, name in enumerate(CENTURIES)
)
WRITTEN_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
SMALL_WORDS_TEXT = """
    a an the of on in at to for from by with and or as is are was be its their into via per vs
    versus der die das des dem den ein eine und im am zu von für mit le la les un une et du de des en au aux
    pour sur el los las y e o da do dos das em na di del della il lo gli i su con van het een op voor och i
    av til
"""
SMALL_WORDS = frozenset(SMALL_WORDS_TEXT.split())
ALIKE, PARTLY = 0.93, 0.62  # share of equal letters from which two titles are the same, or partly the same
SHORTEST_BEGINNING = 15
SHORTEST_WORD = 3
SHORTEST_TITLE_IN_TEXT = 12
TITLE_IN_TEXT_RATIO = 96.0
TYPING_ERROR_RATIO = 0.87
MOSTLY_ALIKE = 0.7
NEGATIVE_WORDS = "not no non without never nicht kein keine ohne pas sans sin não sem не без нет"
NEGATIONS = frozenset(NEGATIVE_WORDS.split())
ORDINAL = re.compile(r"[0-9]{1,4}(?:st|nd|rd|th)\Z")
NUMBERED = re.compile(r"\bno (?=[0-9])")  # `Report No. 12` denies nothing
UMLAUTS = frozenset("äöüÄÖÜøØæÆœŒåÅ")
VOWELS = str.maketrans("ao", "ee")
QUICK_LONGEST = 1000
QUICK_ALIKE = 0.9
FIRST_PART = 20_000
SHORTEST_MAIN_TITLE = 15
SUBTITLE_MARKS = (": ", " – ", " — ", "? ")


def is_same_title(one: str, other: str) -> bool:
    """Compare by pairs of neighbouring characters, so that it works for every script and forgives a typing error."""
    first, second = _letters(one[:QUICK_LONGEST]), _letters(other[:QUICK_LONGEST])
    if not first or not second:
        return False
    # Dice's coefficient: twice the shared pairs by all pairs.
    pairs, others = Counter(pairwise(first)), Counter(pairwise(second))
    likeness = 2 * (pairs & others).total() / max(1, pairs.total() + others.total())
    return first == second or likeness >= QUICK_ALIKE  # titles of one letter have no pairs


def is_title_near_start(title: str, text: str) -> bool:
    """Whether a document carries a title near its beginning, however it is set.

    Letters and digits alone are compared, so line breaks, hyphens, ligatures and accents do not matter. A long title
    counts without its subtitle too, which many servers set apart.
    """
    beginning = _letters(text[:FIRST_PART])
    wanted = _letters(title[:QUICK_LONGEST])
    if not wanted:
        return False
    return wanted in beginning or any(part in beginning for part in _main_titles(title))


def _main_titles(title: str) -> list[str]:
    heads = (title.partition(mark)[0] for mark in SUBTITLE_MARKS if mark in title)
    return [letters for head in heads if len(letters := _letters(head)) >= SHORTEST_MAIN_TITLE]


def _letters(text: str) -> str:
    """Letters and digits alone, without case and accents."""
    folded = unicodedata.normalize("NFKD", text).casefold()
    return "".join(character for character in folded if character.isalnum())


def compare_titles(cited: str | None, recorded: str | None) -> Outcome:
    """Judge the title of a citation against the title of a record."""
    if not cited or not recorded:
        return "not_given"
    pairs = [(one, other) for one in title_variants(cited) for other in title_variants(recorded)]
    if not pairs:
        return "not_comparable"
    outcomes = [_compare_forms(one, other) for one, other in pairs]
    best: Outcome = next(grade for grade in ("match", "partial", "mismatch") if grade in outcomes)
    if best == "match" and outcomes[0] != "match" and have_subtitles(cited, recorded):
        width = len(title_variants(recorded))
        of_a_whole = (grade for place, grade in enumerate(outcomes) if place < width or place % width == 0)
        best = "match" if "match" in of_a_whole else outcomes[0]  # the same main title before two subtitles
    if best == "mismatch" and _is_cut_without_sign(pairs[0]):
        return "partial"
    if best == "mismatch" and (_is_behind_a_site(cited, recorded) or _is_behind_a_site(recorded, cited)):
        return "match"
    return _doubt_across_scripts(best, cited, recorded)


def title_similarity(cited: str | None, recorded: str | None) -> float:
    """Between 0 and 1, of the two forms of the titles that are most alike; 0 when one of them is missing."""
    pairs = [(one, other) for one in title_variants(cited or "") for other in title_variants(recorded or "")]
    return round(max((_likeness(one, other) for one, other in pairs), default=0.0), 3)


def title_variants(title: str) -> list[str]:
    """The title, its translation or original where one stands in brackets, and its part before the subtitle,
    simplified."""
    text = _without_markup(title)
    is_cut = CUT.search(text) is not None
    text = CUT.sub("", text)
    forms = [
        text,
        *BRACKETED.findall(text),
        BRACKETED.sub(" ", text),
        *_without_subtitle(BRACKETED.sub(" ", text).strip(" []")),
        text.translate(WRITTEN_UMLAUTS),
    ]
    simple = [simplify_words(form) for form in forms]
    return [form + ("\u2026" if is_cut else "") for form in dict.fromkeys(simple) if form]


@lru_cache(maxsize=256)  # one comparison brings the same few texts here a dozen times
def simplify_words(text: str) -> str:
    """Words in lower case without accents and punctuation, in one spelling."""
    text = unicodedata.normalize("NFKD", text.replace("&", " and ")).casefold().replace("ß", "ss").replace("ı", "i")
    text = "".join(GREEK.get(character, character) for character in text if not unicodedata.combining(character))
    text = text.replace("æ", "ae").replace("œ", "oe").replace("ø", "o").replace("ł", "l").replace("đ", "d")
    text = re.sub(r"(?<=\w)['’ʼ`](?=\w)", "", text)
    text = " ".join("".join(c if c.isalnum() else " " for c in text).split())
    for pattern, usual in SPELLINGS + WRITTEN_OUT:
        text = pattern.sub(usual, text)
    return text


def _without_markup(title: str) -> str:
    text = title[:LONGEST]
    text = decode_latex(text) if LATEX_SIGNS.search(text) else text
    return strip_markup(ANY_TAG.sub("", text)) if "<" in text or "&" in text else strip_markup(text)


def _without_subtitle(text: str) -> list[str]:
    """The parts before a subtitle, long enough to say anything."""
    return [
        text[: subtitle.start()]
        for subtitle in SUBTITLE.finditer(text)
        if _says_enough(simplify_words(text[: subtitle.start()]))
    ][:3]


def _is_cut_without_sign(pair: tuple[str, str]) -> bool:
    """Programs cut titles without a sign."""
    shorter, longer = sorted((form.replace(" ", "") for form in pair), key=len)
    return len(shorter) >= SHORTEST_BEGINNING and longer.startswith(shorter)


def _is_behind_a_site(page: str, title: str) -> bool:
    """Pages are titled `Journal | Title` or `Journal - Title`."""
    _, mark, own = BEHIND_A_SITE.sub("\0", _without_markup(page)).rpartition("\0")
    return (
        bool(mark)
        and _says_enough(simplify_words(own))
        and _compare_forms(simplify_words(own), simplify_words(_without_markup(title))) == "match"
    )


def is_main_title(short: str, whole: str) -> bool:
    """Whether one title is the other before its subtitle, however little it says."""
    subtitle = SUBTITLE.search(_without_markup(whole))
    return (
        subtitle is not None
        and simplify_words(_without_markup(short)) == simplify_words(_without_markup(whole)[: subtitle.start()]) != ""
    )


def have_same_main_title(one: str, other: str) -> bool:
    """Whether two titles are the same up to their subtitles."""
    first, second = (simplify_words(SUBTITLE.split(_without_markup(title), maxsplit=1)[0]) for title in (one, other))
    return first == second != ""


def is_whole_title(cited: str | None, recorded: str | None) -> bool:
    """Whether two titles are the same to the end: neither is the other without its subtitle."""
    ours, theirs = title_variants(cited or "")[:1], title_variants(recorded or "")[:1]
    return bool(ours and theirs) and _compare_forms(ours[0], theirs[0]) in {"match", "partial"}


def have_subtitles(*titles: str) -> bool:
    """What stands behind a dash or a line may be the name of a site, and counts as no subtitle."""
    own = (BEHIND_A_SITE.split(BRACKETED.sub(" ", _without_markup(title)))[0] for title in titles)
    return all(SUBTITLE.search(title.strip(" .?!;:")) for title in own)


def _says_enough(text: str) -> bool:
    words = _content_words(text)
    return len(words) > 1 or len(text) > 9 or any(not word.isascii() and len(word) > 3 for word in words)


def _compare_forms(one: str, other: str) -> Outcome:
    """Judge two simplified titles by their letters and by the words that only one of them has."""
    if "\u2026" in one or "\u2026" in other:
        return _compare_cut_titles(one, other)
    if one.replace(" ", "") == other.replace(" ", ""):
        return "match"
    first, second = _content_words(one), _content_words(other)
    if first and first == second:
        return "match"
    likeness = _likeness(one, other)
    unmatched = _unmatched_words(first, second) + _unmatched_words(second, first)
    if likeness >= ALIKE and not unmatched:
        return "match"
    return "partial" if likeness >= PARTLY and len(unmatched) <= max(2, (len(first) + len(second)) // 5) else "mismatch"


def _compare_cut_titles(one: str, other: str) -> Outcome:
    """A title that was cut: the shorter one is the beginning of the other."""
    first, second = one.replace("\u2026", "").strip(), other.replace("\u2026", "").strip()
    if not _says_enough(first) or not _says_enough(second):
        return "mismatch"
    shorter, longer = sorted((first.replace(" ", ""), second.replace(" ", "")), key=len)
    if longer.startswith(shorter):
        return "match"
    return "partial" if _letter_ratio(shorter, longer[: len(shorter)]) > ALIKE else "mismatch"


def _content_words(text: str) -> list[str]:
    return [word for word in text.split() if word not in SMALL_WORDS]


def _unmatched_words(words: list[str], others: list[str]) -> list[str]:
    """Words without a counterpart: the same, a spelling of it, or its plural."""
    known, whole = set(others), "".join(others)
    return [
        word
        for word in words
        if word not in known and not (len(word) > 4 and word in whole) and not _has_counterpart(word, others)
    ]


def _has_counterpart(word: str, others: list[str]) -> bool:
    """A typing error in a longer word, or an ending; digits and short words must be exact."""
    if len(word) < 4 or any(character.isdigit() for character in word):
        return any(word.rstrip("s") == other.rstrip("s") for other in others) and not word.isdigit()
    return any(_is_same_word(word, other) for other in others[:200])


def _is_same_word(word: str, other: str) -> bool:
    if word.rstrip("s") == other.rstrip("s"):
        return True
    return (
        min(len(word), len(other)) > 5
        and abs(len(word) - len(other)) < 2
        and word[:2] == other[:2]
        and _letter_ratio(word, other) > 0.87
    )


def _likeness(one: str, other: str) -> float:
    one, other = one.replace("\u2026", ""), other.replace("\u2026", "")
    return max(
        _letter_ratio(one.replace(" ", ""), other.replace(" ", "")),
        _letter_ratio(" ".join(_content_words(one)), " ".join(_content_words(other))),
    )


def _letter_ratio(one: str, other: str) -> float:
    from rapidfuzz.fuzz import ratio

    return ratio(one, other) / 100


def _doubt_across_scripts(best: Outcome, cited: str, recorded: str) -> Outcome:
    """Titles in scripts that cannot be compared letter by letter prove nothing against each other."""
    if best != "mismatch":
        return best
    return "not_comparable" if main_script(cited) != main_script(recorded) else best


def main_script(text: str) -> str:
    """The script of most letters, by the first word of their Unicode names."""
    counts: dict[str, int] = {}
    for character in text[:300]:
        if character.isalpha():
            name = unicodedata.name(character, "UNKNOWN").split()[0]
            name = "CJK" if name in {"HIRAGANA", "KATAKANA", "CJK", "HANGUL"} else name
            counts[name] = counts.get(name, 0) + 1
    return max(counts, key=lambda name: counts[name]) if counts else ""


def content_words(text: str) -> list[str]:
    """The words of a title that say something, simplified."""
    return _content_words(simplify_words(text))


def find_exchanged_words(cited: str, recorded: str) -> tuple[str, str] | None:
    """The first words of the citation that stand where the record has quite others.

    The whole titles are compared where they are much alike or both have a subtitle, else the forms in which they are
    most alike. Missing or added words may be a subtitle, another spelling a typing error, and a number or an acronym
    written out is still the same.
    """
    ours = [_words_with_negations(form) for form in title_variants(cited)]
    theirs = [_words_with_negations(form) for form in title_variants(recorded)]
    if not ours or not theirs:
        return None
    forms = [(ours[0], form) for form in theirs] + [(form, theirs[0]) for form in ours]
    whole = forms[0]
    is_alike = _matcher(*whole).ratio() >= MOSTLY_ALIKE or have_subtitles(cited, recorded)
    nearest = whole if is_alike else max(forms, key=lambda pair: _matcher(*pair).ratio())
    return _first_exchange(*nearest, has_umlauts=not UMLAUTS.isdisjoint(cited + recorded))


def is_title_in_text(title: str, text: str) -> bool:
    """Whether a title, or its part before the subtitle, stands in a text."""
    from rapidfuzz.fuzz import partial_ratio

    whole, full = simplify_words(text).replace(" ", ""), len(simplify_words(title).replace(" ", ""))
    for form in title_variants(title):
        joined = form.replace(" ", "").replace("\u2026", "")
        if len(joined) < min(SHORTEST_TITLE_IN_TEXT, full) or len(joined) <= SHORTEST_WORD:
            continue
        if joined in whole or (len(joined) <= len(whole) and partial_ratio(joined, whole) >= TITLE_IN_TEXT_RATIO):
            return True
    return False


def _words_with_negations(form: str) -> list[str]:
    words = NUMBERED.sub("", form.replace("\u2026", "")).split()
    return [word for word in words if word not in SMALL_WORDS or word in NEGATIONS]


def _matcher(cited: list[str], recorded: list[str]) -> SequenceMatcher[str]:
    return SequenceMatcher(a=cited, b=recorded, autojunk=False)


def _first_exchange(cited: list[str], recorded: list[str], *, has_umlauts: bool) -> tuple[str, str] | None:
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
            if _is_other_word(one, other) and not (has_umlauts and _without_umlauts(one) == _without_umlauts(other)):
                return one, other
    denied = (NEGATIONS & set(cited)) ^ (NEGATIONS & set(recorded))
    if len(denied) != 1:
        return None
    word = next(iter(denied))
    if word in cited:
        return (word, "") if _is_amid(word, cited, recorded) else None
    return ("", word) if _is_amid(word, recorded, cited) else None


def _is_amid(word: str, words: list[str], others: list[str]) -> bool:
    """Whether what follows a word is in the other title too, or nothing follows: a cut title denies nothing."""
    behind = words[words.index(word) + 1 :]
    return not behind or not set(behind[:3]).isdisjoint(others)


def _is_other_word(one: str, other: str) -> bool:
    if " " in one or " " in other:
        words = (one + " " + other).split()
        is_plain = all(word.isalpha() and len(word) > SHORTEST_WORD for word in words)
        return is_plain and not _is_acronym(one, other) and not _is_acronym(other, one)
    if one.isdigit() or other.isdigit():
        return one.isdigit() and other.isdigit()
    if min(len(one), len(other)) < SHORTEST_WORD or bool(ORDINAL.match(one)) != bool(ORDINAL.match(other)):
        return False
    return not _is_typing_error(one, other)


def _is_acronym(short: str, long: str) -> bool:
    return short == "".join(word[0] for word in long.split())


def _is_typing_error(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    places = [place for place, (ours, theirs) in enumerate(zip(one, other, strict=False)) if ours != theirs]
    # Spellings were made alike before, so that two letters turned round may show as four.
    are_turned = bool(places) and places[-1] - places[0] < 4 and sorted(one) == sorted(other)
    if are_turned or (longer.startswith(shorter) and len(shorter) > SHORTEST_WORD):
        return True
    return (
        shorter[:2] == longer[:2] and len(longer) - len(shorter) < 3 and _letter_ratio(one, other) > TYPING_ERROR_RATIO
    )


def _without_umlauts(word: str) -> str:
    """The same for a word with its umlauts and with them written out or left off."""
    return word.replace("ue", "u").translate(VOWELS)
