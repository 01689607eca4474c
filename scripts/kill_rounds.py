"""Kill the server again and again while it writes, over stdio and HTTP: nothing it has acknowledged may be missing.

In each round a server is started on the files of the round before, asked for what was acknowledged then, and given
research steps, memories and pages to read and capture, until it is killed at a random moment with a signal that cannot
be caught. At the end everything of all rounds is asked for once more. Ends with status 1 when something is missing.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.http.http_server import http_process
from tests.http.raw_connection import connect, exchange, read_to_end, request, tool_call
from tests.http.sign_in.issuer import Issuer
from tests.loopback.run import Internet
from tests.mcp.stdio_client import StdioServer

PROJECT = "Kept through kills"
KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "VIRTUAL_ENV")
SETTINGS = {
    "CHROME_PATH": "disabled",
    "ALLOW_PRIVATE_IPS": "true",
    "MEMORY_ENABLED": "true",
    "STDIO_USER_ID": "anna",
    "PUBLIC_URL": "https://research.example.org",
    "SESSION_MAX_PER_USER": "10000",
    **dict.fromkeys(("RATE_LIMIT_GLOBAL", "RATE_LIMIT_PER_TENANT", "DAILY_QUOTA_PER_TENANT"), "0"),
}
WRITES = (2, 12)
"""How many writes are acknowledged, at least and at most, before the moment of the kill is drawn."""
LONGEST_WAIT = 0.2
"""Seconds from then to the kill, at most: some writes later on a quick machine, within the next on a busy one."""
Ask = Callable[[str, Mapping[str, Any]], dict[str, Any] | None]
"""Calls a tool; None where the server ended before it answered."""


@dataclass
class Acknowledged:
    """What the server of one round said it has kept."""

    session: str = ""
    steps: int = 0
    notes: list[str] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        return self.steps + len(self.notes) + len(self.pages)


class Strand:
    """The rounds over one transport, on files of their own."""

    def __init__(self, name: str, serve: Callable[[], Any], site: str) -> None:
        self.name = name
        self.rounds: list[Acknowledged] = []
        self._serve = serve
        self._site = site

    def run_round(self) -> list[str]:
        """What was missing of the round before; then writes until the server is killed."""
        with self._serve() as (ask, process):
            missing = self._missing(ask, self.rounds[-1], len(self.rounds) - 1) if self.rounds else []
            self.rounds.append(Acknowledged())
            self._write(ask, self.rounds[-1], random.randint(*WRITES))
            killer = threading.Timer(random.uniform(0, LONGEST_WAIT), process.kill)
            killer.start()
            self._write(ask, self.rounds[-1])
            killer.join()
        return missing

    def missing_at_the_end(self) -> list[str]:
        with self._serve() as (ask, _):
            return [gone for number, kept in enumerate(self.rounds) for gone in self._missing(ask, kept, number)]

    def _write(self, ask: Ask, kept: Acknowledged, count: int = sys.maxsize) -> None:
        """In random order, so many or until the server no longer answers."""
        writes = (self._write_step, self._write_note, self._read_page)
        while kept.count < count and random.choice(writes)(ask, kept):
            pass

    def _write_step(self, ask: Ask, kept: Acknowledged) -> bool:
        number = kept.steps + 1
        step = {"searchStep": f"Step {number}", "stepNumber": number, "nextStepNeeded": True}
        answer = ask("sequential_search", step | ({"sessionId": kept.session} if kept.session else {}))
        if answer:
            kept.session, kept.steps = answer["sessionId"], number
        return answer is not None

    def _write_note(self, ask: Ask, kept: Acknowledged) -> bool:
        note = f"note {len(kept.notes)}"
        answer = ask("memory_save", {"note": note, "topic": f"round {len(self.rounds) - 1}"})
        if answer:
            assert answer["status"] == "ok", answer
            kept.notes.append(note)
        return answer is not None

    def _read_page(self, ask: Ask, kept: Acknowledged) -> bool:
        slug = f"r{len(self.rounds) - 1}p{len(kept.pages)}"
        answer = ask("scrape_page", {"url": f"{self._site}/{slug}", "project": PROJECT})
        if answer:
            kept.pages.append(slug)
        return answer is not None

    def _missing(self, ask: Ask, kept: Acknowledged, number: int) -> list[str]:
        where = f"{self.name}, round {number}"
        missing = [] if stored_steps(ask, kept) >= kept.steps else [f"{where}: steps of {kept.session}"]
        recalled = asked(ask, "memory_recall", {"topic": f"round {number}", "limit": 200})["memories"]
        missing += [f"{where}: {note}" for note in {*kept.notes} - {memory["note"] for memory in recalled}]
        missing += [f"{where}: capture of {slug}" for slug in kept.pages if not self._is_captured(ask, slug)]
        return missing + [f"{where}: page {slug}" for slug in kept.pages if not self._is_in_library(ask, slug)]

    def _is_captured(self, ask: Ask, slug: str) -> bool:
        """The page comes from its capture; an error would have no such field."""
        answer = asked(ask, "scrape_page", {"url": f"{self._site}/{slug}", "project": f"@{PROJECT}"})
        return "projectCapture" in answer

    def _is_in_library(self, ask: Ask, slug: str) -> bool:
        found = asked(ask, "web_search", {"query": slug, "provider": "library"})
        return any(result["url"] == f"{self._site}/{slug}" for result in found["results"])


def stored_steps(ask: Ask, kept: Acknowledged) -> int:
    return int(asked(ask, "get_research_session", {"sessionId": kept.session})["stepCount"]) if kept.session else 0


def asked(ask: Ask, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    answer = ask(tool, arguments)
    assert answer is not None, f"the server ended under {tool}"
    return answer


@contextmanager
def over_stdio(environment: Mapping[str, str]) -> Iterator[tuple[Ask, subprocess.Popen[bytes]]]:
    with StdioServer(environment) as server:
        server.initialize()

        def ask(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
            try:
                wanted = server.ask("tools/call", {"name": tool, "arguments": arguments})
                while (message := server.read()) is not None and message.get("id") != wanted:
                    pass
            except (BrokenPipeError, ValueError):  # half a line is no answer
                return None
            return content(message)

        yield ask, server.process


@contextmanager
def over_http(
    environment: Mapping[str, str], token: str, identity: Mapping[str, str]
) -> Iterator[tuple[Ask, subprocess.Popen[bytes]]]:
    headers = {"authorization": f"Bearer {token}", "connection": "close"}
    with http_process(environment) as (address, process):
        agree(address, environment["ADMIN_API_KEY"], identity)

        def ask(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
            try:
                with connect(address) as line:
                    line.sendall(tool_call(tool, arguments, **headers))
                    body = read_to_end(line).partition(b"\r\n\r\n")[2]
                return content(json.loads(body[body.index(b"{") : body.rindex(b"}") + 1]))
            except (OSError, ValueError):
                return None

        yield ask, process


def content(message: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if message is None:
        return None
    result = message["result"]
    assert not result["isError"], result["content"][0]["text"]
    structured: dict[str, Any] = result["structuredContent"]
    return structured


def agree(address: str, key: str, identity: Mapping[str, str]) -> None:
    body = json.dumps({**identity, "purpose": "memory", "granted": True}).encode()
    headers = {"x-admin-key": key, "content-type": "application/json", "connection": "close"}
    assert b" 200 " in exchange(address, request("POST", "/admin/consent", headers, body)).split(b"\r\n")[0]


def kill_rounds(rounds: int) -> tuple[int, list[str]]:
    """How many writes were acknowledged, and which of them are missing."""
    with tempfile.TemporaryDirectory() as folder, Internet() as internet, Issuer() as issuer:
        kept = {key: os.environ[key] for key in KEPT if key in os.environ}
        common = {**kept, **internet.environment(), **SETTINGS, "ADMIN_API_KEY": secrets.token_urlsafe(32)}
        stdio = {**common, "CACHE_DIR": str(Path(folder) / "stdio")}
        http = {**common, "CACHE_DIR": str(Path(folder) / "http"), "OAUTH_ISSUER_URL": issuer.url}
        token = issuer.token(sub="ben", tenant_id="acme", scope="research", exp=4_000_000_000)
        names = {"tenant_id": "acme", "user_id": "ben"}
        site = f"{internet.base}/site/alpha"
        strands = [
            Strand("stdio", lambda: over_stdio(stdio), site),
            Strand("http", lambda: over_http(http, token, names), site),
        ]
        missing = [gone for number in range(rounds) for gone in strands[number % 2].run_round()]
        missing += [gone for strand in strands for gone in strand.missing_at_the_end()]
        return sum(round.count for strand in strands for round in strand.rounds), missing


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args().rounds
    acknowledged, missing = kill_rounds(rounds)
    sys.stdout.write("".join(f"missing: {gone}\n" for gone in missing))
    sys.stdout.write(f"{rounds} rounds, {acknowledged} acknowledged writes, {len(missing)} missing\n")
    return 1 if missing or not acknowledged else 0


if __name__ == "__main__":
    sys.exit(main())
