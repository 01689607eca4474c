"""Reading processes: reuse, limits, crashes, orphans."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.documents import samples
from wellsourced.documents.document import Document, Unreadable
from wellsourced.errors import TimeLimit
from wellsourced.pages.html import extract
from wellsourced.pages.page import Page
from wellsourced.sandbox import pool
from wellsourced.sandbox.pool import WorkerPool
from wellsourced.storage.cache.partition import SHARED, partition

PAGE = samples.pdf([[(72.0, 700.0, 12.0, "Read in a worker")]])
LEAST_URGENT = 19
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def slow_pdf() -> bytes:
    """One page whose content takes pdfium far longer than any limit here."""
    text = "(word) Tj " * 3_000_000
    return samples.pdf([[(72.0, 700.0, 12.0, "start")]], drawing=f"BT /F1 1 Tf {text} ET\n")


def alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def gone(process: int, seconds: float = 60) -> bool:
    deadline = time.monotonic() + seconds
    while alive(process) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(process)


async def first_of(workers: WorkerPool) -> int:
    """The process of a call that has just been made, once it is there."""
    async with asyncio.timeout(60):
        while not workers.process_ids:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return workers.process_ids[0]


def peak(process: int, name: str = "VmHWM") -> int:
    """Peak resident memory in KiB, or what it is now."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    return max((int(line.split()[1]) for line in status.splitlines() if line.startswith(name)), default=0)


@LINUX
def test_one_worker_serves_many_and_ends_when_closed() -> None:
    async def run() -> list[int]:
        async with WorkerPool(count=1) as workers:
            seen = set()
            for _ in range(5):
                assert (await workers.read_document("pdf", PAGE, max_chars=100)).text == "Read in a worker"
                seen.update(workers.process_ids)
            with pytest.raises(Unreadable, match="damaged"):
                await workers.read_document("docx", b"PK\x03\x04", max_chars=100)
            seen.update(workers.process_ids)
        return list(seen)

    processes = asyncio.run(run())
    assert len(processes) == 1
    assert gone(processes[0])


MARKUP = (
    '<html lang="de"><title>Stare im Schilf</title><meta property="og:type" content="article">'
    '<script type="application/ld+json">{"@type": "Article", "author": {"name": "Ada Mole"}, "n": [1, null]}</script>'
    "<article><h1>Stare im Schilf</h1>"
    + "<p>Im Herbst sammeln sich die Stare, 日本語 und 😀, im Schilf am See.</p>"
    * 30
)


@LINUX
def test_pages_read_at_once_are_read_by_workers_as_they_are_here() -> None:
    """One here, the others by a worker, and every one the same to the last field."""

    async def run() -> tuple[list[Page], list[int]]:
        async with WorkerPool() as workers:
            address = "https://birds.example/schilf"
            read = [workers.extract_page(MARKUP.encode(), address, "text/html; charset=utf-8") for _ in range(6)]
            return await asyncio.gather(*read), workers.process_ids

    pages, processes = asyncio.run(run())
    here = extract.extract(MARKUP.encode(), "https://birds.example/schilf", "text/html; charset=utf-8")
    assert here.author == "Ada Mole" and "😀" in here.markdown
    assert pages == [here] * 6
    assert min(os.cpu_count() or 1, 2) - 1 <= len(processes) < 3 and all(map(gone, processes))


