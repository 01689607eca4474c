"""Of what rules in `@scope` speak, written as selectors."""

from __future__ import annotations

from typing import NamedTuple

from wellsourced.late_pattern import late_pattern

# Each scope in another names what is around it several times: of longer ones nothing is asked within.
LONGEST_SCOPE = 2_000

CHILD_OF_ROOT = late_pattern(r":scope\s*>\s*([^\s>+~,()]{1,200})")


class Scope(NamedTuple):
    """What a selector stands in, and what it must not stand in.

    `loose` is the first, whatever limits are around it; `is_cut` says that something around it is not asked.
    """

    root: str
    limit: str = ""
    loose: str = ""
    is_cut: bool = False

    def without_limits(self) -> Scope:
        return Scope(self.loose, loose=self.loose, is_cut=True)


def read_scope(rest: str, around: Scope | None) -> Scope:
    """Of `@scope (root) to (limit)`."""
    root, _, limit = rest.partition(" to ")
    root, limit = (part.strip().removeprefix("(").removesuffix(")") for part in (root, limit))
    loose = root = f":where({root})" if root else ":root"
    is_cut = around is not None and len(around.root) + len(around.limit) > LONGEST_SCOPE
    if around and not is_cut:
        root, loose = f":where({around.root} {root}{around.limit})", f":where({around.loose} {root})"
    if child := CHILD_OF_ROOT.fullmatch(limit):
        # What is below such a limit of one root may be within another that is farther out.
        kept = f"{root} > :not({child[1]})"
        return Scope(root, f":where({root}, {kept}, {kept} *)", loose, is_cut)
    limit = limit.replace(":scope", root) if ":scope" in limit else f"{root} :is({limit})" if limit else ""
    # Below a limit another root begins anew.
    again = f":is({limit}):is({root}) *, :is({limit}) {root} *"
    # Neither counts for how specific a rule is.
    return Scope(root, f":not(:where(:is({limit}, :is({limit}) *):not({again})))" if limit else "", loose, is_cut)
