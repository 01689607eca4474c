"""The official Inspector at the command line as a signed-in client, and how long anybody waits for an answer."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import time
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.conformance.suite import PACKAGES, find_node, installed_version
from tests.many_users.server import Person, Servers

LAUNCHER = PACKAGES / "inspector" / "clients" / "launcher" / "build" / "index.js"
SECONDS = 120


@pytest.fixture
def inspector() -> list[str]:
    node = find_node()
    if node is None or not installed_version("inspector"):
        sentence = "THE INSPECTOR WAS NOT TRIED: it or its Node is missing; tests/conformance/install.sh fetches both"
        if os.environ.get("CI") == "true":
            pytest.fail(sentence, pytrace=False)
        pytest.skip(sentence)
    return [str(node), str(LAUNCHER), "--cli"]


def run(
    inspector: list[str], servers: Servers, who: Person | None, *arguments: str
) -> subprocess.CompletedProcess[str]:
    """With a home of its own, since it writes there."""
    home = str(servers.logs[0].parent)
    signed = ["--header", f"Authorization: Bearer {who.token}"] if who else []
    line = [*inspector, servers.addresses[0] + "/mcp", "--transport", "http", *signed, *arguments]
    kept = {"PATH": os.environ["PATH"], "HOME": home}
    return subprocess.run(line, capture_output=True, text=True, timeout=SECONDS, check=False, cwd=home, env=kept)


def answered(ran: subprocess.CompletedProcess[str]) -> Any:
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_the_inspector_lists_and_calls_with_a_token_and_not_without(servers: Servers, inspector: list[str]) -> None:
    who = servers.people()[0]
    tools = {tool["name"] for tool in answered(run(inspector, servers, who, "--method", "tools/list"))["tools"]}
    assert {"web_search", "memory_save", "workspace_read", "get_my_analytics"} <= tools
    call = ["--method", "tools/call", "--tool-name", "web_search", "--tool-arg", f"query={who.mark}"]
    assert who.mark in json.dumps(answered(run(inspector, servers, who, *call)))
    refused = run(inspector, servers, None, "--method", "tools/list")
    assert refused.returncode != 0
    assert json.loads(refused.stderr)["error"]["code"] == "auth_required", "what it makes of a 401"
    nobody = servers.ask(replace(who, token="none"), 0, "tools/list")
    assert (nobody.status, nobody.headers["www-authenticate"].split()[0]) == (401, "Bearer")


def test_answers_on_a_kept_connection_do_not_wait_for_acknowledgements(servers: Servers) -> None:
    """Forty milliseconds each it would be, were small packets held back; the first few are acknowledged at once."""
    place = urlsplit(servers.addresses[0])
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=60)
    took = []
    for _ in range(40):
        began = time.perf_counter()
        connection.request("GET", "/health/live")
        assert connection.getresponse().read() == b"ok"
        took.append(time.perf_counter() - began)
    connection.close()
    assert min(took[20:]) < 0.03, took
