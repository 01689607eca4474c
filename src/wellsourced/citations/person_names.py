"""Names of people and organisations, taken apart without doing violence to either.

Nothing in a string says for certain whether it is a person: `World Health Organization` must never become
`Organization, W. H.` So a name without a comma is a person only when nothing in it speaks for an organisation.
Particles are the lower-case words in front of a family name, as BibTeX and CSL have it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from wellsourced.citations.reference import Name
from wellsourced.late_pattern import late_pattern

LONGEST = 400
SUFFIX = late_pattern(
    r"(?:jr|sr|jnr|snr|filho|neto|junior|senior|fils|père|(?:i{2,3}|iv|vi{0,3}|2nd|3rd|4th))\.?", re.IGNORECASE
)
# Of these a family name is never made.
GENERATION = late_pattern(r"(?:jr|sr|jnr|snr|i{2,3}|iv)\.?", re.IGNORECASE)
# Stems of words that name an organisation in several languages, then words that do so only whole.
CORPORATE = late_pattern(
    r"\b(?:universit|institut|organi[sz]a|associa|societ|socié|socied|compan(?:y|ies|ia)\b|corporation|"
    r"committ|council\b|"
    r"commission|comité|comitato|consorti|collaborat|foundation|fondation|fundaci|stiftung|ministry|"
    r"minister[ei]|department|"
    r"département|departament|agenc|agentur|bibliothe|academ|akadem|laborator|museum|hospital|government|administra|"
    r"authority|parlament|parliament|federation|international|investigators|initiative|technolog|publish|verlag|"
    r"министерств|университет|институт|общество|"
    r"(?:bureau|offices?|centre|center|centro|zentrum|library|colleges?|schools?|bank|klinik|clinic|"
    r"services?|congress|courts?|"
    r"union|networks?|projects?|program|programme|groups?|groupe|team|board|press|news|times|staff|editors?|"
    r"nations|health|"
    r"research|study|working|systems?|software|industries|labs?|inc|ltd|llc|gmbh|corp|plc|trust|states|"
    r"journal|review)\b)",
    re.IGNORECASE,
)
CORPORATE_CJK = late_pattern(
    r"(?:大学|大學|公司|协会|協會|協会|研究所|委员会|委員会|委員會|学会|學會|省|厅|庁|局|신문|대학교|학회|위원회|정부)$"
)
JOINING_WORDS_TEXT = "of the for and at in on to & + und für pour sur para della per voor"
JOINING_WORDS = frozenset(JOINING_WORDS_TEXT.split())
# Lower-case words that can begin a family name.
PARTICLES_TEXT = """
    a af al am aus'm aus auf bar ben bin ibn da dal dalla dalle dall' das de d' d’ de' dei degli del dela
    della delle dello den der des di do dos du e el en het im in 't ’t l' la las le les lo los op s' san st.
    ten ter te thoe thor till tot und van vanden vander ver vom von von't voor y ye zu zum zur abu bint
