"""The name that somebody may have meant who wrote one that does not exist."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

LONGEST = 80


def did_you_mean(name: str, known: Iterable[str] | Mapping[str, str], likeness: float = 0.6) -> str:
    """` Did you mean …?` with the nearest known name, or "" where none is near. A mapping says how each is shown."""
    from difflib import get_close_matches

    near = get_close_matches(name[:LONGEST], list(known), n=1, cutoff=likeness)
    shown = known[near[0]] if near and isinstance(known, Mapping) else "".join(near)
    return f" Did you mean {shown}?" if near else ""
