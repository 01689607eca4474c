"""The way of a call: layers around a tool's `run`, outermost first.

observe → count calls (where wanted) → failures → validate → quota → bulk → record → cache → deadline → run

Each layer is a function `(call, go_on) -> Answer` in a file of its own; a tool knows none of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from functools import cache, partial
from typing import TypeAlias

from wellsourced.tool.call import Call
from wellsourced.tool.result import Answer

GoOn: TypeAlias = Callable[[Call], Awaitable[Answer]]
Layer: TypeAlias = Callable[[Call, GoOn], Awaitable[Answer]]


class RunTool:
    """The innermost step: the tool itself, handed the services that its `run` names, its output encoded once."""

    def __init__(self, services: object) -> None:
        self._services = services

    async def __call__(self, call: Call) -> Answer:
        named = {name: self._service(name) for name in services_of(call.tool.run)}
        call.output = await call.tool.run(call.input, call, **named)
        return Answer(call.output.to_json())

    def _service(self, name: str) -> object:
        """A service, or for `get_…` a function that returns it: for tools that seldom need it."""
        if name.startswith("get_"):
            return partial(getattr, self._services, name.removeprefix("get_"))
        return getattr(self._services, name)


@cache
def services_of(run: Callable[..., object]) -> tuple[str, ...]:
    """The services that a tool's `run` asks for: its parameters after the input and the call."""
    return tuple(inspect.signature(run).parameters)[2:]


def pipeline(layers: Sequence[Layer], run_tool: GoOn) -> GoOn:
    """One callable out of all layers, built once."""
    go_on = run_tool
    for layer in reversed(layers):
        go_on = partial(_through, layer, go_on)
    return go_on


def _through(layer: Layer, go_on: GoOn, call: Call) -> Awaitable[Answer]:
    return layer(call, go_on)