@LINUX
def test_a_page_is_read_here_beside_short_work_where_the_worker_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not wait for the worker, which has a page of its own, nor is another one started for it."""
    monkeypatch.setattr(pool, "USUAL_WORKERS", 1)
    short_work_ends = threading.Event()

    async def run() -> None:
        async with WorkerPool(count=2, seconds=60) as workers:
            busy = asyncio.create_task(workers.read_document("pdf", slow_pdf(), max_chars=100))
            process = await first_of(workers)
            short_work = asyncio.create_task(workers.run_here(short_work_ends.wait, 60))
            await asyncio.sleep(0)
            page = await workers.extract_page(MARKUP.encode(), "https://birds.example/schilf", "text/html")
            assert page.author == "Ada Mole" and not busy.done() and workers.process_ids == [process]
            short_work_ends.set()
            await short_work
            busy.cancel()

    asyncio.run(run())


def test_documents_arrive_whole() -> None:
    words = "日本語 😀 ﷽ \u2028 \x85 ünïcödé\n" * 5_000
    core = "<c><title>Titel „x“</title><creator>Ä</creator><modified>2020-01-02T03:04:05Z</modified></c>"
    body = samples.docx("<w:p><w:r><w:t>x</w:t></w:r></w:p>", {"docProps/core.xml": core})

    async def run() -> None:
        async with WorkerPool() as workers:
            assert (await workers.read_document("text", words.encode(), max_chars=10**6)).text == words.strip("\n")
            found = await workers.read_document("docx", body, max_chars=100)
            assert (found.title, found.author, found.content_type) == ("Titel „x“", "Ä", "docx")
            assert found.date is not None
            assert found.date.isoformat() == "2020-01-02T03:04:05+00:00"

    asyncio.run(run())


@LINUX
def test_a_killed_worker_fails_only_its_own_call() -> None:
    async def run() -> None:
        async with WorkerPool(count=2, seconds=60) as workers:
            doomed = asyncio.create_task(workers.read_document("pdf", slow_pdf(), max_chars=100))
            victim = await first_of(workers)
            good = asyncio.create_task(workers.read_document("pdf", PAGE, max_chars=100))
            await asyncio.sleep(0.5)
            os.kill(victim, signal.SIGKILL)
            with pytest.raises(Unreadable, match="crash"):
                await doomed
            assert (await good).text == "Read in a worker"
            assert (await workers.read_document("pdf", PAGE, max_chars=100)).text == "Read in a worker"
            assert victim not in workers.process_ids

    asyncio.run(run())


@LINUX
def test_another_caller_is_served_while_one_holds_all_workers_it_may() -> None:
    """Pages made to keep workers busy cost their own caller's turns alone, however many there are."""

    async def run() -> None:
        async with WorkerPool(count=2, seconds=60) as workers:
            with partition(SHARED, owner="aa"):
                hostile = [asyncio.create_task(workers.read_document("pdf", slow_pdf(), max_chars=9)) for _ in range(5)]
            await first_of(workers)
            with partition(SHARED, owner="bb"):
                for _ in range(3):
                    assert (await workers.read_document("pdf", PAGE, max_chars=100)).text == "Read in a worker"
            assert not any(task.done() for task in hostile) and len(workers.process_ids) == 3
            for task in hostile:
                task.cancel()
            await asyncio.gather(*hostile, return_exceptions=True)

    asyncio.run(run())


@LINUX
def test_pages_of_many_callers_that_never_end_keep_no_other_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "BUSY_SECONDS", 0.2)

    async def read(workers: WorkerPool, caller: str, body: bytes) -> Document:
        with partition(SHARED, owner=caller):
            return await workers.read_document("pdf", body, max_chars=100)

    async def run() -> None:
        async with WorkerPool(count=1, seconds=60) as workers:
            hostile = [asyncio.create_task(read(workers, caller, slow_pdf())) for caller in ("aa", "bb", "aa", "bb")]
            assert (await read(workers, "cc", PAGE)).text == "Read in a worker"
            assert not any(task.done() for task in hostile)
            assert len(workers.process_ids) <= 2 + pool.MOST_JOINED
            for task in hostile:
                task.cancel()
            await asyncio.gather(*hostile, return_exceptions=True)
            assert (await read(workers, "aa", PAGE)).text == "Read in a worker"

    asyncio.run(run())


