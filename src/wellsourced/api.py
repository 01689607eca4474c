"""Wellsourced as a Python library: every tool as a method with typed arguments and a typed answer.

    async with wellsourced.open() as app:
        found = await app.web_search("tides", num_results=3)

Settings are those of the environment; keyword arguments of `open` go before them. What fails raises `ToolFailed`.
The methods are in `api_methods`.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from wellsourced.api_methods import Methods, SyncMethods
from wellsourced.errors import Misconfigured, WellsourcedError
from wellsourced.failed_call import ToolFailed, failure

if TYPE_CHECKING:
    from types import TracebackType

    from wellsourced.app import Application
    from wellsourced.settings import Settings
    from wellsourced.tool.base import ToolOutput

__all__ = ["ResearchClient", "SyncResearchClient", "ToolFailed", "WellsourcedError", "open", "open_sync"]

T = TypeVar("T")


class ResearchClient(Methods):
    """Opened by `async with`, or at the first call and then closed by `close`."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        self._given = settings
        self._app: Application | None = None

    async def __aenter__(self) -> ResearchClient:
        self._opened()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def call(self, tool: str, /, **arguments: Any) -> ToolOutput:
        """Ask a tool by name. Arguments that are None are left to their defaults."""
        from wellsourced.tool import registry

        if tool not in registry.names():
            raise ToolFailed(f"There is no tool {tool!r}.", tool=tool, kind="validation", fields={})
        given = {name: value for name, value in arguments.items() if value is not None}
        answer = await self._opened().call(tool, given, inline=True)
        if answer.is_error:
            raise failure(tool, answer)
        return registry.load(tool).output.model_validate_json(answer.body)

    async def close(self) -> None:
        app, self._app = self._app, None
        if app is not None:
            await app.close()

    def _opened(self) -> Application:
        if self._app is None:
            from wellsourced.app import Application

            self._app = Application(settings_from(self._given))
        return self._app


class SyncResearchClient(SyncMethods):
    """The same for programs without an event loop, and for notebooks: the loop runs in a thread of its own."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        self._app = ResearchClient(settings)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="wellsourced", daemon=True)
        self._thread.start()

    def __enter__(self) -> SyncResearchClient:
        try:
            self._wait(self._app.__aenter__())
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def call(self, tool: str, /, **arguments: Any) -> ToolOutput:
        return self._wait(self._app.call(tool, **arguments))

    def close(self) -> None:
        """May be called twice."""
        if self._loop.is_closed():
            return
        try:
            self._wait(self._app.close())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop.is_closed():
            work.close()
            raise RuntimeError("This app is closed; open another one.")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise


def open(**settings: object) -> ResearchClient:
    """A app for `async with`. Settings are environment variables by name, in either case: `brave_api_key="…"`."""
    return ResearchClient(settings)


def open_sync(**settings: object) -> SyncResearchClient:
    """A app for `with`, in programs that are not asynchronous."""
    return SyncResearchClient(settings)


def settings_from(given: Mapping[str, object]) -> Settings:
    """The environment with what was given over it; raises Misconfigured for a name or value not understood."""
    from wellsourced.app import configuration
    from wellsourced.settings import Settings, environment_variable

    declared = configuration.declared_settings()
    values = {setting.name: environment_variable(setting.name) for setting in declared}
    for name, value in given.items():
        if name.upper() not in values:
            raise Misconfigured(unknown_setting(name, list(values)))
        values[name.upper()] = written(value)
    settings = Settings(values, declared)
    if settings.problems:
        raise Misconfigured(" ".join(settings.problems))
    return settings


def unknown_setting(name: str, known: list[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name.upper(), known, n=1)
    hint = f" Did you mean {near[0].lower()}?" if near else ""
    return f"There is no setting {name!r}.{hint} docs/settings.md and docs/providers.md list them all."


def written(value: object) -> str:
    """A Python value as the environment would spell it; None unsets."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple | set | frozenset):
        return ",".join(str(part) for part in value)
    return str(value)
