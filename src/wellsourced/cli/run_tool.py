"""What every command shares: opening the application, calling one tool, showing the answer, the exit status."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import IO, TYPE_CHECKING, Any, TypeAlias, TypeVar

import click

from wellsourced.cli.output import Screen, open_screen, print_message, show_progress, write_json
from wellsourced.text.amounts import format_seconds

if TYPE_CHECKING:
    from wellsourced.app import Application
    from wellsourced.failed_call import ToolFailed
    from wellsourced.tool.answer import ToolAnswer

# Scripts rely on these; docs/command-line.md lists them. 2 is what click uses for a wrong command line.
OK, FAILED, MISUSED, NOTHING_FOUND, TRY_LATER, UNCHECKED = 0, 1, 2, 3, 4, 5
STATUS_BY_KIND = {
    "validation": MISUSED,
    "config": MISUSED,
    "not_found": NOTHING_FOUND,
    "session_not_found": NOTHING_FOUND,
    "content_empty": NOTHING_FOUND,
    "blocked": TRY_LATER,
    "rate_limited": TRY_LATER,
}

Content: TypeAlias = dict[str, Any]
T = TypeVar("T")


class SettingsError(click.ClickException):
    """A setting is wrong; the message says which and what is accepted."""

    exit_code = MISUSED

    def show(self, file: IO[Any] | None = None) -> None:
        print_message(self.message)


class StderrHandler(logging.Handler):
    """Writes log messages as sentences on stderr; LOG_LEVEL=debug adds the traceback of an error of ours."""

    def emit(self, record: logging.LogRecord) -> None:
        from wellsourced.settings import environment_variable

        if record.levelno >= logging.WARNING and not record.exc_info:
            print_message(record.getMessage())
        elif environment_variable("LOG_LEVEL").lower() == "debug":
            print_message(self.format(record))


def with_app(script: Callable[[Application], Awaitable[T]]) -> T:
    """Run a script with an open application; raise SettingsError before any tool is called."""

    async def run() -> T:
        from wellsourced.app import open_app

        logging.getLogger("wellsourced").addHandler(StderrHandler())
        app = open_app()
        try:
            check_settings(app)
            return await script(app)
        finally:
            await app.close()

    return asyncio.run(run())


def check_settings(app: Application) -> None:
    """Report a wrong lens file and go on without it; end the command for a wrong setting."""
    lens_problems = set(app.services.lenses.problems)
    for problem in lens_problems:
        print_message(problem)
    if wrong := [problem for problem in app.problems if problem not in lens_problems]:
        raise SettingsError("\n".join(wrong))


def run_tool(
    tool: str,
    arguments: Mapping[str, Any],
    show: Callable[[Content, Screen], None],
    *,
    as_json: bool,
    status: Callable[[Content], int] = lambda content: OK,
) -> int:
    """Call one tool and show its answer. `status` chooses the exit status of an answer that is not empty."""
    from wellsourced.tool import registry

    if tool not in registry.names():
        print_message(f"This version of Wellsourced does not have {tool}, which this command needs.")
        return FAILED
    # An option that was not given is left to the default of the tool.
    given = {name: value for name, value in arguments.items() if value is not None and value != ()}
    given |= {name: list(value) for name, value in given.items() if isinstance(value, tuple)}
    answer = with_app(lambda app: call_tool(app, tool, given))
    return show_answer(tool, answer, show, as_json=as_json, status=status)


async def call_tool(app: Application, tool: str, arguments: Mapping[str, Any]) -> ToolAnswer:
    with show_progress(f"{tool} …") as update:

        async def progress(done: float, total: float | None, message: str) -> None:
            update(message)

        # Inline: a command cannot follow a link to a resource, as an MCP client can.
        return await app.call(tool, arguments, progress=progress, inline=True)


def show_answer(
    tool: str,
    answer: ToolAnswer,
    show: Callable[[Content, Screen], None],
    *,
    as_json: bool,
    status: Callable[[Content], int] = lambda content: OK,
) -> int:
    import json

    from wellsourced.failed_call import failure_from_answer
    from wellsourced.tool import registry

    if answer.is_error:
        return report_failure(failure_from_answer(tool, answer), as_json=as_json)
    content: Content = json.loads(answer.body)
    is_empty = registry.load(tool).output.model_validate_json(answer.body).is_empty
    if as_json:
        write_json(answer.body)
    else:
        show_or_explain(content, show, is_empty=is_empty)
    return NOTHING_FOUND if is_empty else status(content)


def show_or_explain(content: Content, show: Callable[[Content, Screen], None], *, is_empty: bool) -> None:
    if is_empty:
        print_message(explain_nothing_found(content))
    else:
        show(content, open_screen())
    for note in content.get("notes") or ():
        print_message(f"Note: {note}")
    if left := content.get("filtersNotApplied"):
        print_message(f"Note: not applied, because the engine has no such filter: {', '.join(left)}.")


def explain_nothing_found(content: Content) -> str:
    """Say that nothing was found, what to try, and what that does not prove."""
    hints = content.get("hints") or {}
    advice = [action.get("detail") or "" for action in hints.get("suggestedActions") or ()]
    sentences = ["Nothing was found.", *advice, hints.get("epistemicWarning") or ""]
    return " ".join(sentence.strip() for sentence in sentences if sentence.strip())


def report_failure(problem: ToolFailed, *, as_json: bool) -> int:
    """Write the error to stderr, with --json its fields on a line of their own; return the exit status."""
    from wellsourced.tool.answer import encode_json

    print_message(problem.sentence)
    if as_json:
        print_message(encode_json({"error": problem.fields}).decode())
    elif problem.retry_after:
        print_message(f"It may work again in {format_seconds(problem.retry_after)}.")
    return exit_status(problem)


def exit_status(problem: ToolFailed) -> int:
    """A key that a provider does not accept is a wrong setting; a page that asks for a login is not."""
    if problem.kind == "auth_required" and problem.action == "check_api_key":
        return MISUSED
    return STATUS_BY_KIND.get(problem.kind, FAILED)
