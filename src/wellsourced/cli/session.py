"""`wellsourced session`: the research sessions that are kept on this machine."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from wellsourced.cli import options
from wellsourced.cli.control_sequences import strip_control_sequences
from wellsourced.cli.files import write_text
from wellsourced.cli.output import ListEntry, Screen, open_screen, print_message, write_json
from wellsourced.cli.run_tool import NOTHING_FOUND, OK, Content, run_tool, with_app

if TYPE_CHECKING:
    from wellsourced.app import Application
    from wellsourced.sessions.session import Session

CAMEL_CASE_BOUNDARY = re.compile(r"(?<=[a-z])(?=[A-Z])")
FORMATS = ("markdown", "json", "html")


@click.group()
def command() -> None:
    """List, show and export research sessions."""


@command.command("list")
@options.as_json
def list_sessions(as_json: bool) -> int:
    """List the sessions, the last used first."""
    from wellsourced.sessions.session_json import session_summary

    summaries = [session_summary(session) for session in with_app(list_local_sessions)]
    if as_json:
        write_json({"sessions": summaries})
    elif summaries:
        rows = [
            (row["sessionId"], row["lastUsed"][:16], str(row["stepCount"]), row["researchGoal"]) for row in summaries
        ]
        open_screen().table(("session", "last used (UTC)", "steps", "goal"), rows)
    else:
        print_message("There is no research session. An assistant begins one with sequential_search.")
    return OK if summaries else NOTHING_FOUND


@command.command()
@click.argument("session_id")
@click.option("--step", type=int, help="One step in full.")
@options.as_json
def show(session_id: str, step: int | None, as_json: bool) -> int:
    """Show the trail of a session."""
    return run_tool("get_research_session", {"sessionId": session_id, "stepId": step}, show_trail, as_json=as_json)


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
        text = report_text(content["document"])
        if output:
            write_text(output, text)
            print_message(f"Written to {output}.")
        elif format == "markdown":
            shown_on.markdown(text)
        else:
            shown_on.line(text)

    return run_tool("research_export", arguments, deliver, as_json=as_json)


def report_text(exported: Any) -> str:
    import json

    text = exported if isinstance(exported, str) else json.dumps(exported, ensure_ascii=False, indent=2)
    return strip_control_sequences(text)


async def list_local_sessions(app: Application) -> list[Session]:
    return await app.services.sessions.store.sessions_of(app.local_user)


def show_trail(content: Content, screen: Screen) -> None:
    screen.heading(content.get("researchGoal") or content["sessionId"])
    if step := content.get("step"):
        for name, value in step.items():
            shown = "; ".join(map(str, value)) if isinstance(value, list) else value
            screen.line(f"{CAMEL_CASE_BOUNDARY.sub(' ', name).capitalize()}: {shown}")
        return
    for step in content.get("stepIndex") or ():
        screen.line(f"{step.get('stepNumber', '')}. {step.get('oneLiner', '')}")
    screen.line()
    for gap in content.get("gaps") or ():
        screen.line(f"Open: {gap.get('description', '')}")
    screen.entries(
        ListEntry(source.get("title") or source["url"], source["url"], source.get("relevance") or "")
        for source in content.get("sources") or ()
    )
