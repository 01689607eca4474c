"""macOS and Windows as far as they can be forced from here: their branches run, without what they lack."""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import socket
import subprocess
import sys
import threading
import urllib.request
from importlib import metadata
from pathlib import Path

import pytest

from tests.http.http_server import free_port
from tests.loopback.run import Internet
from tests.mcp.stdio_client import StdioServer
from tests.warm.process import run, start
from wellsourced import system
from wellsourced.app.configuration import data_folder
from wellsourced.missing_package import sentence_about
from wellsourced.net.browser import chromium
from wellsourced.net.browser.profile_folder import BrowserProfile
from wellsourced.settings import Settings
from wellsourced.storage.locked_file import hold_lock

ROOT = Path(__file__).resolve().parents[2]
PRETEND = [sys.executable, "-m", "tests.systems.pretend"]
SYSTEMS = ("win32", "darwin")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="another system has its own branch to run")


@pytest.fixture
def elsewhere(environment: dict[str, str], tmp_path: Path) -> dict[str, str]:
    home = {"HOME": str(tmp_path), "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}", "CHROME_PATH": "disabled"}
    return {**environment, **home, "ALLOW_PRIVATE_IPS": "true", "AUDIT_OUTPUT_PATH": str(tmp_path / "audit.jsonl")}


@pytest.mark.parametrize("name", SYSTEMS)
def test_an_assistant_is_served(elsewhere: dict[str, str], internet: Internet, tmp_path: Path, name: str) -> None:
    """Handshake, list, a search, a page, a session that is kept, the audit log, and an end in order."""
    with StdioServer(elsewhere, [*PRETEND, name]) as server:
        assert "serverInfo" in server.initialize()["result"]
        assert len(server.request("tools/list")["result"]["tools"]) > 20
        found = server.call("web_search", {"query": "spring tides"})["result"]
        assert found["structuredContent"]["results"], found
        page = server.call("scrape_page", {"url": f"{internet.base}/site/alpha/tides"})["result"]
        assert page["structuredContent"]["content"], page
        step = {"searchStep": "Who measured it first?", "stepNumber": 1, "nextStepNeeded": True}
        kept = server.call("sequential_search", step)["result"]["structuredContent"]
        assert kept["sessionId"] and "storageWarning" not in kept
        assert server.end_input() == 0, server.stderr
    assert len((tmp_path / "audit.jsonl").read_text("utf-8").splitlines()) >= 3


@pytest.mark.parametrize("name", SYSTEMS)
def test_it_serves_over_http_and_ends_when_asked(elsewhere: dict[str, str], name: str) -> None:
    port = free_port()
    line = [*PRETEND, name, "serve", "--http", "--port", str(port)]
    server = start(line, env=elsewhere, cwd=ROOT, stderr=subprocess.PIPE)
    try:
        assert server.stderr is not None
        assert any(str(port).encode() in line for line in iter(server.stderr.readline, b"")), "it did not start"
        threading.Thread(target=server.stderr.read, daemon=True).start()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60) as reply:
            assert b"Wellsourced" in reply.read()
        server.terminate()
        assert server.wait(60) == 0
    finally:
        server.kill()
        server.wait()


def test_a_pipe_gets_utf8_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    pipe = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(pipe, "cp1252"))
    system.write_utf8()
    print("潮汐 → tide", flush=True)
    assert pipe.getvalue().decode("utf-8").strip() == "潮汐 → tide"


def test_a_worker_takes_limits_on_windows(elsewhere: dict[str, str]) -> None:
    ran = run([*PRETEND, "win32", "limits"], elsewhere, timeout=100, cwd=ROOT)
    assert ran.returncode == 124, ran.stderr
    assert "'ProcessMemoryLimit': 268435456" in ran.stdout and "'ActiveProcessLimit': 1" in ran.stdout


def test_every_module_can_be_imported_without_what_windows_lacks(elsewhere: dict[str, str]) -> None:
    script = (
        "import importlib, pkgutil, sys\n"
        "from tests.systems.pretend import pretend\n"
        "pretend('win32')\n"
        "for name in [name for name in sys.modules if name.startswith('wellsourced')]: del sys.modules[name]\n"
        "import wellsourced\n"
        "names = [m.name for m in pkgutil.walk_packages(wellsourced.__path__, 'wellsourced.')]\n"
        "for name in names:\n"
        "    if not name.endswith('__main__'): importlib.import_module(name)\n"
        "print(len(names))"
    )
    ran = run([sys.executable, "-c", script], elsewhere, timeout=200, cwd=ROOT)
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) > 500


def test_nobody_else_may_take_the_port_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_KEEPALIVE, raising=False)
    with socket.socket() as listener:
        system.listen_alone(listener)
        assert listener.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert not listener.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)


