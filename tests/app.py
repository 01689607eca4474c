"""An application for one test: opened in this process with a given environment, closed afterwards."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from tests.secret_scan import scan_later, scan_log
from wellsourced.app import Application
from wellsourced.app.configuration import declared_settings
from wellsourced.settings import Settings
from wellsourced.tool.answer import ToolAnswer

T = TypeVar("T")


def with_app(environment: Mapping[str, str], script: Callable[[Application], Awaitable[T]]) -> T:
    async def run() -> T:
        app = ScannedApplication(environment)
        try:
            return await script(app)
        finally:
            await app.close()

    with scan_log(environment):
        return asyncio.run(run())


class ScannedApplication(Application):
    """Has its error answers searched for secrets when the test is over."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        super().__init__(Settings(environment, declared_settings()))
        self._environment = environment

    async def call(self, name: str, arguments: Mapping[str, Any], **more: Any) -> ToolAnswer:
        answer = await super().call(name, arguments, **more)
        scan_later("an error answer", answer.error_text or "", self._environment)
        return answer


def call(environment: Mapping[str, str], tool: str, **arguments: Any) -> ToolAnswer:
    return with_app(environment, lambda app: app.call(tool, arguments))


def content(answer: ToolAnswer) -> dict[str, Any]:
    """The answer's structured content; fails with the error's text when it is an error."""
    assert not answer.is_error, answer.error_text
    decoded: dict[str, Any] = json.loads(answer.body)
    return decoded


def error(answer: ToolAnswer) -> dict[str, Any]:
    """The fields of an error's JSON line."""
    assert answer.error_text is not None, answer.body
    fields: dict[str, Any] = json.loads(answer.error_text.rsplit("\n\n", 1)[1])["error"]
    return fields


def sentence(answer: ToolAnswer) -> str:
    """An error's sentence, without the line of JSON behind it."""
    assert answer.error_text is not None, answer.body
    return answer.error_text.rsplit("\n\n", 1)[0]
