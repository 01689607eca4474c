"""`wellsourced audit-log verify`, as somebody would run it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import run
from tests.storage.audit.audit_logs import KEY, write


def test_the_command_says_where_a_log_was_changed(quiet_environment: dict[str, str], tmp_path: Path) -> None:
    environment = {**quiet_environment, "CACHE_ENCRYPTION_KEY": KEY.hex()}
    log = tmp_path / "audit.jsonl"
    for start in (0, 10):
        write(log, range(start, start + 10), max_bytes=2000)
    write(log, range(20, 25))

    whole = run({**environment, "AUDIT_OUTPUT_PATH": str(log)}, "audit-log", "verify")
    assert (whole.status, whole.out) == (0, "All 25 lines in 3 files are whole.\n"), whole.err

    rotated = sorted(tmp_path.glob("audit.jsonl.2*"))[1]
    rotated.write_bytes(rotated.read_bytes().replace(b'"number":13', b'"number":31'))
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:3]))
    broken = run(environment, "audit-log", "verify", str(log))
    assert broken.status == 1
    assert f"{rotated.name}:4\tline 14 was changed" in broken.out
    assert "audit.jsonl:3\tlines 24 to 25 are missing" in broken.out

    report = json.loads(run(environment, "audit-log", "verify", "--json", str(log)).out)
    assert (report["whole"], report["lines"], report["lastSeq"], report["headSealed"]) == (False, 23, 23, True)
    assert [(finding["problem"], finding["line"]) for finding in report["findings"]] == [("edited", 4), ("end", 3)]


def test_where_there_is_nothing_to_check_it_says_what_is_wanted(
    quiet_environment: dict[str, str], tmp_path: Path
) -> None:
    nothing = run(quiet_environment, "audit-log", "verify")
    assert (nothing.status, nothing.out) == (2, "")
    assert "AUDIT_OUTPUT_PATH" in nothing.err
    missing = run(quiet_environment, "audit-log", "verify", str(tmp_path / "no" / "audit.jsonl"))
    assert (missing.status, missing.out) == (2, "")
    assert "No such file" in missing.err
    assert "Traceback" not in missing.err
