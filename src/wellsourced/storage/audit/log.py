"""The audit log as its callers see it: `write` an event and go on.

Events wait in memory for a thread that masks, chains and writes them. When memory is full they wait in an overflow
file, already masked, and come back in order; when that is full too they are dropped and counted, and the log says so in
a line of its own (audit.events_dropped). A disk that refuses is tried again until it takes the lines.
"""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from wellsourced.storage.audit.event import AuditEvent, audit_event, canonical_json, format_timestamp, mask_event
from wellsourced.storage.key_file import CannotUseKey

if TYPE_CHECKING:
    from wellsourced.storage.audit.file import AuditFile
    from wellsourced.storage.audit.overflow_file import OverflowFile
    from wellsourced.storage.audit.webhook import AuditWebhook
    from wellsourced.text.masker import Masker

BUFFERED_EVENTS = 1000
BATCH = 500
RETRY_SECONDS = 1.0
CLOSE_SECONDS = 10.0

logger = logging.getLogger(__name__)


class AuditLog:
    """The counters are for the metrics: written, spilled, dropped, rotations and webhook_failures. `problem` says why
    nothing can be written at the moment."""

    def __init__(
        self,
        file: AuditFile,
        overflow: OverflowFile,
        masker: Masker,
        *,
        include_queries: bool = False,
        buffer_size: int = BUFFERED_EVENTS,
        region: str = "",
        webhook: AuditWebhook | None = None,
    ) -> None:
        self.include_queries = include_queries
        self.written = 0
        self.spilled = 0
        self.dropped = 0
        self._file = file
        self._overflow = overflow
        self._masker = masker
        self._buffer_size = max(1, buffer_size)
        self._labels = {"pod_id": socket.gethostname(), **({"region": region} if region else {})}
        self._webhook = webhook
        self._buffer: deque[tuple[float, AuditEvent]] = deque()
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._reported_dropped = 0
        self.problem = ""

    @property
    def path(self) -> Path:
        return self._file.path

    @property
    def rotations(self) -> int:
        return self._file.rotations

    @property
    def webhook_failures(self) -> int:
        return self._webhook.failures if self._webhook else 0

    def write(self, event: AuditEvent) -> None:
        """Never waits and never raises. The event must not be changed afterwards."""
        now = time.time()
        with self._changed:
            if self._closing.is_set():
                self.dropped += 1
            elif self._overflow.is_empty and len(self._buffer) < self._buffer_size:
                self._buffer.append((now, event))
            else:
                self._spill(now, event)
            if self._thread is None:
                self._start()
            self._changed.notify()

    def close(self) -> None:
        """Write what still waits and force it to the disk."""
        with self._changed:
            self._closing.set()
            self._changed.notify()
            thread = self._thread
        if thread:
            thread.join(CLOSE_SECONDS)
            if thread.is_alive():
                logger.warning("The audit log was closed with %d events not written.", len(self._buffer))
        if self._webhook:
            self._webhook.close()

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="audit", daemon=True)
        self._thread.start()

    def _spill(self, moment: float, event: AuditEvent) -> None:
        if self._overflow.append(canonical_json(self._prepare_event(moment, event)) + b"\n"):
            self.spilled += 1
        else:
            self.dropped += 1

    def _prepare_event(self, moment: float, event: AuditEvent) -> AuditEvent:
        return mask_event({"format_timestamp": format_timestamp(moment), **self._labels, **event}, self._masker)

    def _run(self) -> None:
        self._write_abandoned()
        while self._wait() and self._write_waiting():
            pass
        with self._changed:
            while self._buffer:
                self._spill(*self._buffer.popleft())
            self._overflow.close()
        try:
            self._file.sync()
        except OSError as problem:
            self._warn(problem)

    def _write_abandoned(self) -> None:
        """What processes that crashed had spilled comes first; it is the oldest."""
        for left in type(self._overflow).abandoned_files(self.path):
            while not left.is_empty:
                lines, place = left.read()
                if not self._deliver(_parse_events(lines)):
                    return
                left.forget(place)

    def _wait(self) -> bool:
        """Whether there is something to write; False at the end."""
        with self._changed:
            while not self._buffer and self._overflow.is_empty:
                if self._closing.is_set():
                    return False
                self._changed.wait()
        return True

    def _write_waiting(self) -> bool:
        """Memory first, which is older than the overflow file: nothing enters it while that holds a line."""
        with self._changed:
            batch = [self._buffer.popleft() for _ in range(min(BATCH, len(self._buffer)))]
            lines, place = self._overflow.read() if not batch else ([], 0)
        events = [self._prepare_event(moment, event) for moment, event in batch] or _parse_events(lines)
        is_written = self._deliver(events)
        with self._changed:
            if batch and not is_written:  # the process must end: the next one writes what fits into the overflow file
                for moment, event in batch:
                    self._spill(moment, event)
            elif not batch and is_written:
                self._overflow.forget(place)
        return is_written

    def _deliver(self, events: list[AuditEvent]) -> bool:
        """Try until the disk takes them, or until the process must end."""
        while events or self.dropped > self._reported_dropped:
            dropped = self.dropped
            try:
                lines = self._file.append([*self._dropped_note(dropped), *events])
            except (OSError, CannotUseKey) as problem:
                self._warn(problem)
                if self._closing.wait(RETRY_SECONDS):
                    return False
                continue
            self.problem, self._reported_dropped = "", dropped
            self.written += len(lines)
            if self._webhook:
                self._webhook.deliver(lines)
            break
        return True

    def _dropped_note(self, dropped: int) -> list[AuditEvent]:
        if dropped == self._reported_dropped:
            return []
        count = dropped - self._reported_dropped
        return [
            self._prepare_event(
                time.time(), audit_event("audit.events_dropped", success=False, metadata={"count": count})
            )
        ]

    def _warn(self, problem: OSError | CannotUseKey) -> None:
        why = problem.sentence if isinstance(problem, CannotUseKey) else f"{problem.strerror or problem}."
        known, self.problem = self.problem, f"The audit log {self.path} cannot be written: {why}"
        if not known:
            logger.warning(self.problem)


def _parse_events(lines: list[bytes]) -> list[AuditEvent]:
    """What was spilled; half a line at the end of a crashed process's file is no event."""
    events = []
    for line in lines:
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            event = None
        if isinstance(event, dict):
            events.append(event)
        else:
            logger.warning("A line of the audit log's overflow file could not be read and was left out.")
    return events
