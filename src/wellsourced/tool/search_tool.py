"""What all search tools share: the way from the input to a query, and from results to an answer with hints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from annotated_types import Le
from pydantic import Field, ValidationError

from wellsourced.tool.base import UNTRUSTED, OutputPart, ToolInput, ToolOutput
from wellsourced.upstream import Kind

if TYPE_CHECKING:
    from wellsourced.tool.call import Call
    from wellsourced.upstream_client.provider_choice import ProviderChoice

MOST_ACTIONS = 3
# Finding nothing is not evidence of absence, and the answer says so to the model.
WARNING = "No results is not evidence that nothing exists: engines cover different parts of the web."

BROADEN = "Use fewer or more general words, another spelling, or the name in its own language."

Q = TypeVar("Q")


class SuggestedAction(OutputPart):
    action: str
    detail: str | None = None
    parameter: str | None = None
    value: str | None = None


def no_actions() -> list[SuggestedAction]:
    """In place of `list`, of which pydantic would find out in milliseconds whether it takes an argument."""
    return []


class Hints(OutputPart):
    """What to try when nothing was found."""

    reason: str
    providers_attempted: list[str] | None = None
    filters_applied: dict[str, str] | None = None
    suggested_actions: list[SuggestedAction] = Field(default_factory=no_actions)
    epistemic_warning: str | None = None


class ResultList(ToolOutput):
    """`notes` says what went wrong on the way; `hints` says what to try, and only where nothing was found.

    `attribution` is what the terms of those who answered ask to be said beside their data.
    `more` says of a list that was cut how many there are, where that is known, and how to get them.
    """

    query: str
    result_count: int
    notes: list[str] | None = None
    attribution: list[str] | None = None
    hints: Hints | None = None
    more: str | None = None
    trust: str

    @property
    def is_empty(self) -> bool:
        return not self.result_count


def build_query(query_type: type[Q], input: ToolInput, **more: Any) -> Q:
    """The query for an upstream: what the input has under the same name, and what is given here."""
    names = shared_names(query_type, type(input))  # type: ignore[arg-type]
    return query_type(**{name: getattr(input, name) for name in names if name not in more}, **more)


@cache
def shared_names(query_type: type[Any], input_type: type[ToolInput]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(query_type) if field.name in input_type.model_fields)


def describe_rest(
    input: ToolInput, shown: int, *, total: int | None = None, more_available: bool | None = None
) -> str | None:
    """Of a list that was cut: how many there are, and what gives more of them; None of one that is whole."""
    if not shown or not (more_available if total is None else total > shown):
        return None
    limits = (limit for limit in type(input).model_fields["num_results"].metadata if isinstance(limit, Le))
    most = int(str(next((limit.le for limit in limits), 0)))
    of = f"{shown} of {total}" if total is not None else f"{shown}, and there are more"
    if shown < most:
        return f"{of}; num_results gives up to {most}."
    return f"{of}; num_results gives no more than {most}: narrow the query or the dates for the others."


def list_fields(
    query: str, results: Sequence[object], notes: Iterable[str], hints: Hints | None, more: str | None = None
) -> dict[str, Any]:
    """The fields of a `ResultList`; hints belong to an answer without results alone."""
    return {
        "query": query,
        "result_count": len(results),
        "notes": list(dict.fromkeys(notes)) or None,
        "hints": None if results else hints,
        "more": more,
        "trust": UNTRUSTED,
    }


class UsedFilters(dict[str, str]):
    """Filters of one call with their values; `removable` are those without which the call still asks something."""

    removable: tuple[str, ...] = ()


def used_filters(input: ToolInput, *names: str) -> UsedFilters:
    """Those of these filters that the caller has set, in this order."""
    values = {name: value for name in names if (value := getattr(input, name)) and value != "all"}
    filters = UsedFilters({name: "true" if value is True else str(value) for name, value in values.items()})
    filters.removable = tuple(name for name in filters if can_leave_out(input, name))
    return filters


def can_leave_out(input: ToolInput, name: str) -> bool:
    """Whether the same call without this argument is another one, and one that would be accepted."""
    given = {field: getattr(input, field) for field in input.model_fields_set}
    if name not in given or given.pop(name) == type(input).model_fields[name].default:
        return False
    try:
        type(input).model_validate(given)
    except ValidationError:
        return False
    return True


def make_hints(filters: Mapping[str, str], attempted: Sequence[str], alternatives: Sequence[str] = ()) -> Hints:
    """Filters are suggested for removal in the order given, so the answer is the same every time.

    Only what can work is suggested: a filter that the call can do without, a provider that was not asked.
    """
    actions = [
        SuggestedAction(action="remove_filter", parameter=name, detail=f"Search again without {name}.")
        for name in getattr(filters, "removable", filters)
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
    if not actions:
        actions.append(SuggestedAction(action="broaden_query", parameter="query", detail=BROADEN))
    return Hints(
        reason="filters_too_restrictive" if filters else "no_match",
        providers_attempted=list(dict.fromkeys(attempted)) or None,
        filters_applied=dict(filters) or None,
        suggested_actions=actions,
        epistemic_warning=WARNING,
    )


def make_routed_hints(call: Call, providers: ProviderChoice, kind: Kind, filters: Mapping[str, str]) -> Hints:
    """After a search that could go to several providers: one of general use that was not asked is suggested, too."""
    attempted = call.trace.attempted
    return make_hints(filters, attempted, providers.suggestions(kind, attempted))
