"""Audit lines that found no room in memory: first in, first out, in a file of bounded size.

The file begins with the place up to which it was read back, so that after a crash the next process takes over what
is left of it (and at most one batch twice, never a line not at all). A process holds a lock on its file, so that one
that has ended differs from one that still runs. Calls come one at a time; the log sees to that.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from io import FileIO
from pathlib import Path

from wellsourced.storage.locked_file import lock, open_private, try_lock, write_whole

MAX_BYTES = 50 * 1024 * 1024
HEADER = 24
CHUNK = 1024 * 1024


class OverflowFile:
    def __init__(self, log: Path, max_bytes: int = MAX_BYTES) -> None:
        self.path = log.with_name(f".{log.name}.swap.{secrets.token_hex(6)}")
        self._max_bytes = max_bytes
        self._file: FileIO | None = None
        self._start = self._end = HEADER

    @classmethod
    def abandoned_files(cls, log: Path) -> Iterator[OverflowFile]:
        """The overflow files that no process holds any more, each taken over while it is looked at."""
        for path in sorted(log.parent.glob(f".{log.name}.swap.*")):
            overflow = cls(log)
            if overflow._take_over(path):
                try:
                    yield overflow
                finally:
                    overflow.close()

    @property
    def is_empty(self) -> bool:
        return self._start == self._end

    def append(self, line: bytes) -> bool:
        """Whether there was room."""
        if self._end + len(line) > self._max_bytes:
            return False
        try:
            file = self._file or self._make()
            file.seek(self._end)
            write_whole(file, line)
        except OSError:
            return False
        self._end += len(line)
        return True

    def read(self) -> tuple[list[bytes], int]:
        """The oldest lines, and the place to hand to `forget` once they are written."""
        if self._file is None:
            return [], self._start
        self._file.seek(self._start)
        chunk = self._file.read(min(CHUNK, self._end - self._start)) or b""
        whole = chunk.rpartition(b"\n")[0]
        if not whole:  # the half line of a crash: there is no more after it
            return [], self._end
        return whole.split(b"\n"), self._start + len(whole) + 1

    def forget(self, place: int) -> None:
        """What was read up to a place is written elsewhere; an empty file begins anew."""
        if self._file is None:
            return
        self._start = place
        if self.is_empty:
            self._start = self._end = HEADER
            self._file.truncate(HEADER)
        self._mark(self._file)

    def close(self) -> None:
        """Remove the file, unless there is something left in it for the next process."""
        file, self._file = self._file, None
        if file is not None:
            if self.is_empty:
                self.path.unlink(missing_ok=True)
            file.close()

    def _make(self) -> FileIO:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = open_private(self.path, "x+")
        lock(self._file)
        self._mark(self._file)
        return self._file

    def _take_over(self, path: Path) -> bool:
        try:
            file = open_private(path, "r+")
        except OSError:
            return False
        if not try_lock(file) or os.fstat(file.fileno()).st_size == 0:  # held, or about to be: it is just being made
            file.close()
            return False
        self.path, self._file = path, file
        start = (file.read(HEADER) or b"").strip()
        self._end = max(HEADER, os.fstat(file.fileno()).st_size)
        self._start = min(max(HEADER, int(start)), self._end) if start.isdigit() else HEADER
        return True

    def _mark(self, file: FileIO) -> None:
        file.seek(0)
        file.write(b"%-23d\n" % self._start)