@LINUX
def test_the_server_has_the_processor_before_its_workers() -> None:
    async def run() -> None:
        async with WorkerPool(count=1) as workers:
            await workers.read_document("pdf", PAGE, max_chars=100)
            ahead = os.getpriority(os.PRIO_PROCESS, 0)
            assert os.getpriority(os.PRIO_PROCESS, workers.process_ids[0]) > ahead or ahead == LEAST_URGENT

    asyncio.run(run())


@LINUX
def test_time_limit_ends_the_worker() -> None:
    async def run() -> None:
        async with WorkerPool(count=1, seconds=1) as workers:
            started = time.monotonic()
            call = asyncio.create_task(workers.read_document("pdf", slow_pdf(), max_chars=100))
            victim = await first_of(workers)
            with pytest.raises((TimeLimit, Unreadable), match=r"longer than 1 second |used up its time"):
                await call
            assert time.monotonic() - started < 60
            assert gone(victim)

    asyncio.run(run())


@LINUX
def test_cancelling_a_call_ends_its_worker() -> None:
    async def run() -> None:
        async with WorkerPool(count=1, seconds=60) as workers:
            call = asyncio.create_task(workers.read_document("pdf", slow_pdf(), max_chars=100))
            victim = await first_of(workers)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            assert gone(victim)
            assert (await workers.read_document("pdf", PAGE, max_chars=100)).pages == 1

    asyncio.run(run())


@LINUX
def test_memory_is_bounded() -> None:
    """A page whose stream inflates beyond the limit meets the limit, not the machine's memory."""
    import zlib

    packer = zlib.compressobj(1)
    data = zlib.compress(b"".join(packer.compress(b" " * 2**20) for _ in range(700)) + packer.flush(), 9)
    stream = b"<</Filter[/FlateDecode/FlateDecode]/Length %d>>\nstream\n" % len(data) + data + b"\nendstream"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[5 0 R]/Count 1>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", "<<>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 6 0 R>>", stream.decode("latin-1"),
    ]  # fmt: skip
    peaks: list[int] = []

    async def watch(workers: WorkerPool) -> None:
        while True:
            peaks.extend(peak(process) for process in workers.process_ids)
            await asyncio.sleep(0.01)

    async def run() -> None:
        async with WorkerPool(count=1, memory_bytes=300 * 2**20, seconds=30) as workers:
            watching = asyncio.create_task(watch(workers))
            with pytest.raises((Unreadable, TimeLimit)):
                await workers.read_document("pdf", samples.assemble(objects), max_chars=100)
            watching.cancel()
            assert (await workers.read_document("pdf", PAGE, max_chars=100)).pages == 1

    asyncio.run(run())
    assert max(peaks) < 300 * 1024


@LINUX
def test_one_worker_is_kept_at_rest_and_gives_back_what_a_large_page_took(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "SPARE_SECONDS", 0.2)
    monkeypatch.setattr(pool, "USUAL_WORKERS", 2)
    page = b"<html><body>" + b"<p>Tides rise here. \xc3\xa9</p>" * 120_000

    async def run() -> None:
        async with WorkerPool() as workers:
            await asyncio.gather(*(workers.read_document("pdf", PAGE, max_chars=9) for _ in range(12)))
            busy = workers.process_ids
            assert len(busy) == 2
            assert sum([await asyncio.to_thread(gone, process) for process in busy[1:]]) == 1
            assert workers.process_ids == busy[:1]
            await workers.extract_page(page, "https://e.org/", "text/html")
            assert workers.process_ids == busy[:1], "it is fit for more"
            assert peak(busy[0], "VmRSS") < pool.MOST_HELD // 1024 < peak(busy[0])

    asyncio.run(run())


@LINUX
def test_what_work_in_a_thread_took_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "TRIM_SECONDS", 0.0)
    given_back = threading.Event()
    monkeypatch.setattr(pool, "give_back_memory", given_back.set)

    async def run() -> bool:
        async with WorkerPool() as workers:
            await workers.run(len, "a short text")
            return await asyncio.to_thread(given_back.wait, 60)

    assert asyncio.run(run())


