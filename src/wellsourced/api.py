"""Wellsourced as a Python library: every tool as a method with typed arguments and a typed answer.

    async with wellsourced.open() as research:
        answer = await research.web_search("tides", num_results=3)

Settings are those of the environment; keyword arguments of `open` override them. A failed call raises `ToolFailed`.
The methods are in `api_methods`.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from wellsourced.api_methods import SyncToolMethods, ToolMethods
from wellsourced.api_projects import ProjectMethods, SyncProjectMethods
from wellsourced.errors import Misconfigured, WellsourcedError
from wellsourced.failed_call import ToolFailed, failure_from_answer
from wellsourced.text.did_you_mean import did_you_mean

if TYPE_CHECKING:
    from types import TracebackType

    from wellsourced.app import Application
    from wellsourced.settings import Settings
    from wellsourced.tool.base import ToolOutput

__all__ = ["ResearchClient", "SyncResearchClient", "ToolFailed", "WellsourcedError", "open", "open_sync"]

T = TypeVar("T")


class ResearchClient(ProjectMethods, ToolMethods):
    """The tools as coroutines. Opened by `async with`, or at the first call and then closed by `close`."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        self._settings = settings
        self._app: Application | None = None

    async def __aenter__(self) -> ResearchClient:
        self._open_app()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def call(self, tool: str, /, **arguments: Any) -> ToolOutput:
        """Call a tool by name. Arguments that are None are left to their defaults."""
        from wellsourced.tool import registry

        if tool not in registry.names():
            raise ToolFailed(f"There is no tool {tool!r}.", tool=tool, kind="validation", fields={})
        given = {name: value for name, value in arguments.items() if value is not None}
        answer = await self._open_app().call(tool, given, inline=True)
        if answer.is_error:
            raise failure_from_answer(tool, answer)
        return registry.load(tool).output.model_validate_json(answer.body)

    async def close(self) -> None:
        app, self._app = self._app, None
        if app is not None:
            await app.close()

    def _open_app(self) -> Application:
        if self._app is None:
            from wellsourced.app import Application

            self._app = Application(settings_from(self._settings))
        return self._app


class SyncResearchClient(SyncProjectMethods, SyncToolMethods):
    """The same for programs without an event loop, and for notebooks: the loop runs in a thread of its own."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        self._client = ResearchClient(settings)
        # A loop of its own: notebooks run one already, and several threads may call.
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="wellsourced", daemon=True)
        self._thread.start()

    def __enter__(self) -> SyncResearchClient:
        try:
            self._wait(self._client.__aenter__())
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def call(self, tool: str, /, **arguments: Any) -> ToolOutput:
        return self._wait(self._client.call(tool, **arguments))

    def close(self) -> None:
        """Close the client; a second call does nothing."""
        if self._loop.is_closed():
            return
        try:
            self._wait(self._client.close())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop.is_closed():
            work.close()
            raise RuntimeError("This client is closed; open another one.")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise


def open(**settings: object) -> ResearchClient:
    """Return a client for `async with`. Settings are environment variables in either case: `brave_api_key="…"`."""
    return ResearchClient(settings)


def open_sync(**settings: object) -> SyncResearchClient:
    """Return a client for `with`, in programs that are not asynchronous."""
    return SyncResearchClient(settings)


def settings_from(given: Mapping[str, object]) -> Settings:
    """Return the settings of the environment, overridden by those given.

    Raises Misconfigured for a name or a value that is not understood.
    """
    from wellsourced.app import configuration
    from wellsourced.settings import Settings, environment_variable

    declared = configuration.declared_settings()
    values = {setting.name: environment_variable(setting.name) for setting in declared}
    for name, value in given.items():
        if name.upper() not in values:
            raise Misconfigured(unknown_setting(name, list(values)))
        values[name.upper()] = format_value(value)
    settings = Settings(values, declared)
    # A program has nobody who reads a log: what the server would report and survive is an error here.
    if settings.problems:
        raise Misconfigured(" ".join(settings.problems))
    return settings


def unknown_setting(name: str, known: list[str]) -> str:
    hint = did_you_mean(name.upper(), {setting: setting.lower() for setting in known})
    return f"There is no setting {name!r}.{hint} docs/settings.md and docs/providers.md list them all."


def format_value(value: object) -> str:
    """Format a Python value as the environment would spell it; None unsets a variable."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple | set | frozenset):
        return ",".join(str(part) for part in value)
    return str(value)
