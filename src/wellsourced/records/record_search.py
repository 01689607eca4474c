"""What the tools for primary sources share: one source is asked, and its records are listed with its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from wellsourced.errors import BadInput
from wellsourced.tool.arguments import is_day
from wellsourced.tool.search_tool import ResultList, describe_rest, list_fields, make_hints
from wellsourced.upstreams.helpers.periods import parse_bounds

if TYPE_CHECKING:
    from wellsourced.tool.base import ToolInput
    from wellsourced.tool.call import Call
    from wellsourced.upstream import Kind
    from wellsourced.upstream_client.lookup import Lookup, LookupResult

SHOWN_LENGTH = 40


class RecordList(ResultList):
    # A registry may have the record tomorrow: that it has none today is never cached.
    empty_lifetime: ClassVar[float] = 0


async def look_up(kind: Kind, query: object, provider: str | None, call: Call, lookup: Lookup) -> LookupResult:
    return await lookup.ask(kind, query, provider=provider, deadline=call.deadline, trace=call.trace)


def record_fields(
    query: str | None,
    records: Sequence[object],
    looked: LookupResult,
    filters: Mapping[str, str],
    input: ToolInput | None = None,
) -> dict[str, Any]:
    """The fields of a `RecordList` and the provider that was asked; with the input, how to get the rest."""
    hints = make_hints(filters, [looked.provider], looked.alternatives)
    found, more = looked.found, None
    if input is not None:
        more = describe_rest(input, len(records), total=found.total, more_available=found.more_available)
    return {"provider": looked.provider, **list_fields(query or "", records, found.notes, hints, more), "query": query}


def check_date_window(date_from: str | None, date_to: str | None, *, days_only: bool = True) -> None:
    """Raise ValueError with a sentence when a date cannot be read or the window is turned round."""
    for name, text in (("date_from", date_from), ("date_to", date_to)):
        if text and text.strip() and days_only and not is_day(text.strip()):
            raise ValueError(f"{name} must be a day as YYYY-MM-DD, e.g. 2024-07-31; got {text[:SHOWN_LENGTH]!r}.")
    try:
        parse_bounds(date_from, date_to)
    except BadInput as problem:
        raise ValueError(problem.sentence) from None
