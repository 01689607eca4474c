"""`wellsourced replay`: a WACZ file read, searched and verified without the network and without anything kept here."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from wellsourced.cli import options
from wellsourced.cli.output import ListEntry, open_screen, print_message, write_json
from wellsourced.cli.run_tool import FAILED, NOTHING_FOUND, OK
from wellsourced.text.amounts import format_count

if TYPE_CHECKING:
    from wellsourced.projects.replay import Replay

T = TypeVar("T")


def with_replay(path: Path, work: Callable[[Replay], Awaitable[T]]) -> T:
    from wellsourced.projects.replay import Replay
    from wellsourced.projects.wacz_read import WaczFile
    from wellsourced.sandbox.pool import WorkerPool

    async def run() -> T:
        workers = WorkerPool()
        try:
            with WaczFile.open(path) as wacz:
                return await work(Replay(wacz, workers))
        finally:
            await workers.close()

    return asyncio.run(run())


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("url", required=False, default="")
@click.option("--query", default="", help="Search in the page, or without URL in all pages.")
@click.option("--quote", default="", help="Find these words in the page.")
@options.as_json
def command(file: Path, url: str, query: str, quote: str, as_json: bool) -> int:
    """Read, search and verify from a WACZ file alone.

    Without URL and --query the whole file is verified: every byte, record, receipt and quotation. The exit status is
    then 0 when all of it holds, and 1 when something does not.
    """
    if url:
        return with_replay(file, lambda replay: show_page(replay, url, query, quote, as_json))
    if query:
        return with_replay(file, lambda replay: show_search(replay, query, as_json))
    return with_replay(file, lambda replay: verify(replay, as_json))


async def show_page(replay: Replay, url: str, query: str, quote: str, as_json: bool) -> int:
    from wellsourced.projects.replay import look_into

    capture = replay.wacz.find(url)
    page = (await replay.read(capture)).page
    seen = await look_into(replay.workers, page, query=query, quote=quote)
    if as_json:
        write_json({**capture.model_dump(by_alias=True, exclude_none=True), "text": page.markdown, **seen})
    elif quotation := seen.get("quotation"):
        open_screen().line(f"{quotation['status'].replace('_', ' ')}: {quotation.get('text', '')}")
    elif passages := seen.get("passages"):
        open_screen().entries(ListEntry(page.title or url, each["link"], "", each["text"]) for each in passages)
    else:
        open_screen().markdown(page.markdown)
    print_message(f"As captured {capture.captured_at}; nothing was asked of the network.")
    return OK


async def show_search(replay: Replay, query: str, as_json: bool) -> int:
    found = await replay.search(query)
    if as_json:
        results = [{"url": each.capture.final_url, "text": each.text, "link": each.link} for each in found]
        write_json({"results": results})
    else:
        open_screen().entries(ListEntry(each.capture.title, each.link, "", each.text) for each in found)
    return OK if found else NOTHING_FOUND


async def verify(replay: Replay, as_json: bool) -> int:
    from wellsourced.projects.receipts import fingerprint
    from wellsourced.projects.wacz_check import signer_of, wacz_problems

    wacz = replay.wacz
    problems = await asyncio.to_thread(lambda: list(wacz_problems(wacz)))
    quotations = await replay.quotations() if not problems else []
    problems += [
        f"Item {each.item.item}: the quotation is {each.status.replace('_', ' ')} in its capture, or elsewhere in it."
        for each in quotations
        if not each.holds
    ]
    if problems:  # what cannot be read is not counted either
        write_json({"ok": False, "problems": problems}) if as_json else open_screen().line("\n".join(problems))
        return FAILED
    signer = signer_of(wacz)
    counts = {"captures": len(wacz.captures), "receipts": len(wacz.receipts), "quotations": len(quotations)}
    if as_json:
        write_json({"ok": True, "problems": [], "key": signer, **counts})
        return OK
    counted = ", ".join(format_count(count, name.removesuffix("s")) for name, count in counts.items())
    open_screen().line(f"{wacz.name} is whole: {counted}.")
    open_screen().line(f"Signed with the key {fingerprint(signer)}." if signer else "Nobody signed for it.")
    return OK
