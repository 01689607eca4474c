"""A warm process is to its parent what a cold one is."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.warm.process import Begin, run, start

TELLING = """
import atexit, os, sys, threading
atexit.register(print, "last words")
threading.Timer(0.1, print, ["a thread"]).start()
print(os.environ["WORD"], os.getcwd(), sys.argv[1:], sys.stdin.read(), os.listdir("/proc/self/fd").__len__() < 6)
print("trouble", file=sys.stderr)
sys.exit(7)
"""
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@LINUX
def test_streams_surroundings_and_status_are_its_own(tmp_path: Path) -> None:
    ran = run([sys.executable, "-c", TELLING, "a", "é"], {"WORD": "日本"}, timeout=60, stdin="given", cwd=tmp_path)
    said = [f"日本 {tmp_path} ['a', 'é'] given True", "a thread", "last words"]
    assert (ran.returncode, ran.stdout.splitlines(), ran.stderr) == (7, said, "trouble\n")


@pytest.mark.parametrize(("code", "status"), [("pass", 0), ("raise SystemExit('why')", 1), ("1 / 0", 1)])
def test_it_ends_as_python_ends(code: str, status: int) -> None:
    ran = run([sys.executable, "-c", code], {}, timeout=60)
    assert ran.returncode == status
    assert ("why" in ran.stderr, "ZeroDivisionError" in ran.stderr) == ("why" in code, "0" in code)


@pytest.mark.parametrize("begin", [start, subprocess.Popen], ids=["warm", "cold"])
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM])
def test_it_is_signalled_and_waited_for(begin: Begin, sent: signal.Signals) -> None:
    waiting = "import time; print('ready', flush=True); time.sleep(60)"
    with begin([sys.executable, "-c", waiting], stdout=subprocess.PIPE) as process:
        assert process.stdout and process.stdout.readline() == b"ready\n"
        assert process.poll() is None
        process.send_signal(sent)
        assert process.wait(60) == -sent
