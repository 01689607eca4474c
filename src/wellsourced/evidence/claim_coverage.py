"""How much of a claim a text deals with: addressed, partially addressed or not addressed.

A claim is dealt with where its terms stand together, so they are counted in windows of four sentences (in a text of
up to twenty sentences, anywhere). "addressed" needs most of them, one of which must tell this claim from others:
"study" or "increase" do not. "not_addressed" is the grave word, since it says that a source was cited for something
it does not hold; it is only used when next to nothing is there even in a loose comparison (related words, parts of
compounds), when no term of the claim is what the text is about, and when both are in one language.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal

from wellsourced.text.languages import detect_language
from wellsourced.text.terms import term_keys

Coverage = Literal["addressed", "partially_addressed", "not_addressed"]

# Sentences that together can make one statement.
WINDOW = 4
SHORT_TEXT = 20
# Shares of the claim's weight: from the first on it is addressed, below the second next to nothing is there.
ENOUGH = 0.6
NEXT_TO_NOTHING = 0.26
# A term that comes back this often is what the text is about.
RECURRING = 3
FEWEST_TELLING = 2

# Words that occur in claims about anything.
GENERIC = (
    "study studies research researcher researchers report reports people person year years month months week day"
    " days time times number numbers percent percentage increase increased increases decrease decreased rise rose"
    " risen fall fell fallen drop dropped raise raised lower lowered reduce reduced reduces cause causes caused"
    " show shows showed found find finds use used uses using user users make makes made part parts new old large"
    " small big great good best better high higher low less many much several various different important world"
    " country countries case cases level levels rate rates result results effect effects group groups according"
    " recent recently first second third last next early late long short half way ways thing things place state"
    " states company companies lead leads led say says said claim claims become became take takes took give gives"
    " given get gets think know need needs want wants help helps work works change changes likely average total"
    " share amount million billion thousand per cent adult adults man men woman women life live lives young older"
    " double began begin start started end ended benefit studie studien forschung forscher bericht menschen jahr"
    " jahre jahren monat tag zeit zahl prozent anstieg gestiegen sinken gesunken viele groß große neue neuen gut"
    " stark findet statt welt land teil laut mehr weniger ergebnis étude études chercheurs rapport personnes année"
    " années an ans mois jour temps nombre hausse baisse grand grande nouveau nouvelle bon bonne pays monde selon"
    " partie environ moins fait gratuit cas estudio estudios investigación informe personas año años mes día"
    " tiempo número aumento aumentó subió bajó gran nuevo nueva mundo país según parte menos caso casos ciento"
    " estudo estudos pesquisa relatório pessoas ano anos mês dia tempo aumentou caiu novo nova segundo cento"
    " исследование люди год года лет время человек новый процент первый первая"
)
GENERIC_KEYS = frozenset(key for word in GENERIC.split() for key in term_keys(word))
SHORTEST_WORD = 5
SHARED_BEGINNING = 0.6
LONGEST_WORD = 40


@dataclass(frozen=True, slots=True)
class TermPresence:
    """One term of the claim and the numbers of the sentences it is in."""

    weight: float
    is_generic: bool
    is_number: bool
    places: frozenset[int]


def is_generic(keys: frozenset[str]) -> bool:
    return not keys.isdisjoint(GENERIC_KEYS)


def largest_share(presences: Sequence[TermPresence], count: int) -> tuple[float, bool]:
    """The largest share of the terms, by weight, in one window; and whether a telling one is among them."""
    total = sum(presence.weight for presence in presences)
    weight, telling = max(_windows(presences, count), default=(0.0, False))
    return weight / total, telling


def coverage_label(
    presences: Sequence[TermPresence],
    count: int,
    share: tuple[float, bool],
    find_loosely: Callable[[], Sequence[TermPresence]] | None,
) -> Coverage:
    """What a text of `count` sentences does with a claim; `share` is the largest in one window.

    `find_loosely` looks for related words too; None where missing words say nothing, as in another language.
    """
    if not presences:
        return "partially_addressed"
    part, telling = share
    if part >= ENOUGH and telling:
        return "addressed"
    # What is too much for "nothing" in a strict comparison is too much in a loose one.
    is_nothing = find_loosely and _is_nothing(presences, count) and _is_nothing(find_loosely(), count)
    return "not_addressed" if is_nothing else "partially_addressed"


def are_in_one_language(claim: str, text: str) -> bool:
    """False only where both languages show and differ: then missing words say nothing."""
    ours, theirs = detect_language(claim), detect_language(text)
    return ours is None or theirs is None or ours == theirs


def _is_nothing(presences: Sequence[TermPresence], count: int) -> bool:
    telling = [presence for presence in presences if not presence.is_generic]
    if len(telling) < FEWEST_TELLING:
        return False
    if any(len(presence.places) >= RECURRING and not presence.is_number for presence in telling):
        return False
    return not _subject(telling).places and largest_share(telling, count)[0] < NEXT_TO_NOTHING


def _subject(telling: Sequence[TermPresence]) -> TermPresence:
    """What the claim is about usually comes first in it."""
    return next((presence for presence in telling if not presence.is_number), telling[0])


def _windows(presences: Sequence[TermPresence], count: int) -> Iterator[tuple[float, bool]]:
    """What the terms that occur together weigh, and whether a telling one is among them, by window."""
    weights: dict[int, float] = {}
    telling: set[int] = set()
    for presence in presences:
        places = presence.places if count > SHORT_TEXT else range(bool(presence.places))
        starts = {place - before for place in places for before in range(WINDOW) if place >= before}
        for start in starts:
            weights[start] = weights.get(start, 0.0) + presence.weight
        if not presence.is_generic:
            telling |= starts
    return ((weight, start in telling) for start, weight in weights.items())


class Vocabulary:
    """Distinct words, each only letters or not considered for relatives."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = frozenset(words)
        self._sorted = sorted(word for word in self._words if len(word) >= SHORTEST_WORD and word.isalpha())
        self._joined = "\n".join(("", *self._sorted, ""))

    def relatives(self, word: str) -> frozenset[str]:
        """The words of the text that may belong to the same family, the word itself included."""
        if not SHORTEST_WORD <= len(word) <= LONGEST_WORD or not word.isalpha():
            return frozenset({word})
        return frozenset({word, *self._beginning_like(word), *self._containing(word), *self._inside(word)})

    def _beginning_like(self, word: str) -> list[str]:
        start = word[: max(SHORTEST_WORD, ceil(len(word) * SHARED_BEGINNING))]
        return self._sorted[bisect_left(self._sorted, start) : bisect_left(self._sorted, start + "\U0010ffff")]

    def _containing(self, word: str) -> Iterator[str]:
        place = self._joined.find(word)
        while place >= 0:
            start, end = self._joined.rfind("\n", 0, place) + 1, self._joined.find("\n", place)
            yield self._joined[start:end]
            place = self._joined.find(word, end)

    def _inside(self, word: str) -> Iterator[str]:
        ends = range(len(word) + 1)
        parts = (word[start:end] for start in ends for end in ends[start + SHORTEST_WORD :])
        return (part for part in parts if part in self._words)
