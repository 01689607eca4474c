"""An upstream that the caller named, which may be of several kinds: a database of its own, or an engine of the web."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from wellsourced.errors import UnknownProvider
from wellsourced.upstream import Kind
from wellsourced.upstream_client.router import DOING, Router
from wellsourced.upstreams import providers_offering

FURTHER = {Kind.CITATIONS: "follow citations"}


def chosen(router: Router, name: str, kinds: Sequence[Kind]) -> tuple[Kind, str]:
    """The first of the kinds that the named upstream offers, checked; the error lists every choice once."""
    wanted = name.strip().lower()
    for kind in kinds:
        if wanted in providers_offering(kind):
            return kind, router.named(kind, wanted)
    able = list(dict.fromkeys(name for kind in kinds for name in providers_offering(kind)))
    near = get_close_matches(wanted, able, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    doing = (DOING | FURTHER).get(kinds[0], kinds[0].value)
    raise UnknownProvider(
        f"No provider {name[:80]!r} can {doing}.{hint} Choose from: {', '.join(able)}.",
        alternatives=sorted({name for kind in kinds for name in router.alternatives(kind)}),
    )