@pytest.mark.parametrize(
    ("name", "environ", "expected"),
    [
        ("darwin", {}, "Library/Application Support/wellsourced"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/wellsourced"),
        ("win32", {"LOCALAPPDATA": ""}, "AppData/Local/wellsourced"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/wellsourced"),
    ],
)
def test_data_is_kept_where_each_system_keeps_it(
    name: str, environ: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", name)
    for variable, value in environ.items():
        monkeypatch.setenv(variable, value)
    assert data_folder(Settings({})).as_posix().endswith(expected)


def test_a_browser_is_found_where_windows_has_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "Microsoft" / "Edge" / "Application" / "msedge.exe"
    program.parent.mkdir(parents=True)
    program.touch(0o755)
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setattr(chromium, "PROGRAM_NAMES", ())
    monkeypatch.setattr("shutil.which", lambda name: name if Path(name).is_file() else None)
    monkeypatch.setenv("PROGRAMFILES(X86)", str(tmp_path))
    assert chromium.find_chromium() == str(program)


def test_a_browser_is_driven_over_a_port_where_it_takes_no_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """The way of Windows, with the browser of this system; the job object that ends it there is left out."""
    try:
        program = chromium.find_chromium()
    except Exception:
        pytest.skip("no Chromium on this machine")
    ended: list[int] = []
    monkeypatch.setattr(chromium, "end_with_this_process", ended.append)

    async def drive() -> tuple[str, Path]:
        profile = BrowserProfile()
        flags = chromium.command_line_flags("127.0.0.1:1", profile.folder)
        started = await chromium._start_over_port(program, flags, profile)
        version = await started.devtools.send("Browser.getVersion")
        await started.close()
        return str(version["product"]), profile.folder

    product, folder = asyncio.run(drive())
    assert "Chrome" in product and len(ended) == 1 and not folder.exists()


def test_a_lock_is_waited_for_on_windows(tmp_path: Path, elsewhere: dict[str, str]) -> None:
    script = (
        "import sys; from pathlib import Path; from tests.systems.pretend import pretend; pretend('win32')\n"
        "from wellsourced.storage.locked_file import hold_lock\n"
        "print('waits', flush=True)\n"
        f"with hold_lock(Path({str(tmp_path / 'lock')!r})): print('has it', flush=True)\n"
    )
    with hold_lock(tmp_path / "lock"):
        other = start([sys.executable, "-c", script], env=elsewhere, cwd=ROOT, stdout=subprocess.PIPE)
        assert other.stdout is not None
        assert other.stdout.readline() == b"waits\n"
    assert other.communicate(timeout=60)[0] == b"has it\n"


@pytest.mark.parametrize(
    ("name", "machine", "words"),
    [("Darwin", "x86_64", "xcode-select"), ("Windows", "ARM64", "x64 edition"), ("Linux", "x86_64", "new environment")],
)
def test_a_package_that_a_system_lacks_is_named(
    name: str, machine: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.system", lambda: name)
    monkeypatch.setattr("platform.machine", lambda: machine)
    sentence = sentence_about(ImportError("no suitable image found", name="turbohtml._html"))
    assert sentence is not None
    assert "turbohtml" in sentence and name in sentence and words in sentence
    assert sentence_about(ImportError("cannot import name", name="wellsourced.text")) is None


WITHOUT = """
import sys
from tests.systems.pretend import pretend
pretend("linux")
for name in [name for name in sys.modules if name.startswith(("wellsourced", "turbohtml"))]: del sys.modules[name]
sys.modules["turbohtml"] = None
sys.argv = ["wellsourced", *sys.argv[1:]]
from wellsourced.main import main
sys.exit(main())
"""


def test_calls_are_answered_with_the_sentence(elsewhere: dict[str, str], internet: Internet) -> None:
    with StdioServer(elsewhere, [sys.executable, "-c", WITHOUT]) as server:
        assert "serverInfo" in server.initialize()["result"]
        for _ in range(2):  # the package is missing where a page is read
            answer = server.call("scrape_page", {"url": f"{internet.base}/site/alpha/tides"})
            assert "turbohtml" in str(answer) and "docs/systems.md" in str(answer), answer
        assert server.end_input() == 0
    without = WITHOUT.replace("turbohtml", "pydantic")
    with StdioServer(elsewhere, [sys.executable, "-c", without]) as server:
        assert "serverInfo" in server.initialize()["result"]
        for _ in range(2):  # nothing can be opened
            assert "The package pydantic" in server.call("web_search", {"query": "tides"})["error"]["message"]
        assert server.end_input() == 0
    ran = run([sys.executable, "-c", without, "serve", "--http"], elsewhere, timeout=100, cwd=ROOT)
    assert ran.returncode == 1 and "The package pydantic" in ran.stderr and "Traceback" not in ran.stderr, ran.stderr


def test_the_table_of_packages_is_about_those_that_are_installed() -> None:
    kept = json.loads((ROOT / "requirements" / "wheels.json").read_text("utf-8"))
    locked = dict(re.findall(r"(?m)^([a-z0-9-]+)==(\S+)", (ROOT / "requirements" / "run.txt").read_text("utf-8")))
    assert {name: entry["version"] for name, entry in kept.items()}.items() <= locked.items(), "run scripts/wheels.py"
    compiled = [name for name in locked if is_compiled(name)]
    assert len(compiled) > 10
    assert [name for name in compiled if name not in kept and name != "websockets"] == []


def is_compiled(name: str) -> bool:
    try:
        return "Root-Is-Purelib: false" in (metadata.distribution(name).read_text("WHEEL") or "")
    except metadata.PackageNotFoundError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the call")
def test_a_wider_pipe_takes_more_before_anybody_reads() -> None:
    reads, writes = os.pipe()
    os.set_blocking(writes, False)
    system.widen_pipe(writes, 2**18)
    assert os.write(writes, bytes(2**18)) == 2**18
    os.close(reads)
    os.close(writes)
