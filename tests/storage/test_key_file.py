"""The key file: made once, whole, private, and never replaced."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.warm.process import start
from wellsourced.errors import Misconfigured
from wellsourced.storage.key_file import derive, load_key, load_previous_key

POSIX = pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")


def test_a_key_is_made_once(tmp_path: Path) -> None:
    folder = tmp_path / "数据" / "store"
    key = load_key(folder, "")
    assert len(key) == 32
    assert load_key(folder, "") == key
    assert [entry.name for entry in folder.iterdir()] == ["key"]
    if os.name != "nt":
        assert (folder / "key").stat().st_mode & 0o777 == 0o600
        assert folder.stat().st_mode & 0o777 == 0o700


def test_a_given_key_is_used_and_nothing_is_written(tmp_path: Path) -> None:
    assert load_key(tmp_path / "absent", "AB" * 32) == b"\xab" * 32
    assert not (tmp_path / "absent").exists()
    with pytest.raises(Misconfigured, match="CACHE_ENCRYPTION_KEY must be 64"):
        load_key(tmp_path, "٣" * 64)


@pytest.mark.parametrize("content", [b"", b"ab", b"zz" * 32, b"ab" * 33, b"\xff" * 64, "٣".encode() * 64])
def test_a_damaged_key_file_is_complained_of_and_left(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "key").write_bytes(content)
    with pytest.raises(Misconfigured, match="left as it is"):
        load_key(tmp_path, "")
    assert (tmp_path / "key").read_bytes() == content


@POSIX
def test_a_key_file_others_can_read_is_tightened(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("ab" * 32)
    (tmp_path / "key").chmod(0o644)
    assert load_key(tmp_path, "") == b"\xab" * 32
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_a_folder_that_cannot_be_written_is_told(read_only_folder: Path) -> None:
    with pytest.raises(Misconfigured, match="CACHE_DIR"):
        load_key(read_only_folder, "")
    with pytest.raises(Misconfigured, match="CACHE_DIR"):
        load_key(read_only_folder / "inside", "")


def test_without_hard_links_a_key_is_made_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    assert load_key(tmp_path, "") == load_key(tmp_path, "")
    assert [entry.name for entry in tmp_path.iterdir()] == ["key"]


def test_processes_that_start_together_end_with_one_key(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib\nfrom wellsourced.storage.key_file import load_key\nprint('ready', flush=True)\n"
        "sys.stdin.readline()\nprint(load_key(pathlib.Path(sys.argv[1]), '').hex())"
    )
    for attempt in range(3):
        folder = tmp_path / str(attempt)
        children = [_child(script, folder) for _ in range(6)]
        for child in children:
            assert child.stdout
            assert child.stdout.readline() == "ready\n"
        for child in children:
            assert child.stdin
            child.stdin.write("go\n")
            child.stdin.flush()
        keys = {child.communicate(timeout=30)[0].strip() for child in children}
        assert keys == {(folder / "key").read_text().strip()}


def _child(script: str, folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, str(folder)]
    return start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_the_previous_key_is_the_given_one_or_the_file_that_was_replaced(tmp_path: Path) -> None:
    current = b"\x01" * 32
    assert load_previous_key(tmp_path, "", current) is None
    made = load_key(tmp_path, "")
    assert load_previous_key(tmp_path, "", made) is None
    assert load_previous_key(tmp_path, "", current) == made
    assert load_previous_key(tmp_path, "02" * 32, current) == b"\x02" * 32


def test_each_purpose_has_its_own_key() -> None:
    key = bytes(32)
    assert len({key, derive(key, "records"), derive(key, "database"), derive(b"\x01" * 32, "records")}) == 4
