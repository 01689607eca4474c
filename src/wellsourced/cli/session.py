"""`wellsourced session`: the research sessions that are kept on this machine."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from wellsourced.cli import options
from wellsourced.cli.files import write_text
from wellsourced.cli.output import Entry, Screen, screen, tell, write_json
from wellsourced.cli.run_tool import NOTHING, OK, Content, ask, with_app
from wellsourced.cli.terminal_text import harmless

if TYPE_CHECKING:
    from wellsourced.app import Application
    from wellsourced.sessions.session import Session

IN_NAMES = re.compile(r"(?<=[a-z])(?=[A-Z])")
FORMATS = ("markdown", "json", "html")


@click.group()
def command() -> None:
    """List, show and export research sessions."""


@command.command("list")
@options.as_json
def list_sessions(as_json: bool) -> int:
    """List the sessions, the last used first."""
    from wellsourced.sessions.session_json import session_summary

    told = [session_summary(session) for session in with_app(sessions_here)]
    if as_json:
        write_json({"sessions": told})
    elif told:
        rows = [(row["sessionId"], row["lastUsed"][:16], str(row["stepCount"]), row["researchGoal"]) for row in told]
        screen().table(("session", "last used (UTC)", "steps", "goal"), rows)
    else:
        tell("There is no research session. An assistant begins one with sequential_search.")
    return OK if told else NOTHING


@command.command()
@click.argument("session_id")
@click.option("--step", type=int, help="One step in full.")
@options.as_json
def show(session_id: str, step: int | None, as_json: bool) -> int:
    """Show the trail of a session."""
    return ask("get_research_session", {"sessionId": session_id, "stepId": step}, show_trail, as_json=as_json)


@command.command()
@click.argument("session_id")
@click.option("--format", type=click.Choice(FORMATS), default="markdown", show_default=True)
@click.option("-o", "--output", help="File to write instead of stdout.")
@click.option("--verify-links", is_flag=True, help="Check that each source is still there.")
@options.as_json
def export(session_id: str, format: str, output: str | None, verify_links: bool, as_json: bool) -> int:
    """Export a session as a report."""
    arguments = {"sessionId": session_id, "format": format, "verify_links": verify_links or None}

    def deliver(content: Content, shown_on: Screen) -> None:
        text = document(content["document"])
        if output:
            write_text(output, text)
            tell(f"Written to {output}.")
        elif format == "markdown":
            shown_on.markdown(text)
        else:
            shown_on.line(text)

    return ask("research_export", arguments, deliver, as_json=as_json)


def document(exported: Any) -> str:
    import json

    text = exported if isinstance(exported, str) else json.dumps(exported, ensure_ascii=False, indent=2)
    return harmless(text)


async def sessions_here(app: Application) -> list[Session]:

    return await app.services.sessions.store.sessions_of(app.local_user)


def show_trail(content: Content, screen: Screen) -> None:
    screen.heading(content.get("researchGoal") or content["sessionId"])
    if step := content.get("step"):
        for name, value in step.items():
            told = "; ".join(map(str, value)) if isinstance(value, list) else value
            screen.line(f"{IN_NAMES.sub(' ', name).capitalize()}: {told}")
        return
    for step in content.get("stepIndex") or ():
        screen.line(f"{step.get('stepNumber', '')}. {step.get('oneLiner', '')}")
    screen.line()
    for gap in content.get("gaps") or ():
        screen.line(f"Open: {gap.get('description', '')}")
    screen.entries(
        Entry(source.get("title") or source["url"], source["url"], source.get("relevance") or "")
        for source in content.get("sources") or ()
    )
