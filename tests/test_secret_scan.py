"""The scanner bites: on every kind of secret, in every spelling, in a test run of its own; and on nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.secret_scan import Output, find_leaks
from wellsourced.text.masker import mask

ROOT = Path(__file__).resolve().parents[1]
KEY = "ключ/шеф 2026"
ENVIRONMENT = {
    "ADMIN_API_KEY": KEY,
    "EXA_API_KEY": "11111111-2222-3333-4444-555555555555",
    "REDIS_URL": "redis://:the-password-of-redis@127.0.0.1:6379/0",
    "SEARXNG_BASIC_AUTH": "reader:open-sesame-42",
    "PUBLIC_URL": "https://research.example.org",
}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"said {KEY} aloud", "ADMIN_API_KEY"),
        ('{"key":"\\u043a\\u043b\\u044e\\u0447/\\u0448\\u0435\\u0444 2026"}', "ADMIN_API_KEY"),
        ("GET /?k=%D0%BA%D0%BB%D1%8E%D1%87%2F%D1%88%D0%B5%D1%84+2026", "ADMIN_API_KEY"),
        (KEY.encode().decode("latin-1"), "ADMIN_API_KEY"),
        ("asked with 11111111-2222-3333-4444-555555555555.", "EXA_API_KEY"),
        ("the-password-of-redis", "REDIS_URL"),
        ("open-sesame-42", "SEARXNG_BASIC_AUTH"),
        ("cmVhZGVyOm9wZW4tc2VzYW1lLTQy", "SEARXNG_BASIC_AUTH"),
        ("AIza" + "x" * 35, "a Google key"),
        ("sk-" + "x" * 20, "a key that begins with sk-"),
        ("BSA" + "x" * 20, "a Brave key"),
        ("tvly-12345678", "a Tavily key"),
        ("ghp_" + "x" * 20, "a GitHub token"),
        ("github_pat_" + "x" * 20, "a GitHub token"),
        ("a token eyJhbGciOiJI.eyJzdWIiOiJh.c2lnbmF0dXJl", "a signed token"),
        ("ab" * 32, "a raw key of 64 hexadecimal digits"),
        ("Authorization: Bearer abcdef", "a bearer token"),
        ("LOW abcd1234:efgh5678", "an Internet Archive key pair"),
        ("http://reader:pass@127.0.0.1/", "a password in an address"),
        ("GET /search?q=x&api_key=abcdef", "a key in a query"),
        ("X-Subscription-Token: abcdef", "a key in a header"),
    ],
)  # fmt: skip
def test_each_kind_is_found_and_named_and_what_the_house_masks_is_not(text: str, kind: str) -> None:
    (sentence,) = {leak for leak in find_leaks(Output("a log", text, ENVIRONMENT)) if leak.startswith(kind)}
    assert sentence == f"{kind} was found in a log"
    if kind not in ENVIRONMENT:
        assert not find_leaks(Output("a log", mask(text), {}))


@pytest.mark.parametrize(
    "text",
    [
        '{"prev_hash":"' + "0" * 64 + '","hash":"' + "ab" * 32 + '"}',
        "ADMIN_API_KEY: the value given is not understood; it accepts 64 hexadecimal digits.",
        "This needs the admin key in the header X-Admin-Key.",
        "Authorization: Bearer [REDACTED], http://[REDACTED]@host/?key=[REDACTED]",
        "https://research.example.org/mcp at http://127.0.0.1:8765/ for reader@library.example",
        "Resource not found: research://artifact/" + "ab" * 32,
    ],
)
def test_what_is_no_secret_passes(text: str) -> None:
    assert find_leaks(Output("a log", text, ENVIRONMENT)) == []


PLANTED = """
import sys
from tests.mcp.stdio_client import StdioServer

LEAKY = "import os, sys; sys.stderr.write(os.environ['BRAVE_API_KEY'])"

def test_leaks():
    with StdioServer({"BRAVE_API_KEY": "quite-a-secret-value"}, (sys.executable, "-c", LEAKY)) as server:
        server.end_input()

def test_keeps_quiet():
    with StdioServer({"BRAVE_API_KEY": "quite-a-secret-value"}, (sys.executable, "-c", "")) as server:
        server.end_input()
"""


def test_a_test_that_leaks_fails_and_does_not_tell_the_secret(tmp_path: Path) -> None:
    file = tmp_path / "test_planted.py"
    file.write_text(PLANTED)
    command = [sys.executable, "-m", "pytest", "-p", "tests.secret_scan", "-p", "no:cacheprovider", "--rootdir", "."]
    ran = subprocess.run(
        [*command, str(file)], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert ran.returncode == 1
    assert "Secrets leaked: BRAVE_API_KEY was found in what a server wrote to stderr" in ran.stdout, ran.stdout
    assert "2 passed, 1 error" in ran.stdout
    assert "quite-a-secret-value" not in ran.stdout + ran.stderr
