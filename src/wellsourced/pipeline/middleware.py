"""The way of a call: layers around a tool's `run`, outermost first.

observe → count calls (where wanted) → failures → validate → quota → bulk → record → cache → deadline → run

Each layer is a function `(call, go_on) -> Answer` in a file of its own; a tool knows none of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeAlias

from wellsourced.tool.call import Call
from wellsourced.tool.result import Answer

GoOn: TypeAlias = Callable[[Call], Awaitable[Answer]]
Layer: TypeAlias = Callable[[Call, GoOn], Awaitable[Answer]]


async def run_tool(call: Call) -> Answer:
    """The innermost step: the tool itself, its output encoded once."""
    call.output = await call.tool.run(call.input, call)
    return Answer(call.output.to_json())


def pipeline(layers: Sequence[Layer]) -> GoOn:
    """One callable out of all layers, built once."""
    go_on: GoOn = run_tool
    for layer in reversed(layers):
        go_on = partial(_through, layer, go_on)
    return go_on


def _through(layer: Layer, go_on: GoOn, call: Call) -> Awaitable[Answer]:
    return layer(call, go_on)