def test_idle_workers_end() -> None:
    async def run() -> None:
        async with WorkerPool(idle_seconds=0.2) as workers:
            await workers.read_document("pdf", PAGE, max_chars=100)
            process = workers.process_ids[0]
            assert await asyncio.to_thread(gone, process)
            assert workers.process_ids == []

    asyncio.run(run())


@pytest.mark.parametrize(("patience", "most"), [(0.0, 2), (60.0, 1)])
def test_calls_queue_when_all_are_busy(patience: float, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "USUAL_WORKERS", 1)
    monkeypatch.setattr(pool, "PATIENCE_SECONDS", patience)

    async def run() -> None:
        async with WorkerPool(count=2) as workers:
            found = await asyncio.gather(*(workers.read_document("pdf", PAGE, max_chars=100) for _ in range(12)))
            assert len(found) == 12
            assert len(workers.process_ids) == most  # one caller never holds the one for others

    asyncio.run(run())


@LINUX
@pytest.mark.parametrize("busy", [False, True])
def test_no_worker_outlives_a_killed_parent(busy: bool, tmp_path: Path) -> None:
    document = tmp_path / "slow.pdf"
    document.write_bytes(slow_pdf())
    script = (
        "import asyncio, sys\nfrom pathlib import Path\nfrom wellsourced.sandbox.pool import WorkerPool\n"
        "async def main():\n"
        "    w = WorkerPool(seconds=60)\n"
        f"    await w.read_document('pdf', {PAGE!r}, max_chars=100)\n"
        "    print(w.process_ids[0], flush=True)\n"
        + (f"    await w.read_document('pdf', Path({str(document)!r}).read_bytes(), max_chars=100)\n" if busy else "")
        + "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        time.sleep(0.3)
        assert alive(worker)
        parent.kill()
        parent.wait()
    assert gone(worker)


def test_the_parent_loads_no_parser() -> None:
    script = (
        "import asyncio, sys\n"
        "from wellsourced.http_exchange import Reply\n"
        "from wellsourced.pages.read_reply import read_reply\n"
        "from wellsourced.sandbox.pool import WorkerPool\n"
        "REPLY = Reply(200, {'content-type': 'text/csv'}, b'Harbour,Depth\\nOne,3\\nTwo,4', 'http://one.example/')\n"
        "async def main():\n"
        "    async with WorkerPool() as workers:\n"
        "        print('Depth' in (await read_reply(REPLY, REPLY.url, '', workers, 10**6)).page.markdown)\n"
        "asyncio.run(main())\n"
        "print({'wellsourced.documents.pdf_layout', 'turbohtml', 'lxml', 'docx', 'pptx'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "set()"]


def test_the_first_page_is_read_by_a_worker_that_was_started_early() -> None:
    script = (
        "import asyncio, sys\n"
        "from wellsourced.sandbox import reading\n"
        "from wellsourced.sandbox.pool import WorkerPool\n"
        "from wellsourced.sandbox import READY_FOR_PAGES\n"
        "from wellsourced.sandbox.start import start_process\n"
        "PAGE = b'<title>Tides</title><main>' + b'<p>Tides rise and fall twice a day.</p>' * 30 + b'</main>'\n"
        "async def read(workers):\n"
        "    page = await workers.extract_page(PAGE, 'http://one.example/', 'text/html')\n"
        "    print(page.title, 'wellsourced.pages.html.extract' in sys.modules, len(workers.process_ids))\n"
        "async def main():\n"
        "    async with WorkerPool() as workers:\n"
        "        workers.adopt(await start_process(2**30, READY_FOR_PAGES))\n"
        "        await read(workers)\n"
        "        reading.get_ready_for_pages()\n"
        "        await read(workers)\n"
        "    async with WorkerPool() as workers:\n"
        "        await read(workers)\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["Tides False 1", "Tides True 1", "Tides True 0"]
