"""Whether two names of a journal, a series of conferences or a publisher's book are the same.

Abbreviations follow ISO 4: each abbreviated word is the beginning of a word (or its first and last letters), small
words are left out, and an acronym is the first letters of the others.
"""

from __future__ import annotations

import re

from wellsourced.text.titles import Outcome, main_script, simplify_words

SMALL_TEXT = "the of and in on for a an de la le les et du des der die das und für of y el del di"
SMALL = frozenset(SMALL_TEXT.split())
# What names of proceedings add to the name of the conference.
NOISE = re.compile(
    r"\b(?:proceedings|proc|conference|conf|annual|international|intl|int|meeting|symposium|workshop|"
    r"[0-9]{1,4}(?:st|nd|rd|th)?)\b"
)
# Abbreviations that leave letters out of the middle, and so are no beginnings.
CONTRACTED = {"natl": "national", "intl": "international", "dept": "department", "assn": "association",
"soc": "society",
              "govt": "government", "jpn": "japan", "phys": "physics", "comput": "computer",
              "univ": "university"}  # fmt: skip
BRACKETS = re.compile(r"(?:(?<!\s)\s+)?\([^()]{0,100}\)")
AFTER_MARK = re.compile(r"(?:(?<!\s)\s+)?[:=]\s(?s:.*)\Z")
COUNTRY = re.compile(r"[,.]?(?<!\s)\s+(?:U\.?\s?S\.?(?:\s?A\.?)?|USA|UK|Lond\.?|Engl\.?)\s*\Z")
HOST = re.compile(r"(?:https?://)?(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}(?:/\S{0,200})?")
SITES = frozenset(
    (
        "sciencedirect", "jstor", "pubmed", "pubmed central", "pmc", "springerlink", "springer", "wiley online library",
        "taylor and francis online", "ieee xplore", "acm digital library", "arxiv", "biorxiv", "medrxiv", "ssrn",
        "researchgate", "google scholar", "semantic scholar", "oxford academic", "cambridge core", "sage journals",
        "europe pmc", "academia edu", "zenodo", "figshare", "project muse", "hal", "dblp", "crossref", "scopus",
        "web of science", "mdpi", "frontiers", "elsevier", "wiley", "elibrary", "cnki", "persee", "cairn", "ebsco",
        "proquest", "nature com", "scielo", "repec", "philpapers",
    )
)  # fmt: skip
# Leaves room for a spelling or a plural, not for another journal of the same field.
ALIKE = 0.9


def compare_venues(cited: str | None, recorded: str | None) -> Outcome:
    if not cited or not recorded:
        return "not_given"
    if main_script(cited) != main_script(recorded):
        return "not_comparable"
    forms = [(one, other) for one in _forms(cited) for other in _forms(recorded)]
    if any(_same(one, other) for one, other in forms):
        return "match"
    if any(_is_part(one, other) or _ratio(" ".join(one), " ".join(other)) >= ALIKE for one, other in forms):
        return "partial"
    return "mismatch"


def is_part_of_venue(text: str, venue: str | None) -> bool:
    """Whether a text is nothing but words of a journal's name, as `Lancet Infect` is of `Lancet Infect. Dis.`"""
    words, whole = simplify_words(text).split(), simplify_words(venue or "").split()
    return bool(words) and all(any(_abbreviates(word, full) for full in whole) for word in words)


def is_venue_in_text(venue: str, text: str) -> bool:
    """Whether a journal's name stands in a text: whole, abbreviated word by word, or as an acronym."""
    words = simplify_words(text[:4000].replace(".", ". ").replace("&", "")).split()
    spoken = [word for word in words if word not in SMALL]
    return any(_stands_in(form, spoken) for form in _forms(venue)) or any(
        _is_compressed(word, form) for form in _forms(venue) if len(form) > 1 for word in set(words)
    )


def _stands_in(form: list[str], words: list[str]) -> bool:
    """The words of the name one after the other, each perhaps shortened."""
    size = len(form)
    if size == 1 and len(form[0]) < 4:
        return form[0] in words
    return any(
        all(_abbreviates(word, full) for word, full in zip(words[place : place + size], form, strict=True))
        for place in range(len(words) - size + 1)
    ) and (size > 1 or form[0] in words)


def _is_compressed(short: str, form: list[str]) -> bool:
    """Beginnings of the words, one after the other: `ApJ`, `MNRAS`, `JGR`. The last words may be left out."""
    if not 2 <= len(short) <= 10 or not short.isalpha():
        return False
    places = {0}
    for count, word in enumerate(form, start=1):
        places = {
            place + length
            for place in places
            for length in range(1, min(4, len(word)) + 1)
            if short[place : place + length] == word[:length]
        }
        if len(short) in places and (count == len(form) or count > 2):
            return True
    return False


def is_site_name(name: str) -> bool:
    """A host, or a site that holds the journals of many: it stands where the journal should, and names none."""
    return HOST.fullmatch(name.strip()) is not None or simplify_words(name) in SITES


def _forms(name: str) -> list[list[str]]:
    """The words that matter: of the whole, without what stands in brackets, and without the noise of proceedings."""
    texts = [
        name,
        BRACKETS.sub("", name),
        AFTER_MARK.sub("", name),
        COUNTRY.sub("", name),
        NOISE.sub(" ", name.casefold()),
    ]
    texts += re.findall(r"\(([^()]{2,100})\)", name[:500])
    words = [
        [word for word in simplify_words(text[:500].replace(".", ". ")).split() if word not in SMALL] for text in texts
    ]
    unique = {" ".join(form): form for form in words if form}
    return list(unique.values())


def _same(one: list[str], other: list[str]) -> bool:
    if one == other or "".join(one) == "".join(other):
        return True
    if len(one) == len(other) and all(
        _abbreviates(a, b) or _abbreviates(b, a) for a, b in zip(one, other, strict=True)
    ):
        return True
    return any(_is_acronym(*pair) or _is_short_name(*pair) for pair in ((one, other), (other, one)))


def _is_short_name(one: list[str], other: list[str]) -> bool:
    return len(one) == 1 and len(other) > 1 and _is_compressed(one[0], other)


def _abbreviates(short: str, long: str) -> bool:
    if short == long or (long.startswith(short) and short.isalpha()) or CONTRACTED.get(short) == long:
        return True
    return len(short) > 2 and short[0] == long[0] and short[-1] == long[-1] and _is_within(short, long)


def _is_within(short: str, long: str) -> bool:
    letters = iter(long)
    return all(letter in letters for letter in short)


def _is_acronym(one: list[str], other: list[str]) -> bool:
    return len(one) == 1 and len(other) > 1 and 2 <= len(one[0]) <= 8 and one[0] == "".join(word[0] for word in other)


def _is_part(one: list[str], other: list[str]) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return len("".join(shorter)) > 3 and all(any(_abbreviates(word, full) for full in longer) for word in shorter)


def _ratio(one: str, other: str) -> float:
    from rapidfuzz.fuzz import ratio

    return ratio(one, other) / 100
