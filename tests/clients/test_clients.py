"""What the usual client libraries hand to a model of a default search_and_scrape: its text must be in it.

They run in an environment of their own: `CLIENTS_PYTHON` names its interpreter (requirements.txt beside this file is
what it holds; LangChain and Semantic Kernel want one with mcp below 2), `CLIENTS_NODE_SDK` the folder of
@modelcontextprotocol/sdk, `PEER_PYTHON` an interpreter with web-researcher-mcp. Without them the tests skip.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.http.http_server import http_server
from tests.loopback.run import Internet

HERE = Path(__file__).parent
LIBRARIES = {
    "sdk": "mcp",
    "fastmcp": "fastmcp",
    "langchain": "langchain_mcp_adapters",
    "openai_agents": "agents",
    "pydantic_ai": "pydantic_ai",
    "llama_index": "llama_index.tools.mcp",
    "semantic_kernel": "semantic_kernel",
}
SENTENCE = "The solar panels of station 90 gave 4711 kilowatt hours in June."
SECONDS = 180
LEAST_TOOLS = 20
OFFICE = {"EPO_OPS_CONSUMER_KEY": "office-key", "EPO_OPS_CONSUMER_SECRET": "office-secret"}


@pytest.fixture
def server(environment: dict[str, str], internet: Internet) -> str:
    """The server's command, with long pages in its world, so that the answer is an excerpt with a link to the whole."""
    filler = "".join(f"<p>{site} tells of day {n}. {'It rained. ' * 60}</p>" for n in range(60) for site in ("One",))
    for site in ("alpha", "bravo", "charlie"):
        body = f"<!doctype html><title>{site}</title><article><h1>{site}</h1>{filler.replace('One', site)}<p>{SENTENCE}"
        internet.control(f"/site/{site}", status=200, body=body, headers={"content-type": "text/html"})
    reading = {**environment, "ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}
    return json.dumps({"command": sys.executable, "args": ["-m", "wellsourced"], "env": reading})


def model_text(command: list[str], **environment: str) -> str:
    answer = subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, env={**os.environ, **environment}, check=False
    )
    assert answer.returncode == 0, answer.stderr[-3000:]
    text: str = json.loads(answer.stdout.splitlines()[-1])["text"]
    return text


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_text_reaches_the_model(library: str, server: str) -> None:
    python = os.environ.get("CLIENTS_PYTHON", "")
    if not python:
        pytest.skip("CLIENTS_PYTHON names no environment with the client libraries")
    known = subprocess.run([python, "-c", f"import {LIBRARIES[library]}"], capture_output=True, check=False)
    if known.returncode:
        pytest.skip(f"{LIBRARIES[library]} is not installed there")
    assert SENTENCE in model_text([python, str(HERE / "ask.py"), library, server])


def test_the_text_reaches_the_model_through_the_typescript_sdk(server: str) -> None:
    folder, node = os.environ.get("CLIENTS_NODE_SDK", ""), shutil.which("node")
    if not folder or not node:
        pytest.skip("CLIENTS_NODE_SDK names no TypeScript SDK, or there is no node")
    assert SENTENCE in model_text([node, str(HERE / "ask.mjs"), server], SDK=folder)


def test_the_peers_own_client_works_unchanged(keyed_environment: dict[str, str], internet: Internet) -> None:
    """Each of its methods gives a typed answer with something in it."""
    python = os.environ.get("PEER_PYTHON", "")
    if not python:
        pytest.skip("PEER_PYTHON names no environment with web-researcher-mcp")
    reading = {**keyed_environment, **OFFICE, "ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}
    picture = {"title": "Tides", "url": "https://a.example/1", "img_src": "https://a.example/1.jpg", "engine": "bing"}
    images = json.dumps({"query": "q", "results": [picture], "unresponsive_engines": []})
    internet.control("/searxng", status=200, body=images, headers={"content-type": "application/json"})
    paper = f"<!doctype html><title>Tides</title><article><h1>Tides</h1><p>{'The tides turn. ' * 400}</p></article>"
    internet.control("/site/delta", status=200, body=paper, headers={"content-type": "text/html"})
    with http_server(reading) as address:
        command = [python, str(HERE / "ask_peer.py"), address.rpartition(":")[2].strip("/"), internet.base]
        answer = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert answer.returncode == 0, answer.stderr[-3000:]
    told = json.loads(answer.stdout.splitlines()[-1])
    assert told.pop("tools") >= LEAST_TOOLS
    assert not {tool: said for tool, said in told.items() if isinstance(said, str) or len(said) < 2}
