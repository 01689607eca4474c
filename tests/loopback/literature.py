"""What the imitated scholarly services know: works made from the words of a query, or from their own identifiers.

A DOI `10.1000/solar-panels.3` is the third work on solar panels, wherever it is asked for. The words of a query change
its works: `retracted` has its first one retracted, `flagged` has it flagged by OpenAlex alone, `trial` has a trial
deposit among them, `closed` leaves none free.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.loopback.content import has_word, stable_number

PREFIX = "10.1000/"
TRIAL_PREFIX = "10.5555/"
TOTAL = 12
NEWEST_YEAR = 2024
OPERATORS = re.compile(r'["()]|\b(?:after|before|filetype):\S+')


@dataclass(frozen=True)
class Work:
    words: str
    rank: int

    @property
    def doi(self) -> str:
        prefix = TRIAL_PREFIX if self.rank == 2 and has_word(self.words, "trial") else PREFIX
        return f"{prefix}{self.words.replace(' ', '-')}.{self.rank}".lower()

    @property
    def title(self) -> str:
        return f"A study of {self.words}, part {self.rank}"

    @property
    def year(self) -> int:
        """The best match is in the middle of the years, so that order by rank and by date differ."""
        return NEWEST_YEAR - (self.rank * 5 + 3) % TOTAL

    @property
    def date(self) -> str:
        return f"{self.year}-{self.rank % 12 + 1:02}-15"

    @property
    def number(self) -> int:
        return stable_number(self.doi)

    @property
    def is_open(self) -> bool:
        return self.rank % 2 == 1 and not has_word(self.words, "closed")

    @property
    def is_retracted(self) -> bool:
        return self.rank == 1 and has_word(self.words, "retracted")

    @property
    def is_flagged(self) -> bool:
        return self.is_retracted or (self.rank == 1 and has_word(self.words, "flagged"))

    @property
    def authors(self) -> list[tuple[str, str]]:
        return [("Ada", "Lovelace"), ("Émilie", "du Châtelet")][: self.rank % 2 + 1]

    @property
    def abstract(self) -> str:
        return f"We looked at {self.words} for the {self.rank}. time and report {self.number % 97} findings."


def works(query: str, count: int) -> list[Work]:
    words = " ".join(OPERATORS.sub(" ", query).lower().split())[:60].strip()
    if has_word(words, "nothing") or not words:
        return []
    return [Work(words, rank) for rank in range(1, min(count, TOTAL) + 1)]


def by_doi(doi: str) -> Work | None:
    doi = doi.lower().removeprefix("https://doi.org/")
    if not doi.startswith((PREFIX, TRIAL_PREFIX)):
        return None
    slug, _, rank = doi.partition("/")[2].rpartition(".")
    return Work(slug.replace("-", " "), int(rank)) if slug and rank.isdigit() else None


def by_title(title: str) -> Work | None:
    found = re.search(r"study of (.+?),? part (\d+)", title, re.IGNORECASE)
    return Work(found[1].lower(), int(found[2])) if found else None


def neighbours(work: Work, how: str, count: int) -> list[Work]:
    """Works around another; `how` is part of their names."""
    return [Work(f"{how} {work.words}", rank) for rank in range(1, min(count, 8) + 1)]
