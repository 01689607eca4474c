"""The audit log's files: rotation, retention, crashes, and several processes at one log."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.storage.audit.audit_logs import KEY, events, numbers, stamped, types, write
from tests.warm.process import start
from wellsourced.storage.audit.file import DAY, AuditFile, rotated_files
from wellsourced.storage.audit.verify import verify_audit_log
from wellsourced.storage.sealer import Sealer

WRITER = """
import sys
from pathlib import Path
from tests.storage.audit.audit_logs import make_log, numbered
log = make_log(Path(sys.argv[1]), max_bytes=int(sys.argv[2]), buffer_size=100)
for number in range(int(sys.argv[3]), int(sys.argv[4])):
    log.write(numbered(number))
log.close()
"""


def start_writer(log: Path, *numbers: int) -> subprocess.Popen[bytes]:
    return start([sys.executable, "-c", WRITER, str(log), *map(str, numbers)])


def test_files_are_rotated_and_the_chain_goes_on_over_rotations_and_restarts(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "audit.jsonl"
    for first in (0, 200, 400):
        for number in range(first, first + 200, 20):
            write(log, range(number, number + 20), max_bytes=8_000)
    old = rotated_files(log)
    assert len(old) >= 10
    assert numbers(*old, *[log] * log.exists()) == list(range(600))
    assert all(8_000 <= path.stat().st_size < 20_000 for path in old)
    assert verify_audit_log(log, Sealer(KEY)).is_whole
    assert {path.stat().st_mode & 0o777 for path in log.parent.iterdir()} == {0o600}
    old[4].unlink()
    assert [found.problem for found in verify_audit_log(log, Sealer(KEY)).findings] == ["missing"]


def test_what_is_older_than_it_may_be_is_deleted_and_the_log_says_so(tmp_path: Path) -> None:
    log, now = tmp_path / "audit.jsonl", 1_800_000_000.0

    def append(days: float, *some: int, max_bytes: int = 1) -> list[str]:
        file = AuditFile(log, max_bytes=max_bytes, keep_days=180, sealer=Sealer(KEY), clock=lambda: now + days * DAY)
        file.append([stamped(number) for number in some])
        return types(*rotated_files(log), *[log] * log.exists())

    (tmp_path / "audit.jsonl.notes").write_text("not ours")
    append(0, 1, 2)
    append(100, 3)
    assert append(179.9, 4).count("tool_call") == 4
    assert append(180.1, 5) == ["tool_call", "tool_call", "audit.files_deleted", "tool_call"]
    assert events(*rotated_files(log))[2]["metadata"]["through_seq"] == 2
    assert verify_audit_log(log, Sealer(KEY)).is_whole
    assert (tmp_path / "audit.jsonl.notes").exists()
    rotated_files(log)[0].unlink()
    assert [found.problem for found in verify_audit_log(log, Sealer(KEY)).findings] == ["beginning"]


def test_a_quiet_log_is_rotated_after_a_month_so_that_nothing_is_kept_for_ever(tmp_path: Path) -> None:
    log, now = tmp_path / "audit.jsonl", [1e9]
    file = AuditFile(log, sealer=Sealer(KEY), clock=lambda: now[0])
    file.append([stamped(1)])
    now[0] += 31 * DAY
    file.append([stamped(2)])
    file.append([stamped(3)])
    assert [numbers(path) for path in (*rotated_files(log), log)] == [[1, 2], [3]]
    restarted = AuditFile(log, sealer=Sealer(KEY), clock=lambda: now[0] + 31 * DAY)
    restarted.append([stamped(4)])
    assert not log.exists()
    assert verify_audit_log(log, Sealer(KEY)).is_whole


def test_half_a_line_is_set_aside_and_noted(tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    write(log, range(3))
    with log.open("ab") as file:
        file.write(b'{"event_type":"tool_call","metad')
    write(log, range(3, 5))
    assert types(log) == ["tool_call"] * 3 + ["audit.torn_line"] + ["tool_call"] * 2
    note = events(log)[3]["metadata"]
    assert (tmp_path / note["file"]).read_bytes() == b'{"event_type":"tool_call","metad'
    assert verify_audit_log(log, Sealer(KEY)).is_whole


def test_lines_cut_off_before_a_restart_stay_missing(tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    write(log, range(10))
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:6]))
    write(log, range(10, 12))
    assert types(log)[6] == "audit.lines_missing"
    (found,) = verify_audit_log(log, Sealer(KEY)).findings
    assert (found.problem, found.line) == ("missing", 7)
    assert "lines 7 to 10 are missing" in found.message


def test_a_log_that_ends_in_rubbish_is_left_as_it_is_and_a_new_file_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    write(log, range(3))
    with log.open("ab") as file:
        file.write(bytes(1000) + b"\n")
    write(log, range(3, 5))
    assert types(log)[0] == "audit.unreadable_end"
    (found,) = verify_audit_log(log, Sealer(KEY)).findings
    assert (found.problem, found.file, found.line) == ("unreadable", rotated_files(log)[0].name, 4)


def test_each_batch_goes_on_where_the_last_one_ended_whoever_wrote_it(tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    sharing = [AuditFile(log, max_bytes=2000, sealer=Sealer(KEY)) for _ in range(3)]
    for number in range(60):
        sharing[number * number % 3].append([stamped(number)])
        sharing[number % 2].append([stamped(number)])
    assert numbers(*rotated_files(log), *[log] * log.exists()) == [number for number in range(60) for _ in range(2)]
    assert verify_audit_log(log, Sealer(KEY)).is_whole


def test_processes_that_share_a_log_keep_one_chain(tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    writers = [start_writer(log, 20_000, start, start + 400) for start in (0, 1000, 2000)]
    assert [writer.wait(30) for writer in writers] == [0, 0, 0]
    found = numbers(*rotated_files(log), *[log] * log.exists())
    for first in (0, 1000, 2000):
        assert [number for number in found if first <= number < first + 1000] == list(range(first, first + 400))
    assert verify_audit_log(log, Sealer(KEY)).is_whole


def size_of(paths: Iterable[Path]) -> int:
    """Of those that are still there: the writer replaces files while it is looked at."""
    total = 0
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            total += path.stat().st_size
    return total


def test_after_kill_9_the_chain_is_whole_but_for_a_noted_torn_line(tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    for pause in (0.02, 0.05, 0.08):
        process = start_writer(log, 200_000, 0, 1_000_000)
        size = size_of(tmp_path.iterdir())
        deadline = time.monotonic() + 60
        while size_of(tmp_path.glob("audit*")) <= size and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        process.wait(60)
    assert list(tmp_path.glob(".audit.jsonl.swap.*"))
    write(log, range(3))
    verdict = verify_audit_log(log, Sealer(KEY))
    assert verdict.findings == []
    assert verdict.lines > 100
    # One who died while making the file left it empty, as one has it who is just making it.
    left = [path for path in tmp_path.glob(".audit.jsonl.swap.*") if path.stat().st_size]
    assert left == [], "what the dead had spilled was taken over"
    assert numbers(log)[-3:] == [0, 1, 2]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    file = AuditFile(log, sealer=Sealer(KEY))
    file.append([stamped(1)])
    limit = log.stat().st_size + 500
    script = f"""
import resource, signal
from pathlib import Path
from tests.storage.audit.audit_logs import KEY, stamped
from wellsourced.storage.audit.file import AuditFile
from wellsourced.storage.sealer import Sealer
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
try:
    AuditFile(Path({str(log)!r}), sealer=Sealer(KEY)).append([stamped(n) for n in range(2, 12)])
except OSError:
    print("refused")
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=30, env=dict(os.environ))
    assert ran.stdout == b"refused\n", ran.stderr
    assert numbers(log) == [1]
    file.append([stamped(2)])
    assert verify_audit_log(log, Sealer(KEY)).is_whole
    assert json.loads((tmp_path / "audit.jsonl.head").read_bytes()).keys() == {"sealed"}
