"""Sessions that an assistant left on this machine, seen from the command line."""

from __future__ import annotations

import json
from pathlib import Path

from tests.app import call, content
from tests.cli.running import run


def begin(environment: dict[str, str]) -> str:
    step = {"searchStep": "Look at the tables", "stepNumber": 1, "nextStepNeeded": True, "researchGoal": "Why tides?"}
    session_id: str = content(call(environment, "sequential_search", **step))["sessionId"]
    return session_id


def test_list_show_export(environment: dict[str, str], tmp_path: Path) -> None:
    session_id = begin(environment)
    assert run(environment, "search", "low tides", "-n", "2", "--session", session_id).status == 0
    listed = json.loads(run(environment, "session", "list", "--json").out)["sessions"]
    assert [(each["sessionId"], each["researchGoal"], each["stepCount"]) for each in listed] == [
        (session_id, "Why tides?", 1)
    ]
    assert run(environment, "session", "list").out.split("\t")[0] == session_id
    shown = run(environment, "session", "show", session_id)
    assert "Why tides?" in shown.out and "Look at the tables" in shown.out
    assert "low tides 1\n" in shown.out and "   web\n" in shown.out
    assert "Step number: 1\n" in run(environment, "session", "show", session_id, "--step", "1").out
    exported = run(environment, "session", "export", session_id, "-o", str(tmp_path / "report.md"))
    assert (exported.status, exported.out) == (0, "")
    assert "Look at the tables" in (tmp_path / "report.md").read_text("utf-8")
    data = run(environment, "session", "export", session_id, "--format", "json")
    assert "Why tides?" in json.dumps(json.loads(data.out), ensure_ascii=False)


def test_a_file_of_another_key_is_told_in_words(environment: dict[str, str]) -> None:
    session_id = begin(environment)
    (Path(environment["CACHE_DIR"]) / "key").write_text("ab" * 32)
    for command in (("session", "list"), ("session", "show", session_id), ("library", "stats")):
        ran = run(environment, *command)
        assert (ran.status, ran.out) == (2, "")
        assert "does not open with this encryption key" in ran.err and "Traceback" not in ran.err
