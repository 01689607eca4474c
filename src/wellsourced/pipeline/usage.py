"""USER_ANALYTICS_ENABLED: calls of people who agreed to it are counted, behind the answer. Where it is off, this layer
is not there at all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from wellsourced.pipeline.middleware import GoOn
from wellsourced.tool.call import Call
from wellsourced.tool.result import Answer

if TYPE_CHECKING:
    from wellsourced.people.people import Personal


class CountCalls:
    def __init__(self, personal: Callable[[], Personal]) -> None:
        self._personal = personal

    async def __call__(self, call: Call, go_on: GoOn) -> Answer:
        answer = await go_on(call)
        if not call.identity.is_anonymous:
            self._personal().counting.count_soon(call.identity, call.tool.name, is_local=call.is_local)
        return answer
