"""`wellsourced demo`: a whole research job on a sample web, reported step by step."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wellsourced.cli import options
from wellsourced.cli.output import open_screen, print_message, write_json
from wellsourced.cli.run_tool import FAILED, OK

if TYPE_CHECKING:
    from wellsourced.demo import DemoEvent, DemoRun

INTRODUCTION = "A research job on a sample web on this machine; every name, journal and finding on it is invented.\n"
TERMINATED = 128 + signal.SIGTERM


@click.command()
@click.option("--exit", "ends_at_once", is_flag=True, help="End when the job is done; leave no server running.")
@click.option("--no-open", is_flag=True, help="Do not open the result in a browser.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False), help="File for the report; else it goes with the demo."
)
@options.as_json
def command(ends_at_once: bool, no_open: bool, output: str | None, as_json: bool) -> int:
    """Do a whole research job on a sample web: no key, no network.

    The real server searches, reads, checks citations and writes a report; each step is reported. Everything on the
    sample web is invented. Afterwards the result can be looked at in a browser until Ctrl-C.
    """
    from wellsourced.errors import WellsourcedError

    report = Path(output).resolve() if output else None
    if report and not report.parent.is_dir():
        raise click.BadParameter(f"There is no folder {report.parent}; name a file in one that exists.")
    try:
        asyncio.run(run_demo(report, stays_open=not ends_at_once, opens=not no_open, as_json=as_json))
    except WellsourcedError as problem:
        print_message(" ".join(part for part in (problem.sentence, problem.detail) if part))
        return FAILED
    except asyncio.CancelledError:
        return TERMINATED
    return OK


async def run_demo(report: Path | None, *, stays_open: bool, opens: bool, as_json: bool) -> None:
    from wellsourced.demo import DemoRun

    run = DemoRun(report=report) if stays_open else DemoRun(report=report, open_for=0)
    stop_on_sigterm()  # before processes are started, which have to be ended in any case
    try:
        events = await follow_events(run, as_json=as_json)
        if as_json:
            write_json({"steps": [event_transcript(event) for event in events]})
        sys.stdout.flush()
        if address := events[-1].address:
            await stay_open(address, opens=opens)
    finally:
        await run.close()


def stop_on_sigterm() -> None:
    """What `kill` sends is an ordinary end, after which nothing may be left behind."""
    task = asyncio.current_task()
    with suppress(NotImplementedError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel if task else lambda: None)


async def follow_events(run: DemoRun, *, as_json: bool) -> list[DemoEvent]:
    out, events = open_screen(), []
    print_message(INTRODUCTION)
    async for event in run.events():
        events.append(event)
        if not as_json:
            out.heading(f"{event.step}. {event.title}")
            out.line(event.text + "\n")
            sys.stdout.flush()
    return events


def event_transcript(event: DemoEvent) -> dict[str, object]:
    return {**event.as_json(), **(event.exchange.as_json() if event.exchange else {})}


async def stay_open(address: str, *, opens: bool) -> None:
    """Until Ctrl-C, or what `kill` sends."""
    if opens and sys.stdout.isatty():
        import webbrowser

        await asyncio.to_thread(webbrowser.open, address)
    print_message("Ctrl-C ends the demo.")
    with suppress(asyncio.CancelledError):
        await asyncio.Event().wait()
