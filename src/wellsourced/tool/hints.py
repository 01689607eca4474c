"""What to try when nothing was found. Finding nothing is not evidence of absence, and the hint says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import Field

from wellsourced.tool.base import OutputPart, ToolInput
from wellsourced.upstream import Kind

if TYPE_CHECKING:
    from wellsourced.tool.call import Call
    from wellsourced.upstream_client.provider_choice import ProviderChoice

MOST_ACTIONS = 3
WARNING = "No results is not evidence that nothing exists: engines cover different parts of the web."


class SuggestedAction(OutputPart):
    action: str
    detail: str | None = None
    parameter: str | None = None
    value: str | None = None


class Hints(OutputPart):
    reason: str
    providers_attempted: list[str] | None = None
    filters_applied: dict[str, str] | None = None
    suggested_actions: list[SuggestedAction] = Field(default_factory=list)
    epistemic_warning: str | None = None


def filled(input: ToolInput, *names: str) -> dict[str, str]:
    """Those of these filters that the caller has set, in this order."""
    return {name: str(value) for name in names if (value := getattr(input, name))}


def hints(filters: Mapping[str, str], attempted: Sequence[str], alternatives: Sequence[str]) -> Hints:
    """Filters are suggested for removal in the order given, so the answer is the same every time."""
    actions = [
        SuggestedAction(action="remove_filter", parameter=name, detail=f"Search again without {name}.")
        for name in filters
    ][:MOST_ACTIONS]
    if alternatives and len(actions) < MOST_ACTIONS:
        actions.append(
            SuggestedAction(
                action="try_different_provider",
                parameter="provider",
                value=alternatives[0],
                detail="Ask another engine.",
            )
        )
    return Hints(
        reason="filters_too_restrictive" if filters else "no_match",
        providers_attempted=list(dict.fromkeys(attempted)) or None,
        filters_applied=dict(filters) or None,
        suggested_actions=actions,
        epistemic_warning=WARNING,
    )


def routed_hints(call: Call, providers: ProviderChoice, kind: Kind, filters: Mapping[str, str]) -> Hints:
    """After a search that could go to several providers: one that was not asked is suggested, too."""
    attempted = call.trace.attempted
    return hints(filters, attempted, providers.alternatives(kind, attempted))
