"""The check of an audit log, tried on logs that somebody tampered with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.storage.audit.audit_logs import KEY, write
from wellsourced.storage.audit.chain import START, ChainHead, HeadFile, chain_events
from wellsourced.storage.audit.verify import verify_audit_log
from wellsourced.storage.sealer import Sealer

Lines = list[bytes]


def edited(line: bytes) -> bytes:
    return line.replace(b'"success":true', b'"success":false')


def rehashed(lines: Lines, start: int) -> Lines:
    """Changed by somebody who knows how the chain is made, from a line to the end."""
    changed = [json.loads(line) for line in lines[start:]]
    bare = [{k: v for k, v in event.items() if k not in {"hash", "seq", "prev_hash"}} for event in changed]
    bare[0]["success"] = False
    before = ChainHead(start, json.loads(lines[start])["prev_hash"])
    return lines[:start] + chain_events(bare, before)[0]


def one_rehashed(lines: Lines, at: int) -> Lines:
    return [*lines[:at], rehashed(lines, at)[at], *lines[at + 1 :]]


TAMPERED: dict[str, tuple[Callable[[Lines], Lines], list[tuple[str, int]]]] = {
    "whole": (lambda lines: lines, []),
    "edited": (lambda lines: [*lines[:3], edited(lines[3]), *lines[4:]], [("edited", 4)]),
    "edited twice": (lambda lines: [edited(line) if i in {2, 7} else line for i, line in enumerate(lines)],
                     [("edited", 3), ("edited", 8)]),
    "a member slipped in": (lambda lines: [lines[0].replace(b"{", b'{"success":false,', 1), *lines[1:]],
                            [("edited", 1)]),
    "a blank added": (lambda lines: [lines[0], lines[1].replace(b":", b": ", 1), *lines[2:]], [("edited", 2)]),
    "edited and hashed anew": (lambda lines: one_rehashed(lines, 3), [("replaced", 5)]),
    "removed": (lambda lines: lines[:2] + lines[5:], [("missing", 3)]),
    "removed at the beginning": (lambda lines: lines[2:], [("beginning", 1)]),
    "reordered": (lambda lines: [*lines[:4], lines[5], lines[4], *lines[6:]], [("missing", 5), ("moved", 6)]),
    "repeated": (lambda lines: [*lines[:4], lines[3], *lines[4:]], [("moved", 5)]),
    "truncated": (lambda lines: lines[:6], [("end", 6)]),
    "emptied": (lambda lines: [], [("end", 0)]),
    "torn": (lambda lines: [*lines[:-1], lines[-1][:50]], [("torn", 10), ("end", 10)]),
    "foreign": (lambda lines: [*lines[:5], b"hello\n", *lines[5:]], [("unreadable", 6)]),
    "endless": (lambda lines: [*lines[:5], b"x" * 300_000 + b"\n", *lines[5:]], [("unreadable", 6)]),
    "deep": (lambda lines: [*lines[:5], b"[" * 100_000 + b"\n", *lines[5:]], [("unreadable", 6)]),
    "made anew": (lambda lines: rehashed(lines, 0), [("head", 10)]),
    "made anew to the end": (lambda lines: rehashed(lines, 9), [("head", 10)]),
}  # fmt: skip


@pytest.mark.parametrize("case", TAMPERED)
def test_every_break_is_found_where_it_is(tmp_path: Path, case: str) -> None:
    log = tmp_path / "audit.jsonl"
    write(log, range(10))
    change, expected = TAMPERED[case]
    log.write_bytes(b"".join(change(log.read_bytes().splitlines(keepends=True))))
    verdict = verify_audit_log(log, Sealer(KEY))
    assert [(found.problem, found.line) for found in verdict.findings] == expected
    assert verdict.is_whole == (not expected)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_changed_byte_goes_unseen(tmp_path: Path, data: st.DataObject) -> None:
    log = tmp_path / "audit.jsonl"
    if not log.exists():
        write(log, range(5))
    whole = log.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[at]))
    try:
        log.write_bytes(whole[:at] + bytes([other]) + whole[at + 1 :])
        assert not verify_audit_log(log, Sealer(KEY)).is_whole
    finally:
        log.write_bytes(whole)


def test_a_head_that_is_missing_foreign_or_not_sealed_is_no_head(tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    write(log, range(3))
    last = json.loads(log.read_bytes().splitlines()[-1])

    def problems(seal: Sealer | None = None) -> list[tuple[str, str]]:
        return [(found.problem, found.message) for found in verify_audit_log(log, seal or Sealer(KEY)).findings]

    assert problems() == []
    assert "does not open" in problems(Sealer(bytes(32)))[0][1]
    HeadFile(log, None).write(ChainHead(last["seq"], last["hash"]))
    assert "not sealed" in problems()[0][1]
    head = tmp_path / "audit.jsonl.head"
    for damage in (b"", b"[]", b"7", b"\xff\x00", b'{"sealed":"AAAA"}', b"[" * 4000):
        head.write_bytes(damage)
        assert [problem for problem, _ in problems()] == ["head"], damage
    head.unlink()
    assert "missing" in problems()[0][1]


def test_the_chain_can_be_checked_without_us(tmp_path: Path) -> None:
    """SHA-256 over the hash before and the line in compact, sorted JSON without its own hash."""
    import hashlib

    log = tmp_path / "audit.jsonl"
    write(log, range(3))
    before = START
    for raw in log.read_text().splitlines():
        event: dict[str, Any] = json.loads(raw)
        stated = event.pop("hash")
        text = json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert event["prev_hash"] == before
        assert hashlib.sha256((before + text).encode()).hexdigest() == stated
        before = stated
