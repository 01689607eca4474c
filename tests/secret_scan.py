"""Searches what our processes write during a test for secrets: logs, audit files, error answers.

A helper that starts a process or opens an application reports what it wrote, and with which environment (`scan_later`).
After each test all of it is searched for the secret values of that environment, in every spelling in which they
travel, and for anything that has the shape of a key. A test that leaks fails with the kind of the secret, never with
the secret.
"""

from __future__ import annotations

import base64
import json
import logging
import re
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote, quote_plus, urlsplit

import pytest

# Shorter ones among the tests' keys are plain words.
SHORTEST = 12
LARGEST_FILE = 8 * 1024 * 1024

NAMES = "api[_-]?key|access_token|consumer_secret|token|secret|password|passwd|pwd|key"
VALUE = r"[A-Za-z0-9][^\s\"'<>&;,]{3,}"
SHAPES = {
    "a Google key": r"\bAIza[\w-]{35}",
    "a key that begins with sk-": r"\bsk-[\w-]{20,}",
    "a Brave key": r"\bBSA[\w-]{20,}",
    "a Tavily key": r"\btvly-[\w-]{8,}",
    "a GitHub token": r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})",
    "a signed token": r"\beyJ[\w-]{5,}\.[\w-]{5,}",
    "a raw key of 64 hexadecimal digits": r"(?<!hash\":\")(?<!artifact/)\b[0-9a-fA-F]{64}\b",
    "a bearer token": rf"(?i:\bbearer)[ ]{VALUE}",
    "an Internet Archive key pair": r"\bLOW [A-Za-z0-9]{4,}:[A-Za-z0-9]{4,}",
    "a password in an address": r"://[^\s/?#\"'<>@:\[\]]{0,256}:[^\s/?#\"'<>@\[\]]{1,256}@",
    "a key in a query": rf"(?i:[?&](?:{NAMES}))={VALUE}",
    "a key in a header": rf"(?i:x-api-key|x-subscription-token|x-admin-key)[\"']?\s?[:=]\s?[\"']?{VALUE}",
}
PATTERNS = {kind: re.compile(shape) for kind, shape in SHAPES.items()}


@dataclass(frozen=True)
class Output:
    """Text that was written; `what` describes where."""

    what: str
    text: str
    environment: Mapping[str, str]


PENDING: list[Output] = []


def scan_later(what: str, text: str | bytes, environment: Mapping[str, str]) -> None:
    """Search this text when the test is over."""
    if text:
        shown = text if isinstance(text, str) else text.decode("utf-8", "backslashreplace")
        PENDING.append(Output(what, shown, environment))


def scan_audit_files(environment: Mapping[str, str]) -> None:
    """Search the audit files of a process that has ended, the rotated ones too."""
    if path := environment.get("AUDIT_OUTPUT_PATH"):
        for file in sorted(Path(path).parent.glob(Path(path).name + "*")):
            if file.is_file() and file.stat().st_size <= LARGEST_FILE:
                scan_later("an audit file", file.read_bytes(), environment)


@contextmanager
def scan_log(environment: Mapping[str, str]) -> Iterator[None]:
    """Search what this process logs inside the block."""
    logger, handler = logging.getLogger("wellsourced"), ScanHandler(environment)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


class ScanHandler(logging.Handler):
    def __init__(self, environment: Mapping[str, str]) -> None:
        super().__init__()
        self._environment = environment

    def emit(self, record: logging.LogRecord) -> None:
        scan_later("the log", self.format(record), self._environment)


def find_leaks(output: Output) -> list[str]:
    """One sentence a kind of secret, without the secret."""
    known = [kind for kind, value in secrets_of(output.environment) if any(s in output.text for s in spellings(value))]
    shaped = [kind for kind, pattern in PATTERNS.items() if pattern.search(output.text)]
    return [f"{kind} was found in {output.what}" for kind in dict.fromkeys(known + shaped)]


def secrets_of(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each with the name of its variable. Of an address only the password counts; a pair counts whole and in part."""
    for name in secret_names() & environment.keys():
        value = environment[name].strip()
        parts = [urlsplit(value).password or ""] if "://" in value else [value, value.rpartition(":")[2].strip()]
        yield from ((name, part) for part in parts if len(part) >= SHORTEST)


@cache
def secret_names() -> frozenset[str]:
    from wellsourced.app.configuration import declared_settings

    return frozenset(setting.name for setting in declared_settings() if setting.secret)


def spellings(secret: str) -> set[str]:
    raw = secret.encode()
    encoded = base64.b64encode(raw).decode().rstrip("=")
    return {secret, quote(raw, safe=""), quote_plus(raw), json.dumps(secret)[1:-1], encoded, raw.decode("latin-1")}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, object, object]:
    """After the fixtures, too, have ended: a server they started has then written all it will write."""
    result = yield
    leaks = [leak for output in PENDING for leak in find_leaks(output)]
    PENDING.clear()
    if leaks:
        pytest.fail("Secrets leaked: " + "; ".join(dict.fromkeys(leaks)), pytrace=False)
    return result
