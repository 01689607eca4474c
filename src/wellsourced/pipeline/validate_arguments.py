"""Arguments become the tool's typed input, or a sentence that says what is wrong and what would be right."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from functools import cache
from itertools import chain
from typing import Any

from annotated_types import Ge, Le
from pydantic import AliasChoices, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from wellsourced.errors import BadInput
from wellsourced.pipeline.middleware import Handler
from wellsourced.text.did_you_mean import did_you_mean
from wellsourced.tool.answer import ToolAnswer, with_notes
from wellsourced.tool.base import Tool, ToolInput
from wellsourced.tool.call import Call

SHOWN_LENGTH = 60
HALF_PAIR = re.compile("[\ud800-\udfff]")
WRONG = {
    "missing": "is required.",
    "string_too_short": "is required and must not be empty.",
    "string_too_long": "must be {max_length} characters or less.",
    "too_short": "must hold at least {min_length}; got {actual_length}.",
    "too_long": "must hold at most {max_length}; got {actual_length}.",
    "literal_error": "must be {expected}; got {got}.",
    "greater_than_equal": "must be at least {ge}; got {got}.",
    "less_than_equal": "must be at most {le}; got {got}.",
}
KINDS = {
    "string_unicode": "valid Unicode text",
    "string": "text",
    "int": "a whole number",
    "float": "a number",
    "finite": "a number",
    "bool": "true or false",
    "list": "a list",
    "dict": "an object",
    "model": "an object",
}
"""What pydantic's kinds of wrong type, by how they begin, are called in plain words."""


CLAMPED = ("num_results", "limit", "max_length", "max_length_per_source", "total_max_length", "max_tokens")
"""Amounts: one that is too large or too small is taken as the nearest that is allowed, and a note says so."""


async def validate_arguments(call: Call, next_handler: Handler) -> ToolAnswer:
    given = without_blanks(call.tool, call.arguments)
    clamped = clamp_amounts(call.tool, given)
    try:
        call.input = call.tool.input.model_validate({**given, **clamped})
    except ValidationError as problem:
        sentences = [error_sentence(call.tool, error) for error in problem.errors(include_url=False)]
        raise BadInput(" ".join(dict.fromkeys(sentences))) from None
    for name, value in call.arguments.items():
        if not is_unicode(value):  # pydantic looks at texts of a limited length alone
            raise BadInput(f"{name} must be {KINDS['string_unicode']}; got {quote_value(value)}.")
    return with_clamps(await next_handler(call), given, clamped)


def clamp_amounts(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, float]:
    """The amounts that lie outside what the tool takes, as the nearest that it does take."""
    return {
        name: nearest
        for name, (lowest, highest) in amount_limits(tool.input).items()
        if isinstance(given := arguments.get(name), (int, float))
        and (nearest := lowest if given < lowest else highest if given > highest else given) != given
    }


@cache
def amount_limits(input: type[ToolInput]) -> dict[str, tuple[float, float]]:
    """The least and the most that is taken of each amount."""
    fields = input.model_fields
    return {name: field_limits(fields[name]) for name in CLAMPED if name in fields}


def field_limits(field: FieldInfo) -> tuple[float, float]:
    lowest = next((limit.ge for limit in field.metadata if isinstance(limit, Ge)), None)
    highest = next((limit.le for limit in field.metadata if isinstance(limit, Le)), None)
    return lowest if isinstance(lowest, int) else -math.inf, highest if isinstance(highest, int) else math.inf


def with_clamps(answer: ToolAnswer, given: Mapping[str, Any], clamped: Mapping[str, float]) -> ToolAnswer:
    """The answer with a note for each amount that was changed; `_meta` says how many results were asked for."""
    if not clamped:
        return answer
    notes = [f"{name} was {quote_value(given[name])}; {taken} was taken instead." for name, taken in clamped.items()]
    asked = {"requestedNumResults": given["num_results"]} if "num_results" in clamped else {}
    return with_notes(answer, notes).with_meta(asked)


def without_blanks(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What was given: many clients send null or "" for what they leave out. A required one stays and is refused."""
    needed = required_names(tool.input)
    return {name: value for name, value in arguments.items() if name in needed or not is_blank(value)}


@cache
def required_names(input: type[ToolInput]) -> frozenset[str | None]:
    required = ((name, field.alias) for name, field in input.model_fields.items() if field.is_required())
    return frozenset(chain.from_iterable(required))


def is_unicode(value: Any) -> bool:
    """Whether no text in it has half of a surrogate pair, which JSON can carry and nothing can store."""
    if isinstance(value, str):
        return value.isascii() or not HALF_PAIR.search(value)
    if isinstance(value, Mapping):
        return all(is_unicode(part) for pair in value.items() for part in pair)
    return all(map(is_unicode, value)) if isinstance(value, list) else True


def is_blank(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def error_sentence(tool: Tool, error: ErrorDetails) -> str:
    """One pydantic error in plain words."""
    where, kind = ".".join(str(part) for part in error["loc"]), error["type"]
    if kind == "extra_forbidden":
        return unknown_argument(tool, where)
    if kind == "value_error":
        return f"{where}: {error['ctx']['error']}" if where else str(error["ctx"]["error"])
    got = quote_value(error["input"])
    if kind in WRONG:
        return f"{where} {WRONG[kind].format(**error.get('ctx', {}), got=got)}"
    wanted = next((words for start, words in KINDS.items() if kind.startswith(start)), None)
    return f"{where} must be {wanted}; got {got}." if wanted else f"{where}: {error['msg']}; got {got}."


def unknown_argument(tool: Tool, name: str) -> str:
    for python_name, field in tool.input.model_fields.items():
        if isinstance(field.validation_alias, AliasChoices) and name in field.validation_alias.choices:
            return f"{name} is another name for {python_name}; give only one of them."
    known = [field.alias or python_name for python_name, field in tool.input.model_fields.items()]
    hint = did_you_mean(name.lower(), known, 0.5)
    return f"{tool.name} has no argument {quote_value(name)}.{hint} It takes: {', '.join(known)}."


def quote_value(value: Any) -> str:
    text = json.dumps(value) if value is None or isinstance(value, bool) else repr(value)
    return text if len(text) <= SHOWN_LENGTH else text[:SHOWN_LENGTH] + "…"
