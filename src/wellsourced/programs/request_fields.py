"""Reads the members of a request; an error says what is wrong and what would be right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wellsourced.programs.program import API_ERROR, ProgramError

SHORTEST_QUERY = 2
MOST_DOMAINS = 100


def read_query(request: dict[str, Any]) -> str:
    value = request.get("query")
    if not isinstance(value, str):
        raise ProgramError("query is required and must be a string.", API_ERROR)
    if len(value.strip()) < SHORTEST_QUERY:
        raise ProgramError(f"query must have at least {SHORTEST_QUERY} characters.", API_ERROR)
    return value.strip()


def read_number(
    request: dict[str, Any], name: str, default: int, least: int, most: int | None = None, code: str = API_ERROR
) -> int:
    """A whole number within its bounds; null counts as absent."""
    value = request.get(name)
    if value is None:
        return default
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ProgramError(f"{name} must be a whole number; got {_shorten(value)}.", code)
    if value < least or (most is not None and value > most):
        bounds = f"between {least} and {most}" if most is not None else f"{least} or more"
        raise ProgramError(f"{name} must be {bounds}; got {value}.", code)
    return value


def read_domains(request: dict[str, Any], name: str) -> list[str]:
    """Hosts in their plain form: without scheme, port and path."""
    value = request.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ProgramError(f"{name} must be a list of domains such as example.com.", API_ERROR)
    if len(value) > MOST_DOMAINS:
        raise ProgramError(f"{name} may hold at most {MOST_DOMAINS} domains; got {len(value)}.", API_ERROR)
    return list(dict.fromkeys(domain for item in value if (domain := _parse_domain(item, name))))


def is_wanted(url: str, allowed: Sequence[str], blocked: Sequence[str]) -> bool:
    """Whether a result may be shown: a domain includes its subdomains, and a blocked one is out in any case."""
    from wellsourced.text.urls import host_of

    host = host_of(url)
    if any(_is_within(host, domain) for domain in blocked):
        return False
    return not allowed or any(_is_within(host, domain) for domain in allowed)


def _is_within(host: str, domain: str) -> bool:
    return host == domain or host.endswith(f".{domain}")


def _parse_domain(text: str, name: str) -> str:
    from wellsourced.text.urls import host_of

    bare = text.strip().removeprefix("*.").lstrip(".")
    if not bare:
        return ""
    host = host_of(bare if "://" in bare else f"https://{bare}")
    if not host:
        raise ProgramError(f"{name}: {_shorten(text)} is not a domain such as example.com.", API_ERROR)
    return host


def _shorten(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "…"
