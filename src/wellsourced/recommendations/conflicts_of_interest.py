"""Conflicts of interest that an author's own words show: employment, funding or a share in what is recommended.

Only a company that the recommendation names counts, and only next to words that tie the author to it. A name that is an
everyday word, or that merely occurs in the biography, is no conflict. Misses are preferred to false alarms.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from wellsourced.text.urls import host_of, registrable_domain

Stake: TypeAlias = Literal["employment", "funding", "equity"]

LONGEST = 2_000
# Shorter names are words or initials.
SHORTEST_NAME = 3
NAME = re.compile(r"[0-9]{0,3}[^\W\d_][\w&.'’+-]*(?:\s+[^\W\d_a-zß-ÿ][\w&.'’+-]*){0,3}")
DIGITS = "0123456789"
# Behind a name these make another one of it: a professor at Oxford University has no stake in an Oxford dictionary.
OTHER_BODY = re.compile(r"\s(?:University|College|School|Institute|Hospital|Museum|Street|Avenue|Road)(?!\w)")

EVERYDAY_WORDS = (
    "best top the and for with from great good new review reviews guide list pro plus app apps tool tools platform"
    " platforms software service services online free small business team company companies product products store shop"
    " web site cloud data simple easy fast first all our your this that how why what when number one a an in on of to"
)
EVERYDAY = frozenset(EVERYDAY_WORDS.split())
ROLE = (
    r"founder|co-?founder|ceo|cto|cfo|coo|cmo|chief\s\w+\sofficer|president|vp|vice\spresident|director"
    r"|head\sof\s[\w ]{2,30}|engineer|developer|designer|manager|marketer|marketing|writer|editor|evangelist|advocate"
    r"|consultant|analyst|lead|employee|strategist|specialist|owner|gründer(?:in)?|geschäftsführer(?:in)?"
    r"|mitarbeiter(?:in)?|leiter(?:in)?|fondateur|fondatrice|directeur|directrice|fundador[a]?|director[a]?|gerente"
    r"|empleado|empleada|основатель"
)
GAP = r"(?:\s(?:the|der|die|das|la|le|el))?\s"
EQUITY = (
    r"advis[eo]rs?\s(?:to|at|for|of)|board\smember\s(?:of|at)|on\sthe\sboard\sof|shareholder\s(?:in|of)|investor\sin"
    r"|invested\sin|invests\sin|stake\sin|shares\s(?:in|of)|equity\sin|stock\sin|aktionär(?:in)?\s(?:von|bei)|beirat\svon"
)
FUNDING = (
    r"funded\sby|grants?\sfrom|supported\sby|sponsored\sby|paid\sby|financed\sby|partner(?:ship)?\swith"
    r"|affiliate\s(?:of|for)|finanziert\svon|gefördert\svon|gesponsert\svon|financée?\spar|financiad[oa]\spor"
    r"|patrocinad[oa]\spor"
)
EMPLOYMENT = (
    r"works?\s(?:at|for)|working\s(?:at|for)|worked\s(?:at|for)|employed\s(?:at|by)|employee\s(?:of|at)|joined|team\sat"
    rf"|(?:{ROLE})\s(?:at|of|for|bei|von|chez|de|en|в)|arbeitet\s(?:bei|für)|travaille\schez|trabaja\s(?:en|para)"
    r"|работает\sв|at|@"
)
# The graver stake first; the first that is found is the one shown.
TIES: dict[Stake, re.Pattern[str]] = {
    "equity": re.compile(rf"(?<!\w)(?:{EQUITY}){GAP}", re.IGNORECASE),
    "funding": re.compile(rf"(?<!\w)(?:{FUNDING}){GAP}", re.IGNORECASE),
    "employment": re.compile(rf"(?<!\w)(?:(?:{EMPLOYMENT}){GAP}|(?:{ROLE}),\s)", re.IGNORECASE),
}
# Words before a tie that deny it, or give it to somebody else.
NOT_THE_AUTHOR = re.compile(
    r"(?<!\w)(?:never|not|no|nor|without|neither|nicht|nie|keine?|ohne|pas|jamais|sans|nunca|sin|não|не|никогда"
    r"|interview\w*|profil\w*|met|spoke|talked|quot\w*|about|lives?|lived|grew\sup|born|raised)(?!\w)[^.;!?]{0,40}\Z",
    re.IGNORECASE,
)

ROLE_BEHIND = re.compile(rf"(?:['’]s)?,?\s(?:{ROLE})(?!\w)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictOfInterest:
    """`words` are those of the author text that show it."""

    entity: str
    stake: Stake
    words: str


def find_conflict(title: str, url: str | None, author_text: str) -> ConflictOfInterest | None:
    """The first stake that the author's text shows in something the recommendation names."""
    text = " ".join(author_text[:LONGEST].split())
    names = named_entities(title, url) if text else []
    for stake, pattern in TIES.items():
        for match in pattern.finditer(text):
            if NOT_THE_AUTHOR.search(text[max(0, match.start() - 60) : match.start()]):
                continue
            for name in names:
                if _begins(text[match.end() :], name):
                    return ConflictOfInterest(
                        entity=name, stake=stake, words=match[0] + text[match.end() :][: len(name)]
                    )
    for name in names:
        if words := _role_behind(text, name):
            return ConflictOfInterest(entity=name, stake="employment", words=words)
    return None


def named_entities(title: str, url: str | None) -> list[str]:
    """Names in the recommendation, and the name of the site it points to."""
    names = [
        match[0].strip(" .,'’-") for match in NAME.finditer(title[:LONGEST]) if match[0].lstrip(DIGITS)[:1].isupper()
    ]
    words = [word for name in names for word in (name, *name.split())]
    site = registrable_domain(host_of(url or "")).partition(".")[0]
    kept = [name for name in (*words, site) if len(name) >= SHORTEST_NAME and name.casefold() not in EVERYDAY]
    return list(dict.fromkeys(kept))[:20]


def _begins(rest: str, name: str) -> bool:
    """The name as a name: not a word that happens to be spelt alike (`At slack water`)."""
    written, after = rest[: len(name)], rest[len(name) : len(name) + 1]
    is_alike = written.casefold() == name.casefold()
    is_name = written == name or (is_alike and (not written[:1].islower() or "." in name))
    return is_name and not after.isalnum() and not OTHER_BODY.match(rest, len(name))


def _role_behind(text: str, name: str) -> str:
    """`Zendesk engineer`, `Zendesk's CEO`."""
    place = text.find(name)
    while place >= 0:
        match = ROLE_BEHIND.match(text, place + len(name))
        if match and not text[place - 1 : place].isalnum():
            return name + match[0]
        place = text.find(name, place + 1)
    return ""
