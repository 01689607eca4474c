"""What is known of a domain: how its pages are made, as a tier and a note.

The table ships with the package (`data/reputation.json`, whose `basis` says what the tiers mean); an operator's
file of the same shape extends or overrides it, and the tier `unknown` takes an entry out. Only whole domain names
count: the host itself, then the domains above it. `*.gov` stands for every name below `gov`, not for `gov` itself.
Descriptive only: nothing is hidden or re-ordered by it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path

from wellsourced.data import FOLDER
from wellsourced.errors import Misconfigured
from wellsourced.late_dataclass import dataclass
from wellsourced.text.urls import WEB_SCHEMES, host_of, parse_url

TIERS = ("high", "mixed", "low", "unknown")
# Far beyond the shipped table; a larger file is not meant for this setting.
LARGEST_FILE = 4 * 1024 * 1024
LONGEST_HOST = 253
NOTE_LENGTH = 300

PLAIN_NAME = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*")
NOT_IN_A_NAME = re.compile(r"[/@:?#*\\\s]|\.\.")


@dataclass(frozen=True, slots=True)
class DomainReputation:
    """`domain` is the entry that was found: the host itself, one above it, or a suffix such as `*.gov`."""

    tier: str
    note: str
    domain: str


class ReputationTable:
    """A table of standings by domain name in ASCII form."""

    def __init__(self, table: Mapping[str, DomainReputation]) -> None:
        self._table = table
        self._find = lru_cache(maxsize=1024)(self._find_above)

    @classmethod
    def load(cls, extra: Path | None = None) -> ReputationTable:
        """The shipped table with the operator's file laid over it; a file that is wrong raises Misconfigured."""
        return cls({**load_shipped_table(), **read_table(extra)} if extra is not None else load_shipped_table())

    def lookup(self, url_or_host: str) -> DomainReputation | None:
        """The nearest entry, or None: nothing is known, which says nothing against the domain."""
        return self._find(_host(url_or_host))

    def _find_above(self, host: str) -> DomainReputation | None:
        for name in _names_above(host):
            if name in self._table:
                standing = self._table[name]
                return standing if standing.tier != "unknown" else None
        return None

    def __len__(self) -> int:
        return len(self._table)


@cache
def load_shipped_table() -> Mapping[str, DomainReputation]:
    """The table that ships with the package, read on first use."""
    return parse_table((FOLDER / "reputation.json").read_bytes())


def read_table(path: Path) -> Mapping[str, DomainReputation]:
    try:
        with path.open("rb") as file:
            return parse_table(file.read(LARGEST_FILE + 1))
    except OSError as problem:
        raise Misconfigured(f"REPUTATION_PATH: {str(path)!r} cannot be read: {problem.strerror}.") from None
    except ValueError as problem:
        raise Misconfigured(f"REPUTATION_PATH: {str(path)!r} is not a reputation table. {problem}") from None


def parse_table(data: bytes) -> Mapping[str, DomainReputation]:
    """A table from the bytes of its file; raises ValueError with a sentence that says what is wrong."""
    if len(data) > LARGEST_FILE:
        raise ValueError(f"It is larger than {LARGEST_FILE // 1024 // 1024} MB.")
    try:
        value = json.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError) as problem:
        raise ValueError(f"It is not readable JSON ({str(problem)[:120]}).") from None
    domains = value.get("domains") if isinstance(value, dict) else None
    if not isinstance(domains, dict):
        raise ValueError('It needs the shape {"domains": {"example.org": {"tier": "high", "note": "why"}}}.')
    standings = (_standing(name, entry) for name, entry in domains.items())
    return {standing.domain: standing for standing in standings}


def _standing(name: str, entry: object) -> DomainReputation:
    domain = _normal_name(name)
    if not domain:
        raise ValueError(f"{name[:120]!r} is not a domain; write it like example.org or *.example.org.")
    tier = entry.get("tier") if isinstance(entry, dict) else None
    note = entry.get("note", "") if isinstance(entry, dict) else None
    if tier not in TIERS:
        raise ValueError(f"The tier of {domain} is none of {', '.join(TIERS)}.")
    if not isinstance(note, str):
        raise ValueError(f"The note of {domain} is not a text; put it in quotes.")
    return DomainReputation(tier, note.strip()[:NOTE_LENGTH], domain)


def _normal_name(name: str) -> str:
    """A table key in ASCII form, "" when it is none. Plain names are not parsed, which keeps loading quick."""
    star = "*." if name.startswith("*.") else ""
    rest = name.removeprefix("*.")
    if not PLAIN_NAME.fullmatch(rest):
        rest = "" if NOT_IN_A_NAME.search(rest) else _host(rest)
    return star + rest if (star and rest) or "." in rest else ""


def _host(url_or_host: str) -> str:
    """The host a browser would go to; "" when there is none or when it is no web address."""
    text = url_or_host.strip()
    url = text if "://" in text or text.startswith("//") else f"https://{text}"
    if url.startswith(("http://", "https://")):
        host = host_of(url)
    else:
        parsed = parse_url(url)
        host = parsed.hostname.removesuffix(".") if parsed and parsed.protocol in WEB_SCHEMES else ""
    return host if len(host) <= LONGEST_HOST else ""


def _names_above(host: str) -> Iterator[str]:
    """`a.b.org`, `*.b.org`, `b.org`, `*.org`, `org`: the nearest entry is met first."""
    name = host
    while name:
        yield name
        _, dot, name = name.partition(".")
        if dot:
            yield f"*.{name}"
