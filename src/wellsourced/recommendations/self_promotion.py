"""Lists that put their own publisher first: "The 10 best invoicing apps", on the site of number one.

Only what can be seen counts: a page with a ranking in its title or first heading, three or more numbered places, the
first of which names the site's own brand. Nothing is said where most places name it (a shop's own catalogue), where
the brand is an everyday word, or where the numbers are steps.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from wellsourced.text.urls import host_of, registrable_domain

TEXT_LENGTH = 300_000
# Two places are a comparison, not a ranking.
FEWEST_PLACES = 3
SURE_PLACES = 5
# Shorter names occur inside other words.
SHORTEST_BRAND = 4
LONGEST_NAME = 80
# Where most places name the brand, the list is its own range of products.
OWN_CATALOGUE = 0.5

RANKING = re.compile(
    r"\b(?:best|top[\s-]?\d*|greatest|leading|ranked|ranking|alternatives|compared|comparison|besten?|beste[rs]?|vergleich"
    r"|bestenliste|rangliste|testsieger|meilleure?s?|comparatif|classement|mejores|comparativa|melhores|comparativo"
    r"|migliori|classifica|лучши[ехй]|рейтинг|топ)\b|おすすめ|ランキング|比較|最佳|排行|推荐|推薦|추천|순위",
    re.IGNORECASE,
)
STEPS = re.compile(
    r"\b(?:how to|steps?|guide to|tips|anleitung|schritte?|tipps|comment|étapes|conseils|cómo|pasos|consejos|como"
    r"|passos|dicas)\b",
    re.IGNORECASE,
)
# `1. Name`, `1) Name` and, where a sign says that it is a place, `#1 Name` and `No. 1 Name`.
PLACE = re.compile(
    r"^[ \t#*_>-]{0,8}(?:(?:#|no\.? ?|nr\.? ?)(?P<marked>\d{1,2})[.):]?|(?P<number>\d{1,2})[.):])"
    r"[ \t*_]{0,4}(?P<name>.{2,200})$",
    re.IGNORECASE | re.MULTILINE,
)
HEADING = re.compile(r"^#{1,2}[ \t]+(.{3,200})$", re.MULTILINE)
NAME_END = re.compile(r"\s[-–—|]\s|[:(（|–—]|\]\(")
EVERYDAY_WORDS = (
    "best blog news shop store home info online guide review reviews compare software apps tools tech health food money"
    " travel games music sport sports books cars test vergleich world daily times post media club life"
)
EVERYDAY = frozenset(EVERYDAY_WORDS.split())


@dataclass(frozen=True, slots=True)
class SelfPromotion:
    """`brand_token` is the name by which the site was found in its own list, at `rank_position`."""

    brand_domain: str
    brand_token: str
    rank_position: int
    confidence: Literal["high", "medium"]
    detected: bool = True


def find_self_promotion(url: str, title: str, text: str) -> SelfPromotion | None:
    """The signal, or None: nothing was seen, which says nothing for the page."""
    domain = registrable_domain(host_of(url))
    brand = _plain(domain.partition(".")[0])
    text = text[:TEXT_LENGTH]
    heading = HEADING.search(text)
    headline = f"{title[:300]}\n{heading[1] if heading else ''}"
    if len(brand) < SHORTEST_BRAND or brand in EVERYDAY or not RANKING.search(headline) or STEPS.search(headline):
        return None
    names = _places(text)
    named = [_names_brand(name, brand) for name in names]
    if len(names) < FEWEST_PLACES or not named[0] or sum(named) > max(1, OWN_CATALOGUE * len(named)):
        return None
    return SelfPromotion(domain, brand, 1, "high" if len(names) >= SURE_PLACES and sum(named) == 1 else "medium")


def without_place(title: str) -> str:
    """A title as lists are copied, `1. Shopify` or `#1 Shopify`, without its number."""
    numbered = PLACE.fullmatch(title.strip())
    return numbered["name"] if numbered else title


def _places(text: str) -> list[str]:
    """The names in the longest list numbered 1, 2, 3 … (or counted down to 1), the first place first."""
    lists = [[name for _, name in sorted(run)] for run in _runs(text) if min(run)[0] == 1]
    return max(lists, key=len, default=[])


def _runs(text: str) -> Iterator[list[tuple[int, str]]]:
    """Numbered lines whose numbers all go up by one, or all down."""
    run: list[tuple[int, str]] = []
    for match in PLACE.finditer(text):
        number = int(match["marked"] or match["number"])
        name = NAME_END.split(match["name"].strip("*_ []"))[0][:LONGEST_NAME]
        step = run[1][0] - run[0][0] if len(run) > 1 else number - run[0][0] if run else 0
        if run and (abs(step) != 1 or number - run[-1][0] != step):
            yield run
            run = []
        run.append((number, name))
    if run:
        yield run


def _names_brand(name: str, brand: str) -> bool:
    """Whether the name begins with the brand, written in one word or several: `AcmeSoft`, `Acme Soft Pro`."""
    joined = ""
    for word in re.findall(r"\w+", name)[:6]:
        joined += _plain(word)
        if joined == brand:
            return True
    return False


def _plain(name: str) -> str:
    folded = unicodedata.normalize("NFKD", name).casefold()
    return "".join(character for character in folded if character.isalnum())
