"""Answers of SPARQL services (application/sparql-results+json): rows of values, without what is not bound."""

from __future__ import annotations

from collections.abc import Mapping

from wellsourced.errors import UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Reply
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, objects_in

# What the engines say of their own trouble: Virtuoso in a sentence, Blazegraph in a stack trace.
TROUBLE = ("virtuoso", "timeoutexception")


def parse_bindings(reply: Reply, title: str) -> list[Mapping[str, str]]:
    """One mapping a row, name to value; a variable that is not bound is absent."""
    if reply.status in {400, 500} and any(sign in reply.summary.lower() for sign in TROUBLE):
        raise UpstreamUnavailable(f"{title} could not answer: {reply.summary}")
    rows = as_object(as_object(reply.expect_ok().json()).get("results")).get("bindings")
    if not isinstance(rows, list):
        raise UpstreamChanged(f"{title}'s answer has no list of rows.", detail=reply.summary)
    return [_values(row) for row in objects_in(rows)]


def _values(row: Mapping[str, object]) -> Mapping[str, str]:
    return {name: text for name, cell in row.items() if (text := as_text(as_object(cell).get("value")))}
