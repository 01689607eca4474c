"""The engines' rows as the contract's results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wellsourced.programs.fields import is_wanted
from wellsourced.programs.program_error import API_ERROR, Failure


def listed(body: Any, name: str, signs: Sequence[str] = ()) -> list[Any]:
    """The rows. Engines leave the list out when nothing was found; `signs` are what their answer has even then."""
    if isinstance(body, dict) and body.get(name) is None and any(sign in body for sign in signs):
        return []
    rows = body.get(name) if isinstance(body, dict) else None
    if not isinstance(rows, list):
        raise Failure(f"The answer was not understood: {name} is not a list.", API_ERROR)
    return rows


def chosen(
    rows: Sequence[Any], url: str, snippet: str, most: int, allowed: Sequence[str], blocked: Sequence[str]
) -> dict[str, Any]:
    """At most so many results, each address once, within the domains; rows without title or address are left out."""
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        result = _result(row, url, snippet) if isinstance(row, dict) else None
        if result and is_wanted(result["url"], allowed, blocked):
            found.setdefault(result["url"], result)
    if rows and not any(isinstance(row, dict) and row.get(url) for row in rows):
        raise Failure("The answer was not understood: its results have no addresses.", API_ERROR)
    results = list(found.values())[:most]
    return {"results": results, "count": len(results)}


def _result(row: Mapping[str, Any], url: str, snippet: str) -> dict[str, str] | None:
    from wellsourced.text.plain_text import plain

    address, title, told = row.get(url), row.get("title"), row.get(snippet)
    if not isinstance(address, str) or not address.startswith(("http://", "https://")) or not isinstance(title, str):
        return None
    shown = plain(title)
    return {"title": shown, "url": address, "snippet": plain(told) if isinstance(told, str) else ""} if shown else None
