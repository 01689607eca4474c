"""What a middleware is, and how middleware and a tool become one callable.

The order of the steps, outermost first; `Application` in `wellsourced.app` puts them together:

1. `audit_and_statistics`  sees every answer, errors too, as the caller gets it
2. `CountUsage` (where wanted) counts calls of people who agreed
3. `storage_warning`       tells a caller once that nothing can be kept, in errors too
4. `error_answers`         turns every exception from below into an error answer
5. `validate_arguments`    makes the typed input that all steps below rely on
6. `report_progress`       speaks for a call that takes long
7. `quota`                 after validation: a call that is refused as wrong does not count
8. `large_answers`         outside the cache, so that the whole answer is cached and the link is the caller's own
9. `record_sources`        outside the cache, so that a cached answer is recorded in each session that asks
10. `answer_cache`          before the deadline: a cached answer takes no time
11. `deadline`             limits the run alone
12. the tool's `run`

Each step is a callable `(call, next_handler) -> ToolAnswer` in a file of its own; a tool knows none of them.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Sequence
from functools import cache, partial
from typing import Protocol, TypeAlias

from wellsourced.tool.answer import ToolAnswer
from wellsourced.tool.base import ToolOutput
from wellsourced.tool.call import Call, Trace
from wellsourced.tool.search_tool import ResultList
from wellsourced.upstreams import all_upstreams

Handler: TypeAlias = Callable[[Call], Awaitable[ToolAnswer]]


class Middleware(Protocol):
    def __call__(self, call: Call, next_handler: Handler) -> Awaitable[ToolAnswer]: ...


class RunTool:
    """The innermost step: the tool itself, handed the services that its `run` names, its output encoded once."""

    def __init__(self, services: object) -> None:
        self._services = services

    async def __call__(self, call: Call) -> ToolAnswer:
        named = {name: self._service(name) for name in services_of(call.tool.run)}
        call.output = with_attribution(await call.tool.run(call.input, call, **named), call.trace)
        return ToolAnswer(await encode_output(call.output))

    def _service(self, name: str) -> object:
        """Return a service, or for `get_…` a function that returns it: for tools that seldom need it."""
        if name.startswith("get_"):
            return partial(getattr, self._services, name.removeprefix("get_"))
        return getattr(self._services, name)


async def encode_output(output: ToolOutput) -> bytes:
    return await asyncio.to_thread(output.to_json) if output.is_large else output.to_json()


def with_attribution(output: ToolOutput, trace: Trace) -> ToolOutput:
    """The answer with what the terms of its sources ask to be said."""
    if isinstance(output, ResultList) and not output.is_empty and (owed := attributions(trace.used)):
        return output.model_copy(update={"attribution": owed})
    return output


@cache
def attributions(used: str | None) -> list[str]:
    known = {entry.provider.public_name: entry.provider for entry in all_upstreams().values()}
    known |= {entry.provider.name: entry.provider for entry in all_upstreams().values()}
    named = (known.get(name) for name in (used or "").split("+"))
    return list(dict.fromkeys(provider.attribution for provider in named if provider and provider.attribution))


@cache
def services_of(run: Callable[..., object]) -> tuple[str, ...]:
    """The services that a tool's `run` asks for: its parameters after the input and the call."""
    return tuple(inspect.signature(run).parameters)[2:]


def build_pipeline(steps: Sequence[Middleware], run_tool: Handler) -> Handler:
    """One callable out of all steps, built once."""
    handler = run_tool
    for step in reversed(steps):
        handler = partial(step, next_handler=handler)
    return handler
