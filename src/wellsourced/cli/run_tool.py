"""What every command shares: opening the house, asking one tool, showing the answer, and an exit status to rely on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import IO, TYPE_CHECKING, Any, TypeAlias, TypeVar

import click

from wellsourced.cli.output import Screen, screen, tell, working, write_json
from wellsourced.text.durations import in_seconds

if TYPE_CHECKING:
    from wellsourced.app import Application
    from wellsourced.failed_call import ToolFailed
    from wellsourced.tool.result import Answer

OK, FAILED, MISUSED, NOTHING, LATER = 0, 1, 2, 3, 4
BY_KIND = {
    "validation": MISUSED,
    "config": MISUSED,
    "not_found": NOTHING,
    "session_not_found": NOTHING,
    "content_empty": NOTHING,
    "blocked": LATER,
    "rate_limited": LATER,
}

Content: TypeAlias = dict[str, Any]
T = TypeVar("T")


class SettingsWrong(click.ClickException):
    """A setting is wrong; the message says which and what is accepted."""

    exit_code = MISUSED

    def show(self, file: IO[Any] | None = None) -> None:
        tell(self.message)


class Spoken(logging.Handler):
    """What the house has to say, as sentences on stderr; LOG_LEVEL=debug adds where a mistake of ours happened."""

    def emit(self, record: logging.LogRecord) -> None:
        from wellsourced.settings import environment_variable

        if record.levelno >= logging.WARNING and not record.exc_info:
            tell(record.getMessage())
        elif environment_variable("LOG_LEVEL").lower() == "debug":
            tell(self.format(record))


def with_app(script: Callable[[Application], Awaitable[T]]) -> T:
    """Run a script with an open app; raises SettingsWrong before anything is asked."""

    async def run() -> T:
        from wellsourced.app import open_app

        logging.getLogger("wellsourced").addHandler(Spoken())
        app = open_app()
        try:
            check_settings(app)
            return await script(app)
        finally:
            await app.close()

    return asyncio.run(run())


def check_settings(app: Application) -> None:
    """A wrong lens file is told and left out; a wrong setting ends the command."""
    lens_problems = set(app.services.lenses.problems)
    for problem in lens_problems:
        tell(problem)
    if wrong := [problem for problem in app.problems if problem not in lens_problems]:
        raise SettingsWrong("\n".join(wrong))


def ask(
    tool: str,
    arguments: Mapping[str, Any],
    show: Callable[[Content, Screen], None],
    *,
    as_json: bool,
    judge: Callable[[Content], int] = lambda content: OK,
) -> int:
    """Ask one tool and show its answer. `judge` gives the exit status of an answer that is not empty."""
    from wellsourced.tool import registry

    if tool not in registry.names():
        tell(f"This version of Wellsourced does not have {tool}, which this command needs.")
        return FAILED
    given = {name: value for name, value in arguments.items() if value is not None}
    answer = with_app(lambda app: call(app, tool, given))
    return finish(tool, answer, show, as_json=as_json, judge=judge)


async def call(app: Application, tool: str, arguments: Mapping[str, Any]) -> Answer:
    with working(f"{tool} …") as told:

        async def progress(done: float, total: float | None, message: str) -> None:
            told(message)

        return await app.call(tool, arguments, progress=progress, inline=True)


def finish(
    tool: str,
    answer: Answer,
    show: Callable[[Content, Screen], None],
    *,
    as_json: bool,
    judge: Callable[[Content], int] = lambda content: OK,
) -> int:
    import json

    from wellsourced.failed_call import failure
    from wellsourced.tool import registry

    if answer.is_error:
        return complain(failure(tool, answer), as_json=as_json)
    content: Content = json.loads(answer.body)
    is_empty = registry.load(tool).output.model_validate_json(answer.body).is_empty
    if as_json:
        write_json(answer.body)
    else:
        show_or_explain(content, show, is_empty=is_empty)
    return NOTHING if is_empty else judge(content)


def show_or_explain(content: Content, show: Callable[[Content, Screen], None], *, is_empty: bool) -> None:
    if is_empty:
        tell(nothing_found(content))
    else:
        show(content, screen())
    for note in content.get("notes") or ():
        tell(f"Note: {note}")
    if left := content.get("filtersNotApplied"):
        tell(f"Note: not applied, because the engine has no such filter: {', '.join(left)}.")


def nothing_found(content: Content) -> str:
    """That nothing was found, what to try, and what it does not mean."""
    hints = content.get("hints") or {}
    advice = [action.get("detail") or "" for action in hints.get("suggestedActions") or ()]
    told = ["Nothing was found.", *advice, hints.get("epistemicWarning") or ""]
    return " ".join(part.strip() for part in told if part.strip())


def complain(problem: ToolFailed, *, as_json: bool) -> int:
    """The sentence on stderr; with --json the fields after it, on a line of their own."""
    from wellsourced.tool.result import encode

    tell(problem.sentence)
    if as_json:
        tell(encode({"error": problem.fields}).decode())
    elif problem.retry_after:
        tell(f"It may work again in {in_seconds(problem.retry_after)}.")
    return status_of(problem)


def status_of(problem: ToolFailed) -> int:
    """A key that a provider does not accept is a wrong setting; a page that asks for a login is not."""
    if problem.kind == "auth_required" and problem.action == "check_api_key":
        return MISUSED
    return BY_KIND.get(problem.kind, FAILED)
