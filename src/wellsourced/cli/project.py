"""`wellsourced project`: lasting collections of sources, quotations, citations, files and sessions."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, TypeVar

import click

from wellsourced.cli import options
from wellsourced.cli.files import read_bytes, write_file
from wellsourced.cli.output import ListEntry, open_screen, print_message, write_json, write_stdout
from wellsourced.cli.run_tool import NOTHING_FOUND, OK, with_app

if TYPE_CHECKING:
    from wellsourced.app import Application
    from wellsourced.projects.collector import Added
    from wellsourced.projects.project import Project, ProjectItem
    from wellsourced.projects.projects import Projects

T = TypeVar("T")
ADD_SECONDS = 600.0
FORMATS = ("html", "markdown", "json", "wacz")
project_name = click.argument("project")
tags = click.option("--tag", "tags", multiple=True, help="A tag; may be given several times.")


def with_project(name: str, work: Callable[[Projects, Project], Awaitable[T]]) -> T:
    async def run(app: Application) -> T:
        projects = app.services.projects
        return await work(projects, await projects.find(app.local_user, name))

    return with_app(run)


@click.group()
def command() -> None:
    """Keep research that lasts: captured pages, receipts, changes."""


@command.command()
@click.argument("name")
@click.option("--question", default="", help="What the project is to find out.")
@tags
def start(name: str, question: str, tags: tuple[str, ...]) -> int:
    """Begin a project."""
    started = with_app(lambda app: app.services.projects.start(app.local_user, name, question, tags))
    print_message(f"Project {started.head.name!r} was begun.")
    return OK


@command.command("list")
@click.option("--archived", is_flag=True, help="Archived ones as well.")
@options.as_json
def list_projects(archived: bool, as_json: bool) -> int:
    """List the projects, the last changed first."""
    from wellsourced.projects.project import head_json

    heads = with_app(lambda app: app.services.projects.heads(app.local_user, archived=archived))
    if as_json:
        write_json({"projects": [head_json(head) for head in heads]})
    elif heads:
        rows = [
            (head.name, head.changed_at[:16], str(sum(head.counts.values())), str(head.captures), ", ".join(head.tags))
            for head in heads
        ]
        open_screen().table(("project", "changed (UTC)", "items", "captures", "tags"), rows)
    else:
        print_message("There is no project. Begin one with: wellsourced project start NAME")
    return OK if heads else NOTHING_FOUND


@command.command()
@project_name
@options.as_json
def show(project: str, as_json: bool) -> int:
    """Show what a project holds."""
    from wellsourced.projects.project import project_json

    found = with_project(project, lambda projects, known: projects.refreshed(known))
    if as_json:
        write_json(project_json(found))
        return OK
    screen = open_screen()
    screen.heading(found.head.name)
    if found.head.question:
        screen.line(found.head.question)
    screen.entries(map(entry, found.listed()))
    return OK


@command.command()
@project_name
@click.argument("url", required=False, default="")
@click.option("--quote", help="Words of the page, or of a file (--item), to keep with a receipt.")
@click.option("--claim", default="", help="What the quotation is to show.")
@click.option("--item", type=int, help="The file of the project that is quoted.")
@click.option("--citation", help="A citation, in any form.")
@click.option("--file", "file", help="A document of yours.")
@click.option("--session", "session_id", help="A research session, with its sources and their evidence.")
@tags
@options.as_json
def add(
    project: str,
    url: str,
    quote: str | None,
    claim: str,
    item: int | None,
    citation: str | None,
    file: str | None,
    session_id: str | None,
    tags: tuple[str, ...],
    as_json: bool,
) -> int:
    """Add a page, a quotation, a citation, a file or a session. Pages are read and captured."""
    from pathlib import Path

    from wellsourced.projects.project import item_json

    content = (Path(file).name, read_bytes(file)) if file else None

    def work(projects: Projects, known: Project) -> Awaitable[Added]:
        return projects.collector.add(
            known,
            time.monotonic() + ADD_SECONDS,
            url=url,
            quote=quote or "",
            item=item,
            claim=claim,
            citation=citation or "",
            file=content,
            session_id=session_id or "",
            tags=tags,
        )

    added = with_project(project, work)
    if as_json:
        write_json({"added": [item_json(each) for each in added.items], "notes": list(added.notes)})
    else:
        open_screen().entries(map(entry, added.items))
        for note in added.notes:
            print_message(f"Note: {note}")
    return OK


@command.command()
@project_name
@click.argument("tags", nargs=-1)
@click.option("--item", type=int, help="Tag this item instead of the project.")
def tag(project: str, tags: tuple[str, ...], item: int | None) -> int:
    """Replace the tags of a project or an item; none takes them away."""
    with_project(project, lambda projects, known: projects.tag(known, tags, item))
    return OK


@command.command()
@project_name
@click.argument("item", type=int)
def remove(project: str, item: int) -> int:
    """Take an item out of a project."""
    with_project(project, lambda projects, known: projects.remove(known, item))
    return OK


@command.command()
@project_name
@click.option("--back", is_flag=True, help="Bring it back.")
def archive(project: str, back: bool) -> int:
    """Put a project away, without losing anything."""
    with_project(project, lambda projects, known: projects.archive(known, not back))
    return OK


@command.command()
@project_name
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(project: str, yes: bool) -> int:
    """Delete a project with everything captured for it."""
    if not yes:
        click.confirm(f"Delete {project!r} and all its captures? Nothing of it can be had back", abort=True)
    captures = with_project(project, lambda projects, known: projects.delete(known))
    print_message(f"Deleted, with {captures} captures.")
    return OK


@command.command()
@project_name
@click.option("--format", "format", type=click.Choice(FORMATS), default="html", show_default=True)
@click.option("-o", "--output", help="File to write instead of stdout; a WACZ needs one.")
@click.option("--session", "session_id", default="", help="Of a WACZ, only what was captured in this session.")
def export(project: str, format: str, output: str | None, session_id: str) -> int:
    """Export a project: a report, its data, or a WACZ file with all that was captured."""
    from wellsourced.projects.export import export_project

    if format == "wacz" and not output:
        raise click.UsageError("A WACZ is written to a file: add -o NAME.wacz")
    with TemporaryFile() as made:
        with_project(project, lambda projects, known: export_project(projects, known, format, made, session_id))
        made.seek(0)
        if output:
            write_file(output, made)
            print_message(f"Written to {output}.")
        else:
            write_stdout(made.read().decode())
    return OK


def entry(item: ProjectItem) -> ListEntry:
    about = [f"item {item.item}", item.kind, *(mark.mark for mark in item.marks), *item.tags]
    about += [f"receipt {item.receipt}"] if item.receipt else []
    title = item.title or item.text or item.url or ""
    claim = f" (for: {item.claim})" if item.claim else ""
    said = f"“{item.quote}”{claim}" if item.quote else ""
    return ListEntry(title, item.link or item.url or "", " · ".join(about), said)
