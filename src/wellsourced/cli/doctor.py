"""`wellsourced doctor`: what is configured, what is missing, and the one line that fixes it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wellsourced.cli import options
from wellsourced.cli.output import screen, working, write_json
from wellsourced.cli.run_tool import FAILED, OK

if TYPE_CHECKING:
    from wellsourced.cli.checks.check_result import Finding
    from wellsourced.cli.clients import Installation
    from wellsourced.settings import Settings

CLIENTS = ("claude-code", "claude-desktop", "cursor", "vscode", "codex")
OF_HTTP = ("PORT", "HOST", "ALLOWED_HOSTS", "ALLOWED_ORIGINS", "ALLOW_ANONYMOUS_HTTP", "HTTP_STATELESS")
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
        return print_client(client, installation(settings), as_json=as_json)
    with working("Looking around …"):
        found = asyncio.run(examine(settings, online=online))
    show(found, as_json=as_json)
    return FAILED if any(finding.state == "problem" for finding in found) else OK


async def examine(settings: Settings, *, online: bool) -> list[Finding]:
    """Every finding, with nothing secret in it."""
    from dataclasses import replace

    from wellsourced.app.configuration import secrets_of
    from wellsourced.cli.checks import configuration, machine, services
    from wellsourced.text.masker import Masker

    found = [*machine.look(settings), *await configuration.look(settings)]
    found += [finding async for finding in services.stores(settings)]
    found += services.provider_states(settings)
    if online:
        found += await services.ask_providers(settings)
    masker = Masker(secrets_of(settings))
    return [replace(finding, told=masker.mask(finding.told), fix=masker.mask(finding.fix)) for finding in found]


def show(found: Sequence[Finding], *, as_json: bool) -> None:
    problems = [finding for finding in found if finding.state == "problem"]
    if as_json:
        write_json({"healthy": not problems, "findings": [finding.as_json() for finding in found]})
        return
    out = screen()
    out.table(("", "what", "how it is", "what helps"), [(SIGNS[f.state], f.area, f.told, f.fix) for f in found])
    out.line("Nothing is wrong." if not problems else f"{len(problems)} to mend, marked with {SIGNS['problem']}.")


def installation(settings: Settings) -> Installation:
    """The settings that are set here go along to the client, but for those of the HTTP server."""
    from wellsourced.app import configuration
    from wellsourced.cli.clients import this_installation
    from wellsourced.settings import environment_variable

    declared = (setting for setting in configuration.declared_settings() if setting.name not in OF_HTTP)
    given = [setting for setting in declared if settings.is_set(setting.name)]
    plain = {setting.name: environment_variable(setting.name) for setting in given if not setting.secret}
    for name in (setting.name for setting in given if setting.kind == "path"):
        plain[name] = str(Path(plain[name]).expanduser().absolute())  # clients start it in a folder of theirs
    return this_installation(plain, tuple(setting.name for setting in given if setting.secret))


def print_client(client: str, own: Installation, *, as_json: bool) -> int:
    from wellsourced.cli.clients import CLIENTS as WRITERS

    text = WRITERS[client](own)
    if as_json:
        write_json({"client": client, "setup": text, "command": list(own.command)})
    else:
        screen().line(text)
    return OK
