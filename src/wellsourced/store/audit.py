"""The audit log: one JSON line a call, appended off the event loop. Lines that cannot be written are counted."""

from __future__ import annotations

import json
import queue
import threading
from datetime import UTC, datetime
from pathlib import Path

BUFFERED_LINES = 1000


class AuditLog:
    """Never blocks a call: lines go to a thread through a bounded queue."""

    def __init__(self, path: Path, *, include_queries: bool) -> None:
        self.include_queries = include_queries
        self.dropped = 0
        self._path = path
        self._lines: queue.Queue[bytes | None] = queue.Queue(BUFFERED_LINES)
        self._thread: threading.Thread | None = None

    def write(self, event: dict[str, object]) -> None:
        stamped = {"timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"), **event}
        if self._thread is None:
            self._thread = threading.Thread(target=self._append, name="audit", daemon=True)
            self._thread.start()
        try:
            self._lines.put_nowait(json.dumps(stamped, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        except queue.Full:
            self.dropped += 1

    def close(self) -> None:
        """Write what is still buffered."""
        if self._thread:
            self._lines.put(None)
            self._thread.join(timeout=5)
            self._thread = None

    def _append(self) -> None:
        while (line := self._lines.get()) is not None:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                with self._path.open("ab") as file:
                    file.write(line)
            except OSError:
                self.dropped += 1
