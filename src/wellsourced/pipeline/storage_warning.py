"""Tells a caller once that nothing can be kept: in the first answer, and again when it has worked meanwhile."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from dataclasses import replace

from wellsourced.identity import Identity
from wellsourced.pipeline.middleware import Handler
from wellsourced.storage.check import StorageCheck
from wellsourced.tool.answer import ToolAnswer, encode_json
from wellsourced.tool.call import Call

REMEMBERED_CALLERS = 10_000
FIELD = "storageWarning"
CONSEQUENCE = "Nothing is kept until then: sessions, memory, workspaces and the library. Searching and reading go on."

logger = logging.getLogger("wellsourced")


class StorageWarning:
    """The check runs beside a caller's first call. Later calls are warned by what their tool could not keep."""

    def __init__(self, check: StorageCheck) -> None:
        self._check = check
        self._warned: OrderedDict[Identity, bool] = OrderedDict()

    async def __call__(self, call: Call, next_handler: Handler) -> ToolAnswer:
        if call.identity in self._warned:
            answer = await next_handler(call)
            return answer if call.not_kept is None else self._with_warning(call, answer, call.not_kept)
        checking = asyncio.ensure_future(self._check.problem())
        try:
            answer = await next_handler(call)
        except asyncio.CancelledError:
            checking.cancel()
            raise
        return self._with_warning(call, answer, await checking or call.not_kept)

    def _with_warning(self, call: Call, answer: ToolAnswer, problem: str | None) -> ToolAnswer:
        """None says that the call had nothing to keep, and nothing about the storage."""
        was_warned = self._warned.get(call.identity, False)
        self._remember(call.identity, was_warned if problem is None else bool(problem))
        if not problem or was_warned:
            return answer
        logger.warning("%s %s", problem, CONSEQUENCE)
        return add_warning(answer, problem)

    def _remember(self, identity: Identity, is_warned: bool) -> None:
        self._warned[identity] = is_warned
        if len(self._warned) > REMEMBERED_CALLERS:
            self._warned.popitem(last=False)


def add_warning(answer: ToolAnswer, problem: str) -> ToolAnswer:
    """The answer with the warning: a field of its own, or behind the sentence of an error that does not say it."""
    warning = f"{problem} {CONSEQUENCE}"
    if answer.error_text is None:
        return replace(answer, body=answer.body[:-1] + f',"{FIELD}":'.encode() + encode_json(warning) + b"}")
    if problem in answer.error_text:
        return answer
    sentence, gap, fields = answer.error_text.partition("\n\n")
    return replace(answer, error_text=f"{sentence} {warning}{gap}{fields}")
