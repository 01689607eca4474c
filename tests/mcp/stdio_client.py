"""A raw JSON-RPC client for a server on stdio: no SDK, so that what is on the wire is what is tested."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

from tests.secret_scan import scan_later
from tests.warm.process import Begin, start

COMMAND = (sys.executable, "-m", "wellsourced")
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
}


class StdioServer:
    def __init__(
        self,
        environment: Mapping[str, str],
        command: Sequence[str] = COMMAND,
        begin: Begin = start,
    ) -> None:
        """`begin` is subprocess.Popen where it shall start cold, as for its users."""
        pipe = subprocess.PIPE
        self.process = begin(command, stdin=pipe, stdout=pipe, stderr=pipe, env=dict(environment))
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._environment = environment
        self._errors: list[bytes] = []
        self.stderr = b""
        self._readers = [
            threading.Thread(target=self._pump, daemon=True),
            threading.Thread(target=self._collect_stderr, daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        self._next_id = 0

    def __enter__(self) -> StdioServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for reader in self._readers:
            reader.join(60)
        scan_later("what a server wrote to stderr", self.stderr, self._environment)
        scan_later("an error answer", b"".join(self._errors), self._environment)

    def _pump(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)
            if b'"isError":true' in line or b'"error":' in line:
                self._errors.append(line)
        self._lines.put(None)

    def _collect_stderr(self) -> None:
        assert self.process.stderr
        self.stderr = self.process.stderr.read()

    def send(self, raw: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(raw)
        self.process.stdin.flush()

    def ask(self, method: str, params: Mapping[str, Any] | None = None, **more: Any) -> int:
        """Send a request without waiting; gives its id."""
        self._next_id += 1
        message = {"jsonrpc": "2.0", "id": self._next_id, "method": method, "params": params or {}, **more}
        self.send(json.dumps(message).encode() + b"\n")
        return self._next_id

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        self.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params or {}}).encode() + b"\n")

    def read(self, timeout: float = 60) -> dict[str, Any] | None:
        """The next line, which must be JSON; None at the end of output."""
        line = self._lines.get(timeout=timeout)
        if line is None:
            return None
        message: dict[str, Any] = json.loads(line)
        return message

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Send a request and wait for its response, passing over notifications."""
        wanted = self.ask(method, params)
        while True:
            message = self.read()
            assert message is not None, f"the server ended: {self.stderr.decode()}"
            if message.get("id") == wanted:
                return message

    def initialize(self, version: str = "2025-11-25") -> dict[str, Any]:
        who = {"name": "raw", "version": "1"}
        response = self.request("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": who})
        self.notify("notifications/initialized")
        return response

    def call(self, tool: str, arguments: Mapping[str, Any], meta: Mapping[str, Any] | None = None) -> dict[str, Any]:
        params: dict[str, Any] = {"name": tool, "arguments": arguments}
        if meta is not None:
            params["_meta"] = meta
        return self.request("tools/call", params)

    def end_input(self, timeout: float = 60) -> int:
        """Close its stdin and wait for the process to end; gives the exit status."""
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait(timeout)
