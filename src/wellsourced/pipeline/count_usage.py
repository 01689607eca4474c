"""USER_ANALYTICS_ENABLED: calls of people who agreed to it are counted, behind the answer. Where it is off, this step
is not part of the pipeline.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from wellsourced.pipeline.middleware import Handler
from wellsourced.tool.answer import ToolAnswer
from wellsourced.tool.call import Call

if TYPE_CHECKING:
    from wellsourced.people.service import PeopleService


class CountUsage:
    def __init__(self, people: Callable[[], PeopleService]) -> None:
        self._people = people

    async def __call__(self, call: Call, next_handler: Handler) -> ToolAnswer:
        answer = await next_handler(call)
        if not call.identity.is_anonymous:
            self._people().usage.count_soon(call.identity, call.tool.name, is_local=call.is_local)
        return answer
