"""How alike two titles are, judged so that no honest way of writing the same title counts as another title.

Forgiven: case, accents, punctuation, markup (HTML, JATS, LaTeX), a dropped subtitle, a title cut with an ellipsis,
a translation in brackets, British and American spelling, `&` for `and`, ligatures and Greek letters spelled out.
Not forgiven: other content words. One of them changed makes a title partly alike at best.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal, TypeAlias

from wellsourced.citations.formats.latex import decode
from wellsourced.text.plain_text import plain

Outcome: TypeAlias = Literal["match", "partial", "mismatch", "not_given", "not_comparable"]
LONGEST = 1_500
ANY_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9:-]{0,20}(?:\s[^<>]{0,200})?/?>")
LATEX_SIGNS = re.compile(r"\\[a-zA-Z\"'`^~{]|\$[^$]{1,200}\$|\{[A-Z]")
BRACKETED = re.compile(r"\s*[\[［【]([^\[\]【】]{3,600})[\]］】]\s*\.?\s*")
CUT = re.compile(r"\s*(?:…|\.\.\.|\. \. \.)\s*[\"”’]?\s*\Z")
SUBTITLE = re.compile(r"\s*(?::|：|\?|!|\s[-–—]\s|—|\.\s|;|\s\|\s)\s*")
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
    (re.compile(r"(?<=[a-z])eing\b"), "ing"),
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
ALIKE, PARTLY = 0.93, 0.62
SHORTEST_BEGINNING = 15


def title_outcome(cited: str | None, recorded: str | None) -> Outcome:
    if not cited or not recorded:
        return "not_given"
    pairs = [(one, other) for one in variants(cited) for other in variants(recorded)]
    if not pairs:
        return "not_comparable"
    outcomes = [_judged(one, other) for one, other in pairs]
    best: Outcome = next(grade for grade in ("match", "partial", "mismatch") if grade in outcomes)
    if best == "match" and outcomes[0] != "match" and have_subtitles(cited, recorded):
        width = len(variants(recorded))
        of_a_whole = (grade for place, grade in enumerate(outcomes) if place < width or place % width == 0)
        best = "match" if "match" in of_a_whole else outcomes[0]  # the same main title before two subtitles
    if best == "mismatch" and _is_beginning(pairs[0]):
        return "partial"
    if best == "mismatch" and (_is_behind_a_site(cited, recorded) or _is_behind_a_site(recorded, cited)):
        return "match"
    return _doubted(best, cited, recorded)


def title_similarity(cited: str | None, recorded: str | None) -> float:
    """Between 0 and 1, of the two forms of the titles that are most alike; 0 when one of them is missing."""
    pairs = [(one, other) for one in variants(cited or "") for other in variants(recorded or "")]
    return round(max((_alike(one, other) for one, other in pairs), default=0.0), 3)


def variants(title: str) -> list[str]:
    """The title, its translation or original where one stands in brackets, and its part before the subtitle,
    simplified."""
    text = _readable(title)
    is_cut = CUT.search(text) is not None
    text = CUT.sub("", text)
    forms = [
        text,
        *BRACKETED.findall(text),
        BRACKETED.sub(" ", text),
        *_without_subtitle(BRACKETED.sub(" ", text).strip(" []")),
        text.translate(WRITTEN_UMLAUTS),
    ]
    simple = [plainest(form) for form in forms]
    return [form + ("\u2026" if is_cut else "") for form in dict.fromkeys(simple) if form]


@lru_cache(maxsize=256)  # one comparison brings the same few texts here a dozen times
def plainest(text: str) -> str:
    """Words in lower case without accents and punctuation, in one spelling."""
    text = unicodedata.normalize("NFKD", text.replace("&", " and ")).casefold().replace("ß", "ss").replace("ı", "i")
    text = "".join(GREEK.get(character, character) for character in text if not unicodedata.combining(character))
    text = text.replace("æ", "ae").replace("œ", "oe").replace("ø", "o").replace("ł", "l").replace("đ", "d")
    text = re.sub(r"(?<=\w)['’ʼ`](?=\w)", "", text)
    text = " ".join("".join(c if c.isalnum() else " " for c in text).split())
    for pattern, usual in SPELLINGS + WRITTEN_OUT:
        text = pattern.sub(usual, text)
    return text


def _readable(title: str) -> str:
    text = title[:LONGEST]
    text = decode(text) if LATEX_SIGNS.search(text) else text
    return plain(ANY_TAG.sub("", text)) if "<" in text or "&" in text else plain(text)


def _without_subtitle(text: str) -> list[str]:
    """The parts before a subtitle, long enough to say anything."""
    return [
        text[: found.start()] for found in SUBTITLE.finditer(text) if _says_enough(plainest(text[: found.start()]))
    ][:3]


def _is_beginning(pair: tuple[str, str]) -> bool:
    """Programs cut titles without a sign."""
    shorter, longer = sorted((form.replace(" ", "") for form in pair), key=len)
    return len(shorter) >= SHORTEST_BEGINNING and longer.startswith(shorter)


def _is_behind_a_site(page: str, title: str) -> bool:
    """Pages are titled `Journal | Title` or `Journal - Title`."""
    _, mark, own = BEHIND_A_SITE.sub("\0", _readable(page)).rpartition("\0")
    return bool(mark) and _says_enough(plainest(own)) and _judged(plainest(own), plainest(_readable(title))) == "match"


def is_main_title(short: str, whole: str) -> bool:
    """Whether one title is the other before its subtitle, however little it says."""
    found = SUBTITLE.search(_readable(whole))
    return found is not None and plainest(_readable(short)) == plainest(_readable(whole)[: found.start()]) != ""


def same_main_title(one: str, other: str) -> bool:
    """Whether two titles are the same up to their subtitles."""
    first, second = (plainest(SUBTITLE.split(_readable(title), maxsplit=1)[0]) for title in (one, other))
    return first == second != ""


def have_subtitles(*titles: str) -> bool:
    """What stands behind a dash or a line may be the name of a site, and counts as no subtitle."""
    own = (BEHIND_A_SITE.split(BRACKETED.sub(" ", _readable(title)))[0] for title in titles)
    return all(SUBTITLE.search(title.strip(" .?!;:")) for title in own)


def _says_enough(text: str) -> bool:
    words = _content(text)
    return len(words) > 1 or len(text) > 9 or any(not word.isascii() and len(word) > 3 for word in words)


def _judged(one: str, other: str) -> Outcome:
    if "\u2026" in one or "\u2026" in other:
        return _begins(one, other)
    joined_one, joined_other = one.replace(" ", ""), other.replace(" ", "")
    if joined_one == joined_other:
        return "match"
    first, second = _content(one), _content(other)
    if first and first == second:
        return "match"
    likeness = _alike(one, other)
    strange = _strangers(first, second) + _strangers(second, first)
    if likeness >= ALIKE and not strange:
        return "match"
    return "partial" if likeness >= PARTLY and len(strange) <= max(2, (len(first) + len(second)) // 5) else "mismatch"


def _begins(one: str, other: str) -> Outcome:
    """A title that was cut: the shorter one is the beginning of the other."""
    first, second = one.replace("\u2026", "").strip(), other.replace("\u2026", "").strip()
    if not _says_enough(first) or not _says_enough(second):
        return "mismatch"
    shorter, longer = sorted((first.replace(" ", ""), second.replace(" ", "")), key=len)
    if longer.startswith(shorter):
        return "match"
    return "partial" if _ratio(shorter, longer[: len(shorter)]) > ALIKE else "mismatch"


def _content(text: str) -> list[str]:
    return [word for word in text.split() if word not in SMALL_WORDS]


def _strangers(words: list[str], others: list[str]) -> list[str]:
    """Words without a counterpart: the same, a spelling of it, or its plural."""
    known, whole = set(others), "".join(others)
    return [
        word
        for word in words
        if word not in known and not (len(word) > 4 and word in whole) and not _has_like(word, others)
    ]


def _has_like(word: str, others: list[str]) -> bool:
    """A typing error in a longer word, or an ending; digits and short words must be exact."""
    if len(word) < 4 or any(character.isdigit() for character in word):
        return any(word.rstrip("s") == other.rstrip("s") for other in others) and not word.isdigit()
    return any(_is_slip(word, other) for other in others[:200])


def _is_slip(word: str, other: str) -> bool:
    if word.rstrip("s") == other.rstrip("s"):
        return True
    return (
        min(len(word), len(other)) > 5
        and abs(len(word) - len(other)) < 2
        and word[:2] == other[:2]
        and _ratio(word, other) > 0.87
    )


def _alike(one: str, other: str) -> float:
    one, other = one.replace("\u2026", ""), other.replace("\u2026", "")
    return max(
        _ratio(one.replace(" ", ""), other.replace(" ", "")), _ratio(" ".join(_content(one)), " ".join(_content(other)))
    )


def _ratio(one: str, other: str) -> float:
    from rapidfuzz.fuzz import ratio

    return ratio(one, other) / 100


def _doubted(best: Outcome, cited: str, recorded: str) -> Outcome:
    """Titles in scripts that cannot be compared letter by letter prove nothing against each other."""
    if best != "mismatch":
        return best
    return "not_comparable" if script(cited) != script(recorded) else best


def script(text: str) -> str:
    """The script of most letters, by the first word of their Unicode names."""
    counts: dict[str, int] = {}
    for character in text[:300]:
        if character.isalpha():
            name = unicodedata.name(character, "UNKNOWN").split()[0]
            name = "CJK" if name in {"HIRAGANA", "KATAKANA", "CJK", "HANGUL"} else name
            counts[name] = counts.get(name, 0) + 1
    return max(counts, key=lambda name: counts[name]) if counts else ""