"""
PARTICLES = frozenset(PARTICLES_TEXT.split())
INITIAL = late_pattern(r"([^\W\d_])([^\W\d_]*)(\.)?")
CAPITAL_LETTERS = late_pattern(r"[A-ZÀ-ÖØ-Þ]+")
BETWEEN_NAMES = late_pattern(r"([-\s]+)")
SPACED_HYPHEN = late_pattern(r"(?<!\s)\s*-\s*")
SMALL_BEHIND_HYPHEN = late_pattern(r"-(?=[a-z])")
CLOSE_POINT = late_pattern(r"\.(?=[^\s.])")
CAPITALS = late_pattern(r"[A-ZÀ-ÖØ-Þ]{1,3}|(?:[^\W\d_]\.-?){1,4}")


def parse_person_name(text: str) -> Name:
    """A name as people write it: `Family, Given`, `Given van Family`, `Family AB`, or an organisation."""
    text = " ".join(text[:LONGEST].split()).strip(";")
    if "," in text:
        return _with_commas(text)
    words = text.split()
    if len(words) < 2:
        return Name(family=text) if text and not CORPORATE_CJK.search(text) else Name(literal=text)
    if is_corporate(text):
        return Name(literal=text)
    if len(words) > 2 and len(words[-1]) > 1 and SUFFIX.fullmatch(words[-1]):
        return replace(parse_person_name(" ".join(words[:-1])), suffix=words[-1])
    if CAPITALS.fullmatch(words[-1]) and not CAPITALS.fullmatch(words[0]):
        start = next(place for place in range(len(words) - 1, 0, -1) if not CAPITALS.fullmatch(words[place - 1]))
        return _from_family(" ".join(words[:start]), " ".join(words[start:]))
    return name_in_reading_order(words)


def is_corporate(text: str) -> bool:
    """Whether a name without a comma is better left as it is."""
    words = text.split()
    lower = [word for word in words[:-1] if word.islower()]
    strange = (
        any(word not in PARTICLES and not word.endswith(("'", "’")) for word in lower) and len(lower) < len(words) - 1
    )
    joined = any(word.casefold() in JOINING_WORDS - PARTICLES for word in words)
    the_first = words[:1] and words[0].casefold() == "the"
    odd = any(character.isdigit() or character in "&/()@+" for character in text)
    is_long = len(words) - len(lower) > 6
    return bool(CORPORATE.search(text) or strange or joined or the_first or odd or is_long)


def name_in_reading_order(words: list[str]) -> Name:
    """`Given van Family Jr.` in words."""
    suffix = words.pop() if len(words) > 2 and SUFFIX.fullmatch(words[-1]) else ""
    lower = [position for position, word in enumerate(words[:-1]) if word[:1].islower()]
    if lower and (lower[0] > 0 or words[0] in PARTICLES):
        start = lower[0] - (words[lower[0]] in {"y", "e", "i"} and lower[0] > 1)
        given, rest = words[:start], words[start:]
    else:
        given, rest = words[:-1], words[-1:]
    parted = split_particle(" ".join(rest))
    return Name(family=parted[1], given=" ".join(given), particle=parted[0], suffix=suffix)


def split_particle(family: str) -> tuple[str, str]:
    """`van der Berg` is `van der` and `Berg`; at least one word stays."""
    words = family.split()
    count = 0
    while count < len(words) - 1 and words[count][:1].islower():
        count += 1
    if count == 0 and len(words) > 1 and words[0].casefold() in {"'t", "’t"}:
        count = 1
    return " ".join(words[:count]), " ".join(words[count:])


def initials(given: str, *, dots: bool = True, spaced: bool = True) -> str:
    """`Jean-Paul M` is `J.-P. M.`, as citeproc-js has it: small words stay in their places, and so do short forms
    (`St. John` is `St. J.`); a script without capitals has no initials and keeps the name."""
    if given[:1].upper() == given[:1].lower():
        return given
    text = SMALL_BEHIND_HYPHEN.sub("–", SPACED_HYPHEN.sub("-", given)) if dots else given.replace("-", " ")
    pieces = [*BETWEEN_NAMES.split(CLOSE_POINT.sub(". ", text)), ""]
    written = ""
    for word, gap in zip(pieces[::2], pieces[1::2], strict=True):
        if (match := INITIAL.match(word)) and match[1].isupper():
            short = match[1] + (match[2] if match[3] else _small_letters(match[2])) + ("." if dots else "")
            written += short + ("-" if "-" in gap else " " if spaced else "")
        else:
            written += f" {word}{gap}"
    return " ".join(SPACED_HYPHEN.sub("-", written).split())


def _small_letters(letters: str) -> str:
    """`GYula` is `Gy`: capitals that begin a name together are one letter."""
    begins = CAPITAL_LETTERS.match(letters)
    return begins[0].lower() if begins and len(begins[0]) < len(letters) else ""


def _with_commas(text: str) -> Name:
    parts = [part.strip() for part in text.split(",")]
    if text.endswith(",") and len(parts) == 2:
        return Name(literal=parts[0])
    parts = [part for part in parts if part]
    if len(parts) == 2 and (not SUFFIX.fullmatch(parts[1]) or are_initials(*parts)):
        return _from_family(parts[0], parts[1])
    if len(parts) == 2:
        return Name(**_fields(parse_person_name(parts[0])), suffix=parts[1])
    if len(parts) == 3 and SUFFIX.fullmatch(parts[1]):
        return _from_family(parts[0], parts[2], parts[1])
    if len(parts) == 3 and SUFFIX.fullmatch(parts[2]):
        return _from_family(parts[0], parts[1], parts[2])
    return Name(literal=text) if len(parts) > 1 else Name(literal="".join(parts))


def are_initials(family: str, behind: str) -> bool:
    """`Putnam, V` and `Lenin, VI` are initials; the second of a name has a given name before it."""
    bare = behind.replace(".", "")
    return bare == "V" or (bare.isupper() and " " not in family and len(bare) < 4)


def _fields(name: Name) -> dict[str, str]:
    return {"family": name.family, "given": name.given, "particle": name.particle, "literal": name.literal}


def _from_family(family: str, given: str, suffix: str = "") -> Name:
    front, _, last = family.rpartition(" ")
    if front and not suffix and len(last) > 1 and GENERATION.fullmatch(last):  # `Wimsatt Jr., William Kurtz`
        family, suffix = front, last
    particle, bare = split_particle(family)
    return Name(family=bare, given=given, particle=particle, suffix=suffix)
