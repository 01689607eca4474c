"""Storage that cannot be used when the server starts: what must be kept is refused, the rest goes on.

When it is put right while the server runs, it is used again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.drills.outcome import error_text_on_wire, note
from tests.drills.processes import eventually
from tests.drills.research import acknowledged, arguments, begin, steps_kept
from tests.drills.test_disk import chmod, mounted, serving
from tests.http.http_server import get, http_server
from tests.http.raw_connection import exchange, request
from tests.loopback.run import Internet
from tests.mcp.stdio_client import StdioServer

REFUSED = "what was refused, and nothing that was acknowledged"
REPAIRED = "Once it is put right it is used again, without a restart."
TINY = "size=4k,mode=700"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs file systems and modes of Unix")


@pytest.fixture
def remembering(environment: dict[str, str]) -> dict[str, str]:
    return {
        **environment,
        "MEMORY_ENABLED": "true",
        "WORKSPACES_ENABLED": "true",
        "ALLOW_PRIVATE_IPS": "true",
        "STDIO_USER_ID": "anna",
    }


def use_without_storage(server: StdioServer, page: str, reason: str) -> str:
    """Everything is answered or refused as it should be; the refusal of a research step is returned."""
    first = acknowledged(server.call("web_search", {"query": "tides"}))
    assert reason in first["storageWarning"] and "Searching and reading go on." in first["storageWarning"]
    assert "storageWarning" not in acknowledged(server.call("web_search", {"query": "other tides"}))
    assert acknowledged(server.call("scrape_page", {"url": page}))["content"]
    saved = error_text_on_wire(server.call("memory_save", {"note": "high tide at noon"}))
    shared = error_text_on_wire(server.call("workspace_contribute", {"workspace_id": "w", "note": "tides"}))
    kept = error_text_on_wire(server.call("web_search", {"query": "tides", "provider": "library"}))
    step = error_text_on_wire(server.call("sequential_search", arguments(1)))
    assert all(reason in refusal for refusal in (saved, shared, kept, step)), (saved, shared, kept, step)
    return step


def use_again(server: StdioServer, environment: dict[str, str], page: str) -> None:
    """Storage is put right: the same server keeps things, and the next one has them."""
    session = begin(server)
    assert acknowledged(server.call("memory_save", {"note": "low tide at six"}))["status"] == "ok"
    acknowledged(server.call("scrape_page", {"url": f"{page}?again"}))
    server.process.kill()
    server.process.wait(60)
    with serving(environment) as next_server:
        assert steps_kept(next_server, session) == 2
        recalled = acknowledged(next_server.call("memory_recall", {"query": "tide"}))
        assert [entry["note"] for entry in recalled["memories"]] == ["low tide at six"]
        assert library_urls(next_server, "tides") == [f"{page}?again"]


def library_urls(server: StdioServer, query: str) -> list[str]:
    found = acknowledged(server.call("web_search", {"query": query, "provider": "library"}))
    return [result["url"] for result in found["results"]]


def test_damaged_key(remembering: dict[str, str], internet: Internet) -> None:
    """An existing session is never called unknown: its file is whole, only the key is not."""
    page = f"{internet.base}/site/alpha/tides"
    with serving(remembering) as server:
        session = begin(server)
    key = Path(remembering["CACHE_DIR"]) / "key"
    whole = key.read_bytes()
    key.write_bytes(b"garbage" * 9)
    with StdioServer(remembering) as server:
        server.initialize()
        sees = error_text_on_wire(server.call("get_research_session", {"sessionId": session}))
        assert "is damaged" in sees and "not found" not in sees
        assert key.read_bytes() == b"garbage" * 9
        assert_doctor_complains(remembering, "key")
        key.write_bytes(whole)
        assert steps_kept(server, session) == 2
        use_again(server, remembering, page)
    note("damaged-key", sees=f"{sees} Searching and reading go on. {REPAIRED}", lost=REFUSED)


def test_damaged_key_at_the_first_answer(remembering: dict[str, str], internet: Internet) -> None:
    key = Path(remembering["CACHE_DIR"]) / "key"
    key.parent.mkdir(parents=True)
    key.write_bytes(b"garbage" * 9)
    with serving(remembering) as server:
        use_without_storage(server, f"{internet.base}/site/alpha/tides", "is damaged")


def test_missing_key(remembering: dict[str, str]) -> None:
    """No new key is made beside a file that was written with another."""
    with serving(remembering) as server:
        session = begin(server)
    key = Path(remembering["CACHE_DIR"]) / "key"
    away = key.rename(key.with_suffix(".away"))
    with serving(remembering) as server:
        sees = error_text_on_wire(server.call("sequential_search", arguments(3, session)))
        assert "key is missing" in sees and not key.exists()
        away.rename(key)
        assert steps_kept(server, session) == 2
    note("missing-key", sees=f"{sees} Searching and reading go on. {REPAIRED}", lost=REFUSED)


def test_read_only_at_the_first_start(remembering: dict[str, str], internet: Internet, tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    there = {**remembering, "CACHE_DIR": str(folder)}
    page = f"{internet.base}/site/alpha/tides"
    with (mounted if os.geteuid() == 0 else chmod)(folder) as lock:
        lock(True)
        with StdioServer(there) as server:
            server.initialize()
            sees = use_without_storage(server, page, "Make the folder writable")
            assert_doctor_complains(there, "data folder")
            lock(False)
            use_again(server, there, page)
    note("read-only-at-first-start", sees=f"{sees} Searching and reading go on. {REPAIRED}", lost=REFUSED)


@contextmanager
def tiny_disk(folder: Path) -> Iterator[None]:
    """A file system with one page of room, which a file takes up."""
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", TINY, "drill", str(folder)], capture_output=True)
    if done.returncode:
        pytest.skip("A FULL DISK AT THE FIRST START IS NOT TESTED: nothing may be mounted here")
    (folder / "filler").write_bytes(b"x" * 4096)
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_full_at_the_first_start(remembering: dict[str, str], internet: Internet, tmp_path: Path) -> None:
    folder = tmp_path / "full"
    there = {**remembering, "CACHE_DIR": str(folder)}
    page = f"{internet.base}/site/alpha/tides"
    with tiny_disk(folder), StdioServer(there) as server:
        server.initialize()
        sees = use_without_storage(server, page, "No space left on device")
        assert [entry.name for entry in folder.iterdir()] == ["filler"]
        assert_doctor_complains(there, "disk")
        (folder / "filler").unlink()
        subprocess.run(["mount", "-o", "remount,size=16m", str(folder)], check=True)
        use_again(server, there, page)
    note("full-at-first-start", sees=f"{sees} Searching and reading go on. {REPAIRED}", lost=REFUSED)


def test_damaged_file_is_restored_while_the_server_runs(remembering: dict[str, str]) -> None:
    with serving(remembering) as server:
        session = begin(server)
    path = Path(remembering["CACHE_DIR"]) / "wellsourced.db"
    whole = path.read_bytes()
    damaged = bytearray(whole)
    for start in range(3 * 4096, len(damaged), 4096):
        damaged[start + 100] ^= 1
    path.write_bytes(damaged)
    with serving(remembering) as server:
        sees = error_text_on_wire(server.call("get_research_session", {"sessionId": session}))
        assert "is damaged and was left as it is" in sees
        assert_doctor_complains(remembering, "kept data")
        path.with_suffix(".backup").write_bytes(whole)
        path.with_suffix(".backup").replace(path)
        assert steps_kept(server, session) == 2
        acknowledged(server.call("sequential_search", arguments(3, session)))
    with serving(remembering) as server:
        assert steps_kept(server, session) == 3
    note("damaged-file-restored", sees=f"{sees} {REPAIRED}", lost=REFUSED)


def assert_doctor_complains(environment: dict[str, str], area: str) -> None:
    command = [sys.executable, "-m", "wellsourced", "doctor", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=120)
    findings: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
    assert done.returncode == 1
    assert any(area in found["area"] and found["state"] == "problem" for found in findings), findings


def test_consent_and_audit_without_a_key(remembering: dict[str, str], tmp_path: Path) -> None:
    """Consent is refused, and what was done meanwhile is in the audit log once it can be written."""
    key, log = Path(remembering["CACHE_DIR"]) / "key", tmp_path / "audit.jsonl"
    key.parent.mkdir(parents=True)
    key.write_bytes(b"garbage" * 9)
    admin = {"ADMIN_API_KEY": "k" * 32, "AUDIT_ENABLED": "true", "AUDIT_OUTPUT_PATH": str(log)}
    with http_server({**remembering, **admin}) as address:
        status, sees = agree(address)
        assert status >= 500 and "is damaged" in sees and get(address + "/health/ready")[0] == 503
        assert not log.exists() or b"consent.grant" not in log.read_bytes()
        key.unlink()
        eventually(lambda: agree(address)[0] == 200)
        eventually(lambda: log.exists() and b"consent.grant" in log.read_bytes())
        eventually(lambda: get(address + "/health/ready")[0] == 200)
    note("consent-without-key", sees=f"{sees} {REPAIRED}", lost=REFUSED)


def agree(address: str) -> tuple[int, str]:
    """The status and the sentence with which a consent is recorded or refused."""
    body = json.dumps({"tenant_id": "acme", "user_id": "anna", "purpose": "memory", "granted": True}).encode()
    headers = {"X-Admin-Key": "k" * 32, "content-type": "application/json", "connection": "close"}
    reply = exchange(address, request("POST", "/admin/consent", headers, body))
    head, _, said = reply.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(said).get("error_description", "")
