"""The audit log under load, with a disk that refuses, with a receiver, and with secrets in every corner."""

from __future__ import annotations

import json
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.app import with_app
from tests.storage.audit.audit_logs import KEY, events, make_log, numbered, numbers, types, write
from wellsourced.identity import Identity
from wellsourced.storage.audit.event import audit_event
from wellsourced.storage.audit.overflow_file import OverflowFile
from wellsourced.storage.audit.verify import verify_audit_log
from wellsourced.storage.locked_file import hold_lock
from wellsourced.storage.sealer import Sealer


def test_what_overflows_waits_on_the_disk_and_nothing_is_lost_or_out_of_order(tmp_path: Path) -> None:
    log = make_log(tmp_path / "audit.jsonl", buffer_size=50)
    with hold_lock(tmp_path / "audit.jsonl.lock"):
        for number in range(2000):
            log.write(numbered(number))
        assert log.spilled > 1000
    for number in range(2000, 4000):
        log.write(numbered(number))
    log.close()
    assert numbers(log.path) == list(range(4000))
    assert (log.written, log.dropped) == (4000, 0)
    assert verify_audit_log(log.path, Sealer(KEY)).is_whole
    assert list(tmp_path.glob(".*swap*")) == []


def test_what_finds_no_room_at_all_is_counted_and_the_log_says_so(tmp_path: Path) -> None:
    log = make_log(tmp_path / "audit.jsonl", buffer_size=10, swap_bytes=5_000)
    with hold_lock(tmp_path / "audit.jsonl.lock"):
        for number in range(500):
            log.write(numbered(number))
    log.close()
    kept = numbers(log.path)
    assert kept == list(range(len(kept)))
    assert log.dropped == 500 - len(kept) > 0
    told = [event["metadata"]["count"] for event in events(log.path) if event["event_type"] == "audit.events_dropped"]
    assert sum(told) == log.dropped


def test_a_disk_that_refuses_is_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.mkdir()
    log = make_log(path, buffer_size=5)
    for number in range(20):
        log.write(numbered(number))
    time.sleep(0.2)
    path.rmdir()
    deadline = time.monotonic() + 60
    while log.written < 20 and time.monotonic() < deadline:
        time.sleep(0.02)
    log.close()
    assert numbers(path) == list(range(20))


def test_what_a_dead_process_had_spilled_is_taken_over_with_its_half_line_left_out(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    dead = OverflowFile(path)
    for number in range(5):
        assert dead.append(json.dumps(numbered(number)).encode() + b"\n")
    _, place = dead.read()
    dead.forget(place // 2)
    held = OverflowFile(path)
    assert held.append(json.dumps(numbered(99)).encode() + b"\n")
    dead._file.close()  # type: ignore[union-attr]
    with dead.path.open("ab") as file:
        file.write(b'{"event_ty')
    write(path, [5])
    taken = numbers(path)
    assert taken[-1] == 5
    assert set(taken[:-1]) <= set(range(5)) and taken[-2] == 4
    assert not dead.path.exists()
    assert held.path.exists(), "a living process's file is its own"
    held.close()


def test_writing_an_event_takes_microseconds(tmp_path: Path) -> None:
    log = make_log(tmp_path / "audit.jsonl", buffer_size=5000)
    taken = []
    for number in range(3000):
        event = numbered(number)
        began = time.perf_counter()
        log.write(event)
        taken.append(time.perf_counter() - began)
    log.close()
    assert statistics.median(taken) < 100e-6


SECRETS = st.lists(st.text("QXZжщ愛ß97", min_size=8, max_size=40), min_size=1, max_size=4)
SHAPES = st.sampled_from(
    [
        "AIza" + "Q" * 35,
        "sk-" + "X9" * 15,
        "ghp_" + "Z7" * 12,
        "9f" * 32,
        "eyJQQQQQQ.XXXXXXX.ZZZZZZZ",
    ]
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SECRETS, SHAPES, st.text(max_size=30), st.data())
def test_no_secret_ever_reaches_a_line(
    tmp_path: Path, secrets: list[str], shape: str, around: str, data: st.DataObject
) -> None:
    path = Path(mkdtemp(dir=tmp_path)) / "audit.jsonl"
    hidden = data.draw(st.sampled_from([*secrets, shape]))
    text = f"{around} {hidden} {around}"
    event = audit_event(
        "tool_call",
        identity=Identity(text, text),
        request_id=text,
        source_ip=text,
        session_id=text,
        tool_name=text,
        error_code=text,
        metadata={"query": text, text: [text, {"deep": (text, {text}, text.encode())}], "n": float("nan")},
    )
    log = make_log(path, secrets=secrets, buffer_size=1, region=text)
    with hold_lock(path.with_name(f"{path.name}.lock")):
        for _ in range(4):  # the third and fourth go by way of the swap file
            log.write(event)
        swapped = b"".join(found.read_bytes() for found in path.parent.glob(".*.swap.*"))
    log.close()
    assert log.written == 4 and log.spilled >= 2 and swapped
    for written in (path.read_bytes(), swapped):
        assert hidden.encode() not in written
        assert json.dumps(hidden)[1:-1].encode() not in written
    assert verify_audit_log(path, Sealer(KEY)).is_whole


def test_an_endless_text_is_left_out_whole_and_an_endless_event_keeps_its_head(tmp_path: Path) -> None:
    log = make_log(tmp_path / "audit.jsonl")
    log.write(audit_event("tool_call", metadata={"query": "é" * 1_000_000}))
    log.write(audit_event("tool_call", tool_name="probe", metadata={str(n): "x" * 1000 for n in range(1000)}))
    log.write(audit_event("tool_call", metadata={"lone": "\ud800", "line": "a\nb\u2028c"}))
    log.close()
    first, second, third = events(log.path)
    assert first["metadata"]["query"] == "[1000000 characters left out]"
    assert second["tool_name"] == "probe" and second["metadata"]["left_out_bytes"] > 1_000_000
    assert third["metadata"] == {"lone": "\ud800", "line": "a\nb\u2028c"}
    assert verify_audit_log(log.path, Sealer(KEY)).is_whole


@contextmanager
def receiver(status: int = 204) -> Iterator[tuple[str, list[bytes]]]:
    """Takes what is posted, and answers with a status."""
    taken: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            taken.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(status)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *arguments: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 64

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/hook", taken
    finally:
        server.shutdown()
        server.server_close()


def test_every_line_is_sent_to_the_webhook_and_failures_are_counted(
    quiet_environment: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "audit.jsonl"
    for status, failures in ((204, 0), (500, 40)):
        with receiver(status) as (url, taken):

            async def script(app: Any) -> Any:
                for number in range(40):
                    app.audit.write(numbered(number))
                return app.audit

            environment = {**quiet_environment, "AUDIT_OUTPUT_PATH": str(path), "AUDIT_WEBHOOK_URL": url}
            audit = with_app({**environment, "DATA_REGION": "eu-1"}, script)
            assert sorted(taken) == sorted(path.read_bytes().splitlines()[-40:])
            assert audit.webhook_failures == failures
    assert {event["region"] for event in events(path)} == {"eu-1"}
    assert types(path) == ["tool_call"] * 80
