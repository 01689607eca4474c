"""`wellsourced doctor`: what is configured, what is missing, and the one line that fixes it.

The checks are in `checks/`; how MCP clients are configured is in `client_setup.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wellsourced.cli import options
from wellsourced.cli.output import open_screen, show_progress, write_json
from wellsourced.cli.run_tool import FAILED, OK

if TYPE_CHECKING:
    from wellsourced.cli.checks import CheckResult
    from wellsourced.cli.client_setup import Installation
    from wellsourced.settings import Settings

CLIENTS = ("claude-code", "claude-desktop", "cursor", "vscode", "codex")
HTTP_VARIABLES = ("PORT", "HOST", "ALLOWED_HOSTS", "ALLOWED_ORIGINS", "ALLOW_ANONYMOUS_HTTP", "HTTP_STATELESS")
SIGNS = {"ok": "ok", "note": "--", "problem": "!!"}


@click.command()
@click.option("--online", is_flag=True, help="Also ask each configured provider one small question.")
@click.option("--client", type=click.Choice(CLIENTS), help="Print how to set up this MCP client instead.")
@options.as_json
def command(online: bool, client: str | None, as_json: bool) -> int:
    """Say what is configured, what is missing and what fixes it.

    The exit status is 1 when something is wrong. --online sends a request to every configured provider, which may
    count against its quota.
    """
    from wellsourced.app import configuration
    from wellsourced.settings import from_environment

    settings = from_environment(configuration.declared_settings())
    if client:
        return print_client(client, installation_for_client(settings), as_json=as_json)
    with show_progress("Checking …"):
        results = asyncio.run(run_checks(settings, online=online))
    show_check_results(results, as_json=as_json)
    return FAILED if any(result.state == "problem" for result in results) else OK


async def run_checks(settings: Settings, *, online: bool) -> list[CheckResult]:
    """Run every check; secrets are masked in what they report."""
    from dataclasses import replace

    from wellsourced.app.configuration import secrets_of
    from wellsourced.cli.checks import configuration, machine, services
    from wellsourced.text.masker import Masker

    results = [*machine.check_machine(settings), *await configuration.check_settings(settings)]
    results += [result async for result in services.check_stores(settings)]
    results += await services.check_configured(settings)
    results += services.check_tools(settings)
    if online:
        results += await services.ask_providers(settings)
    masker = Masker(secrets_of(settings))
    return [replace(result, message=masker.mask(result.message), fix=masker.mask(result.fix)) for result in results]


def show_check_results(results: Sequence[CheckResult], *, as_json: bool) -> None:
    problems = [result for result in results if result.state == "problem"]
    if as_json:
        write_json({"healthy": not problems, "findings": [result.as_json() for result in results]})
        return
    out = open_screen()
    out.table(("", "what", "how it is", "what helps"), [(SIGNS[r.state], r.area, r.message, r.fix) for r in results])
    out.line("Nothing is wrong." if not problems else f"{len(problems)} to mend, marked with {SIGNS['problem']}.")


def installation_for_client(settings: Settings) -> Installation:
    """The command and the settings that are set here, but for those of the HTTP server: clients start it on stdio."""
    from wellsourced.app import configuration
    from wellsourced.cli.client_setup import this_installation
    from wellsourced.settings import environment_variable

    declared = (setting for setting in configuration.declared_settings() if setting.name not in HTTP_VARIABLES)
    given = [setting for setting in declared if settings.is_set(setting.name)]
    plain = {setting.name: environment_variable(setting.name) for setting in given if not setting.secret}
    for name in (setting.name for setting in given if setting.kind == "path"):
        plain[name] = str(Path(plain[name]).expanduser().absolute())  # clients start it in a folder of theirs
    return this_installation(plain, tuple(setting.name for setting in given if setting.secret))


def print_client(client: str, own: Installation, *, as_json: bool) -> int:
    from wellsourced.cli.client_setup import CLIENTS as WRITERS

    text = WRITERS[client](own)
    if as_json:
        write_json({"client": client, "setup": text, "command": list(own.command)})
    else:
        open_screen().line(text)
    return OK
