"""Arguments become the tool's typed input, or a sentence that says what is wrong and what would be right."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from wellsourced.errors import BadInput
from wellsourced.layers.pipeline import GoOn
from wellsourced.model.answer import Answer
from wellsourced.model.tool import Tool
from wellsourced.research.call import Call

SHOWN_LENGTH = 60


async def validate(call: Call, go_on: GoOn) -> Answer:
    try:
        call.input = call.tool.input.model_validate(call.arguments)
    except ValidationError as problem:
        sentences = [sentence(call.tool, error) for error in problem.errors(include_url=False)]
        raise BadInput(" ".join(dict.fromkeys(sentences))) from None
    return await go_on(call)


def sentence(tool: Tool, error: ErrorDetails) -> str:
    """One pydantic error in plain words."""
    where = ".".join(str(part) for part in error["loc"])
    match error["type"]:
        case "missing":
            return f"{where} is required."
        case "extra_forbidden":
            return unknown_argument(tool, where)
        case "string_too_short":
            return f"{where} is required and must not be empty."
        case "string_too_long":
            return f"{where} must be {error['ctx']['max_length']} characters or less."
        case "literal_error":
            return f"{where} must be {error['ctx']['expected']}; got {shown(error['input'])}."
        case "greater_than_equal":
            return f"{where} must be at least {error['ctx']['ge']}; got {shown(error['input'])}."
        case "less_than_equal":
            return f"{where} must be at most {error['ctx']['le']}; got {shown(error['input'])}."
        case "value_error":
            return f"{where}: {error['ctx']['error']}" if where else str(error["ctx"]["error"])
        case _:
            return f"{where}: {error['msg']}; got {shown(error['input'])}."


def unknown_argument(tool: Tool, name: str) -> str:
    known = [field.alias or python_name for python_name, field in tool.input.model_fields.items()]
    nearest = get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    hint = f" Did you mean {nearest[0]}?" if nearest else ""
    return f"{tool.name} has no argument {shown(name)}.{hint} It takes: {', '.join(known)}."


def shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN_LENGTH else text[:SHOWN_LENGTH] + "…"
