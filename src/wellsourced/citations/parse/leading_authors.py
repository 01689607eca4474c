"""References that open with a list of names and hide their year at the end: where the names stop and the title begins.

Initials tell: `LeCun, Y., Bengio, Y. & Hinton, G. Deep learning. Nature 521, 436–444 (2015)`; so do several whole names
in a row: `Yann LeCun, Yoshua Bengio, and Geoffrey Hinton. Deep learning.` Russian references (GOST)
set `//` between title and journal, Chinese ones (GB/T 7714) a letter in brackets behind the title, German ones `In:`.
Every pattern is bounded, and a list is walked name by name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# Bounds the walk through the author lists of large collaborations.
MOST_NAMES = 500
CAPITAL = r"[^\W\d_a-zß-öø-ÿа-яё]"
POINTED = rf"{CAPITAL}\.(?:\s?-?\s?(?:d[aeo]s?\s)?{CAPITAL}\.){{0,4}}"
PARTICLE = (
    r"(?:(?:van|von|de|der|den|del|della|la|le|di|da|do|dos|du|el|al|bin|ibn|ten|ter|zu|zur|y|’t|'t|St\."
    r"|DE|DEL|DER|LA|VAN|VON|DA|DI|DU)\s){0,3}"
)
FAMILY = rf"{PARTICLE}(?:[dDlLO]['’])?{CAPITAL}[\w'’‐-]{{1,40}}(?:\s{PARTICLE}{CAPITAL}[\w'’‐-]{{2,40}}){{0,2}}"
EASTERN_LETTER = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
GIVEN = rf"{CAPITAL}[\w'’‐-]{{1,40}}(?:\s{CAPITAL}[\w'’‐-]{{1,40}}){{0,2}}(?:\s{CAPITAL}(?:\.|(?=\s))){{0,2}}"
LAST_WORD = rf"(?:(?!y\s){PARTICLE})(?:[dDlLO]['’])?{CAPITAL}[\w'’‐-]{{1,40}}"
GIVEN_FIRST = rf"(?:{GIVEN}\s{LAST_WORD}|{POINTED}\s{FAMILY})"
SUFFIX = r"(?:,?\s(?:Jr|Sr|I{2,3}|IV)\b\.?)?"
# The indices below name positions in this tuple.
NAME_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"{FAMILY},\s{POINTED}{SUFFIX}",
        rf"{FAMILY}\s{POINTED}{SUFFIX}",
        rf"{FAMILY}\s{CAPITAL}(?:[\s-]?{CAPITAL}){{0,3}}(?![\w-]){SUFFIX}",
        rf"{POINTED}\s?{FAMILY}{SUFFIX}",
        rf"{EASTERN_LETTER}{{2,4}}(?!{EASTERN_LETTER})",
        rf"{FAMILY},\s{CAPITAL}[\w-]{{1,30}}(?:\s{CAPITAL}\.){{1,3}}",
        rf"{FAMILY},\s{GIVEN}(?:\s(?:{CAPITAL}|da|de|do|dos|von|van)(?!\w))?",
        rf"{GIVEN}\s{LAST_WORD}{SUFFIX}",
    )
)
INITIALS_BEHIND, BARE, IN_FRONT, EASTERN, PART_SPELT, TURNED, WHOLE = 0, 2, 3, 4, 5, 6, 7
SEMICOLON = re.compile(r"\s?;\s")
INITIAL = re.compile(rf"\s{CAPITAL}\.\s")
LAST = re.compile(r"\s(?:and|und|et|y|e|и|&)\s")
BETWEEN = re.compile(r"\s?[,;，；、・·]\s?(?:(?:and|und|et|y|e|и)\s|&\s?)?|\s(?:and|und|et|y|e|и|&)\s")
ELISION = re.compile(r",?\s?(?:…|\.\s?\.\s?\.),?\s?(?:&\s?)?")
MORE = re.compile(r"[,，;]?\s?(?:…|\.\s?\.\s?\.|et\.?\s?al\b\.?|и др\.|u\.\s?a\.|等|ほか|他)")
GROUP = re.compile(r"\s?[\[(][^\[\]()0-9]{2,60}[\])](?=\s?[,.:])")
STOP = re.compile(r"\s?[.,:：．。，]\s?|\s(?=[\[(（])|(?<=\.)\s")
GERMAN = re.compile(rf"\A(?P<names>{CAPITAL}[^:\d]{{3,300}}):\s(?P<title>.{{4,600}}?)[.,?!]\sIn:\s(?P<rest>.{{3,}})\Z")
# Between names stand commas, semicolons, strokes or `and`; a stop with words behind it ends the names of another style.
SENTENCE_BEHIND = re.compile(r"\.\s[^\W\d_][\w'’‐-]{1,40}\s[^\W\d_]")
RUSSIAN = re.compile(r"\A(?P<title>.{4,900}?)(?:\s/\s[^/]{3,400})?\s//\s?(?P<rest>.*)\Z")
CHINESE = re.compile(r"\A(?P<title>.{2,900}?)\s?\[(?:[A-Z]{1,2}(?:/[A-Z]{2})?)\][.．。,，]?\s?(?P<rest>.*)\Z")
YEAR = r"(?:1[4-9]|20)[0-9]{2}"
PAGES = r"[A-Za-z]{0,3}[0-9]{1,20}(?:\s?[-–—]\s?[A-Za-z]{0,3}[0-9]{1,20})?"
ISSUE = r"(?:\s?\([^()]{1,15}\)|,\s(?:no|nr)\.?\s[0-9]{1,5})?"
VOLUME = r"(?:vol\.?\s?)?[0-9]{1,5}"
PLACES = (
    rf"{VOLUME}{ISSUE}\s?\({YEAR}[a-z]?\)(?:[,:]?\s?(?:pp?\.\s?)?{PAGES})?",
    rf"{VOLUME}{ISSUE}\s?[,:]\s?(?:pp?\.\s?)?{PAGES}(?:,?\s?\({YEAR}\)|,\s{YEAR})?",
    rf"{YEAR},\s{VOLUME}{ISSUE}\s?[,:]\s?(?:pp?\.\s?)?{PAGES}",
    rf"\({YEAR}\)\s{PAGES}",
)
PLACE = rf"(?:{'|'.join(PLACES)})[.,;]?"
COMMAS = re.compile(
    rf"\A(?P<title>(?:(?!(?<=\w\w\w)\.\s).){{4,900}}),\s(?P<rest>(?P<journal>(?!(?:vol|no|nr|pp?|bd|band|т|с)\b)[^\W\d_][^,]{{1,120}}?),?\s{PLACE})\Z"
)
AMERICAN_LAW = re.compile(
    rf"\A(?P<names>{CAPITAL}[^,\d]{{3,120}}),\s(?P<title>.{{8,500}}),\s(?P<volume>[0-9]{{1,4}})\s"
    rf"(?P<journal>{CAPITAL}[^,\d]{{2,80}})\s(?P<page>[0-9]{{1,5}})(?:,\s[0-9–-]{{1,12}})?\s(?P<year>\({YEAR}\))\.?\Z"
)
# A book in a footnote: `Michel Foucault, Surveiller et punir (Paris: Gallimard, 1975), 45`.
BOOK_NOTE = re.compile(
    rf"\A(?P<names>{GIVEN_FIRST}(?:(?:,?\s(?:and|und|et|y|&)|,)\s{GIVEN_FIRST}){{0,4}}),\s(?P<title>{CAPITAL}[^()]{{2,500}}?)"
    rf"\s\((?P<imprint>[^()]{{2,150}}?)(?:,\s|\s)(?P<year>{YEAR})\)(?:[,:]?\s[0-9ivxlc–-]{{1,12}})?[.,]?\Z"
)

# `Hans Müller, Über Koffein, in: Zeitschrift 42 (2009), S. 3–5`; without a colon only before quotation marks.
IN_A_JOURNAL = re.compile(
    rf"\A(?P<names>{GIVEN_FIRST}(?:\s?(?:,|/|;|\sund)\s?{GIVEN_FIRST}){{0,4}}),\s"
    rf"(?P<title>{CAPITAL}.{{4,500}}?),\s(?:in:|in(?=\s«))\s(?P<rest>.{{3,}})\Z"
)

JOURNAL_ALONE = re.compile(rf"\A(?P<journal>[^\d,]{{2,100}}?),?\s{PLACE}\Z")
ONLY_A_PLACE = re.compile(
    r"\A\W*(?:\Z|(?:(?:(?:vol|no|nr|n|v|bd|band|s|pp?|pages|heft|т|с)\b|№)\.?\s?)?(?:[a-z]{0,2}[0-9]{1,20}\s?(?:[-–—(]|(?:pp?|S|с)\b|[,;:]\s?[0-9(]"
    r"|[,.]?\s?(?:(?:no|nr|n|pp?|s|с|heft)\b|№)[.°º]?\s?[0-9]|\.?\Z)))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class LeadingAuthors:
    """`title` is None where the reference goes straight on with the journal, which `rest` then holds, or ends."""

    names: str
    title: str | None
    rest: str


def is_only_volume_and_pages(text: str) -> bool:
    """Volume and pages, where a title would begin if what stood before had been the names."""
    return ONLY_A_PLACE.match(text) is not None


def is_journal_alone(text: str) -> bool:
    """`Nature 521, 436`, `Phys. Rev. Lett. 77, 3865 (1996)`: a place, without the title of what stands there."""
    match = JOURNAL_ALONE.match(text)
    if match is None:
        return False
    pieces = [piece for piece in re.split(r"\.\s", match["journal"]) if piece]
    are_words = all(len(piece.split()) < 2 and not re.search(EASTERN_LETTER, piece) for piece in pieces)
    return len(pieces) < 2 or are_words


def is_whole_name(text: str) -> bool:
    return NAME_FORMS[WHOLE].fullmatch(text) is not None


def split_leading_authors(text: str) -> LeadingAuthors | None:
    """The names in front and, where the manner of the reference tells it, the title; None without such names.

    A `LeadingAuthors` whose title is "" has the title at the beginning of `rest`, up to where a sentence ends.
    """
    if (match := GERMAN.match(text)) is not None and _are_german_names(match["names"]):
        return LeadingAuthors(match["names"], match["title"], match["rest"])
    if (match := AMERICAN_LAW.match(text)) is not None:
        return LeadingAuthors(
            match["names"], match["title"], "{journal} {volume}, {page} {year}".format(**match.groupdict())
        )
    if (match := IN_A_JOURNAL.match(text)) is not None:
        return LeadingAuthors(
            _in_a_row(match["names"]), match["title"], match["rest"].replace("«", "").replace("»", "")
        )
    if (match := BOOK_NOTE.match(text)) is not None:
        return LeadingAuthors(
            _in_a_row(match["names"]), match["title"], "{imprint}, {year}".format(**match.groupdict())
        )
    end, form = _end_of_names(text)
    end = group.end() if end and (group := GROUP.match(text, end)) else end
    stop = STOP.match(text, end) if end else None
    if stop is None and not (end and (text[end - 1] == "." or end == len(text))):
        return _russian(text)
    start = stop.end() if stop else end
    names, behind = _in_a_row(text[:end]) if form == WHOLE else text[:end], text[start:].strip()
    return _titled(names, behind) if behind else LeadingAuthors(names, None, "")


def _are_german_names(names: str) -> bool:
    is_list = any(mark in names for mark in ",;/") or LAST.search(names) or is_whole_name(names)
    return bool(is_list) and SENTENCE_BEHIND.search(names) is None


def _in_a_row(whole_names: str) -> str:
    return BETWEEN.sub("; ", whole_names.replace("/", ";"))


def _titled(names: str, behind: str) -> LeadingAuthors:
    if is_journal_alone(behind):
        return LeadingAuthors(names, None, behind)
    for manner in (RUSSIAN, CHINESE, COMMAS):
        if (match := manner.match(behind)) is not None:
            return LeadingAuthors(names, match["title"], match["rest"])
    return LeadingAuthors(names, "", behind)


def _russian(text: str) -> LeadingAuthors | None:
    match = RUSSIAN.match(text) or CHINESE.match(text)
    return LeadingAuthors("", match["title"], match["rest"]) if match else None


def _end_of_names(text: str) -> tuple[int, int]:
    """Where the list of names in front ends, and the form they have; 0 when there is none. All names of a list are
    written alike."""
    return max((_walked(text, form, place), place) for place, form in enumerate(NAME_FORMS))


def _walked(text: str, form: re.Pattern[str], place: int) -> int:
    end = count = 0
    found = form.match(text)
    while found is not None and count < MOST_NAMES:
        end, count = found.end(), count + 1
        between = (
            SEMICOLON.match(text, end) if place == TURNED else ELISION.match(text, end) or BETWEEN.match(text, end)
        )
        found = _next(text, form, place, between) if between else None
    more = MORE.match(text, end) if count else None
    if more:
        return more.end()
    if place == WHOLE:
        return end if _are_whole_names(text, end, count) else 0
    # `Smith AB` or `Li Ming` alone could as well be the beginning of a title.
    needs_company = place in {BARE, EASTERN, TURNED} and count == 1
    is_open = place == IN_FRONT and text[end : end + 1] not in {",", ".", ":"}
    return 0 if needs_company or is_open else end


def _next(text: str, form: re.Pattern[str], place: int, between: re.Match[str]) -> re.Match[str] | None:
    """In the same form; behind semicolons initials and whole given names mix, and the last name may be turned round."""
    match = form.match(text, between.end())
    if match or place not in {INITIALS_BEHIND, PART_SPELT, TURNED}:
        return match
    others: tuple[int, ...] = (INITIALS_BEHIND, PART_SPELT, TURNED) if ";" in between[0] else ()
    others = others or ((WHOLE,) if LAST.search(between[0]) else ())
    return next((match for other in others if (match := NAME_FORMS[other].match(text, between.end()))), None)


def _are_whole_names(text: str, end: int, count: int) -> bool:
    """Whole names look like the words of a title: several of them, an initial or `and` tell, and a stop behind them."""
    if text[end : end + 1] not in {".", ":"}:
        return False
    if count == 1:
        return text[end] == "." and INITIAL.search(text[:end]) is not None
    return count > 2 or text[end] == ":" or LAST.search(text[:end]) is not None
