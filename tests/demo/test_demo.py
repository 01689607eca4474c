"""The whole demo as a process: every finding it promises, nothing of the user's used, nothing left behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from mcp import Client

from tests.cli.running import can_be_interrupted
from tests.demo.traces import assert_nothing_left, environment_of, processes_with
from tests.demo.trap import Trap
from wellsourced.app.configuration import declared_settings

COMMAND = (sys.executable, "-m", "wellsourced", "demo")
KEY = "sk-4f9a7c21e8b35d60"
SECONDS = 120


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name in ("home", "tmp"):
        (tmp_path / name).mkdir()
    return tmp_path


def users_environment(place: Path, trap: Trap) -> dict[str, str]:
    """Somebody's who has configured everything there is, all of it leading into the trap."""
    given = {}
    for setting in declared_settings():
        if setting.secret or setting.kind == "url":
            given[setting.name] = f"http://127.0.0.1:{trap.port}" if "URL" in setting.name else KEY
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), f"http://127.0.0.1:{trap.port}")
    folders = {"HOME": str(place / "home"), "TMPDIR": str(place / "tmp"), "CACHE_DIR": str(place / "home" / "cache")}
    return {
        **given,
        **proxies,
        **proxies_in_lower_case(proxies),
        **folders,
        "PATH": os.environ["PATH"],
        **python_path(),
    }


def proxies_in_lower_case(proxies: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in proxies.items()}


def python_path() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1"}


def test_every_promise_of_the_demo(place: Path) -> None:
    report = place / "report.md"
    with Trap() as trap:
        ran = subprocess.run(
            [*COMMAND, "--exit", "--json", "-o", str(report)],
            env=users_environment(place, trap),
            cwd=place,
            capture_output=True,
            timeout=SECONDS,
        )
        assert ran.returncode == 0, ran.stderr.decode()
        assert trap.connections == 0
    steps = json.loads(ran.stdout)["steps"]
    assert [step["step"] for step in steps] == list(range(1, len(steps) + 1))
    begun, searched, read, kept, blocked, forbidden, *later = steps
    gathered, retracted, fabricated, audited, noted, closed, exported = later
    port = urlsplit(searched["content"]["results"][0]["url"]).port

    assert "1.9 °C" in read["content"]["content"]
    assert read["content"]["detectedDoi"] == "10.5072/jhc.2021.0203"
    assert (kept["content"]["projectCapture"]["receipt"], "Receipt 1" in kept["text"]) == (1, True)
    assert '"kind":"blocked"' in blocked["error"] and "“blocked”" in blocked["text"]
    assert "127.0.0.1 is a loopback address" in forbidden["error"]

    copies = {source["url"]: source.get("sameTextAs") for source in gathered["content"]["sources"]}
    assert sorted(
        host(url) for url in {url for url, copy in copies.items() if copy} | set(filter(None, copies.values()))
    ) == [
        "daily-apiarist.example",
        "garden-wire.example",
    ]
    assert [failure["kind"] for failure in gathered["content"]["scrapeFailures"]] == ["blocked"]
    assert "prints the text of" in gathered["text"]

    assert retracted["content"]["retractionStatus"]["noticeDoi"] == "10.5072/aua.2020.0009"
    assert "retracted on 2020-05-11; the notice is 10.5072/aua.2020.0009" in retracted["text"]
    assert fabricated["content"]["exists"] is False
    assert "not registered with any agency" in fabricated["text"]

    entries = audited["content"]["entries"]
    assert [entry["flags"] for entry in entries] == [[], ["retracted"], ["not_found"], ["mismatch"]]
    assert all(said in audited["text"] for said in ("Rufus Ottoline", "Ysolde Marchbanks", "2014", "2019"))

    assert "nights stay warm" in noted["text"]
    assert closed["content"]["isComplete"] and closed["content"]["gaps"]
    assert str(report) in exported["text"]
    written = report.read_text("utf-8")
    assert all(result["url"] in written for result in searched["content"]["results"])
    assert "nights stay warm" in written and begun["content"]["sessionId"] in written

    assert list((place / "home").rglob("*")) == []
    assert_nothing_left(place / "tmp", port or 0)


def test_the_result_can_be_looked_at_until_interrupted(place: Path) -> None:
    with Trap() as trap:
        process = subprocess.Popen(
            [*COMMAND, "--no-open", "--json"],
            env=users_environment(place, trap),
            stdout=subprocess.PIPE,
            cwd=place,
            preexec_fn=can_be_interrupted,
        )
        try:
            assert process.stdout
            steps = json.loads(process.stdout.readline())["steps"]
            session, address = steps[0]["content"]["sessionId"], steps[-1]["address"]
            sample = urlsplit(steps[1]["content"]["results"][0]["url"]).port or 0
            children = set(processes_with(place / "tmp")) - {process.pid}
            assert children and not any(KEY.encode() in b"".join(environment_of(child)) for child in children)
            asyncio.run(look_around(address, session, sample, trap.port))
            assert trap.connections == 0
            process.send_signal(signal.SIGINT)
            assert process.wait(SECONDS) == 0
        finally:
            process.kill()
            process.communicate(timeout=SECONDS)
    assert_nothing_left(place / "tmp", sample, urlsplit(address).port or 0)


async def look_around(address: str, session: str, sample: int, other: int) -> None:
    """The session is there, the sample web can be read, and nothing else on this machine can."""
    client: Any
    async with Client(f"{address.partition('#')[0]}mcp") as client:
        kept = await client.call_tool("get_research_session", {"sessionId": session})
        assert kept.structured_content["sourceCount"] == 5
        page = f"http://cantle-extension.example:{sample}/notes/living-hive-roofs"
        read = await client.call_tool("scrape_page", {"url": page})
        assert "ten kilograms" in read.structured_content["content"]
        for place in (f"127.0.0.1:{sample}", f"127.0.0.1:{other}", f"localhost:{other}", f"[::1]:{other}"):
            refused = await client.call_tool("scrape_page", {"url": f"http://{place}/"})
            assert refused.is_error and '"kind":"validation"' in refused.content[0].text


def host(url: str) -> str:
    return urlsplit(url).hostname or ""
