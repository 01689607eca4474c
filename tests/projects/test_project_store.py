"""The store of projects: large ones open whole, keys can be changed, and another process's writes are seen."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from tests.sessions.session_stores import ANNA, KEY
from wellsourced.projects.project import PageCapture, ProjectHead, ProjectItem
from wellsourced.projects.project_store import ProjectChange, ProjectStore
from wellsourced.storage.database import Database
from wellsourced.storage.records.sqlite import SqliteRecordStore
from wellsourced.storage.sealer import Sealer

MANY = 10_000
AT = "2026-11-17T03:00:00Z"
HEAD = ProjectHead(project_id="11111111-2222-3333-4444-555555555555", name="Many", created_at=AT, changed_at=AT)


def capture(number: int) -> PageCapture:
    url = f"https://site{number % 50}.example/articles/2026/{number}-what-became-of-the-harbour"
    return PageCapture(
        capture=number,
        url=url,
        final_url=url,
        captured_at=AT,
        status=200,
        content_type="text/html; charset=utf-8",
        bytes=120_000,
        stored=24_000,
        digest=f"sha256:{number:064x}",
        text_digest=f"sha256:{number:064x}",
        record=f"urn:uuid:{number:036x}",
        way="stealth",
        title=f"What became of the harbour, part {number}",
    )


def source(number: int) -> ProjectItem:
    about = {"url": capture(number).url, "title": "What became of the harbour", "author": "Jane van der Berg"}
    return ProjectItem(item=number, kind="source", added_at=AT, capture=number, **about)  # type: ignore[arg-type]


def store(folder: Path, sealer: Sealer | None = None) -> tuple[ProjectStore, Database]:
    database = Database(folder / "store.db", KEY)
    return ProjectStore(SqliteRecordStore(database), sealer or Sealer(KEY)), database


async def opening(folder: Path) -> float:
    projects, database = store(folder)
    await projects.heads(ANNA)
    begun = time.process_time()
    opened = await projects.load(ANNA, HEAD.project_id)
    spent = time.process_time() - begun
    assert len(opened.captures) == len(opened.items) == MANY
    await database.close()
    return spent


def test_ten_thousand_captures_are_opened_whole(tmp_path: Path) -> None:
    """The processor time is printed (`pytest -s`), not held: a busy machine would fail it."""

    async def main() -> None:
        projects, database = store(tmp_path)
        await projects.create(ANNA, HEAD)
        numbers = range(1, MANY + 1)
        head = HEAD.model_copy(update={"captures": MANY, "numbered": MANY})
        filled = ProjectChange(head, [source(n) for n in numbers], [capture(n) for n in numbers])
        await projects.update(ANNA, HEAD.project_id, lambda _: filled)
        await database.close()
        print(f"{MANY} captures and as many sources: {await opening(tmp_path):.2f} s")

    asyncio.run(main())


def test_a_change_of_keys_keeps_everything_readable(tmp_path: Path) -> None:
    async def main() -> None:
        projects, database = store(tmp_path)
        await projects.create(ANNA, HEAD)
        await projects.put_blob(ANNA, HEAD.project_id, capture(1).record, b"as it came")
        filled = ProjectChange(HEAD, [source(1)], [capture(1)])
        await projects.update(ANNA, HEAD.project_id, lambda _: filled)
        both, _ = store(tmp_path, Sealer(b"\x02" * 32, KEY))
        both._records = projects._records
        await both.load(ANNA, HEAD.project_id)
        only, _ = store(tmp_path, Sealer(b"\x02" * 32))
        only._records = projects._records
        opened = await only.load(ANNA, HEAD.project_id)
        assert opened.items[1] == source(1)
        assert await only.get_blob(ANNA, HEAD.project_id, capture(1).record) == b"as it came"
        await database.close()

    asyncio.run(main())


def test_processes_do_not_overwrite_each_other(tmp_path: Path) -> None:
    async def main() -> None:
        (one, first), (two, second) = store(tmp_path), store(tmp_path)
        await one.create(ANNA, HEAD)
        for number in range(1, 21):
            each = one if number % 2 else two

            def add(known: object, number: int = number) -> ProjectChange:
                return ProjectChange(HEAD, captures=[capture(number)])

            await each.update(ANNA, HEAD.project_id, add)
        assert list((await one.load(ANNA, HEAD.project_id)).captures) == list(range(1, 21))
        await first.close()
        await second.close()

    asyncio.run(main())
