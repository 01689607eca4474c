"""What kind of place a host is, from the table `data/hosts.json` and from suffixes only certain bodies can register.

Only whole names count: an entry stands for its host and the names below it, so `nature.com.example` is not Nature and
what stands in a path is nothing. A suffix such as `gov.uk`, `gob.mx` or `ac.jp` counts when the public suffix list has
it, so that `go.example` is not taken for a government.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from wellsourced.data import FOLDER
from wellsourced.text.urls import host_of, is_web_url, registrable_domain

LONGEST_HOST = 253
NOT_GRANTED = frozenset({"go.it"})  # the province of Gorizia
COUNTRY = re.compile(r"[a-z]{2}|xn--[a-z0-9-]+")


def source_type_of(url: str) -> str:
    """The kind of source by its host, or `unknown`."""
    host = _host(url)
    return _type_of_host(host) if host else "unknown"


def established_type_of(url: str) -> str:
    """The kind of source where the host is known for it, or `unknown`: anybody can call a host `docs`."""
    return _established_type(_host(url)) or "unknown"


def category_of(url: str) -> str:
    """The subject of a host, or `general`."""
    host = _host(url)
    if not host:
        return "general"
    listed = _listed(host, _names("categories"))
    if listed:
        return listed
    kind = _type_of_host(host)
    if kind == "peer_reviewed" or is_academic(host):
        return "academic"
    return "technical" if kind == "official_docs" else "general"


def is_government(host: str) -> bool:
    return host == "gov" or host.endswith((".gov", ".mil")) or _has_suffix(host, "governmentLabels")


def is_academic(host: str) -> bool:
    return host.endswith(".edu") or _has_suffix(host, "academicLabels") or bool(_listed(host, _academic()))


@lru_cache(maxsize=1024)
def _type_of_host(host: str) -> str:
    return _established_type(host) or _prefixes().get(host.partition(".")[0] if host.count(".") > 1 else "", "unknown")


def _established_type(host: str) -> str:
    """By the table, or by a suffix that has to be granted; "" otherwise."""
    listed = _listed(host, _names("types"))
    if listed or not host:
        return listed
    if is_government(host):
        return "government"
    return "peer_reviewed" if is_academic(host) else ""


def _host(url: str) -> str:
    host = host_of(url) if is_web_url(url) else ""
    return host if len(host) <= LONGEST_HOST else ""


def _listed(host: str, table: Mapping[str, str]) -> str:
    return next((table[name] for name in _names_above(host) if name in table), "")


def _names_above(host: str) -> Iterator[str]:
    """The host, then every name above it: the nearest entry is met first."""
    while host:
        yield host
        host = host.partition(".")[2]


def _has_suffix(host: str, labels: str) -> bool:
    """Whether a host is below a public suffix of two parts such as `gov.uk`, or is that suffix itself."""
    domain = registrable_domain(host)
    suffix = domain.partition(".")[2] if domain != host or host.count(".") > 1 else host
    first, _, country = suffix.partition(".")
    is_suffix = bool(COUNTRY.fullmatch(country)) and registrable_domain(f"name.{suffix}") == f"name.{suffix}"
    return is_suffix and suffix not in NOT_GRANTED and first in _table()[labels]


@cache
def _table() -> Mapping[str, Mapping[str, list[str]]]:
    table: dict[str, Mapping[str, list[str]]] = json.loads((FOLDER / "hosts.json").read_bytes())
    return table


@cache
def _names(section: str) -> Mapping[str, str]:
    return {host: kind for kind, hosts in _table()[section].items() for host in hosts}


@cache
def _academic() -> Mapping[str, str]:
    return dict.fromkeys(_table()["academicHosts"], "academic")


@cache
def _prefixes() -> Mapping[str, str]:
    return {prefix: kind for kind, prefixes in _table()["typePrefixes"].items() for prefix in prefixes}
