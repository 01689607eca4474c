"""The loopback internet itself: real shapes, links that lead somewhere, and faults that really happen."""

from __future__ import annotations

import gzip
import http.client
import json
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from tests.loopback.faults import WORDS
from tests.loopback.run import Internet

ROOT = Path(__file__).resolve().parents[2]


def fetch(address: str, body: bytes | None = None, limit: float = 20) -> http.client.HTTPResponse:
    """One request without redirects, proxies or retries."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.netloc, timeout=limit)
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    headers = {"Content-Type": "application/x-www-form-urlencoded"} if body is not None else {}
    connection.request("GET" if body is None else "POST", path, body, headers)
    return connection.getresponse()


def text(address: str, body: bytes | None = None) -> str:
    return fetch(address, body).read().decode()


def searxng(internet: Internet, query: str) -> Any:
    return json.loads(text(f"{internet.base}/searxng/search?format=json&q={quote(query)}"))


def hackernews(internet: Internet, query: str) -> Any:
    return json.loads(text(f"{internet.base}/hackernews/api/v1/search?query={quote(query)}"))


def duckduckgo_links(page: str) -> list[str]:
    links = [unescape(href) for href in re.findall(r'class="result__a" href="([^"]*)"', page)]
    return [parse_qs(urlsplit(href).query).get("uddg", [href])[0] for href in links if "y.js" not in href]


@pytest.mark.parametrize("query", ["solar panels", "太陽光 パネル", "a/b & <c> “d”?#%", "सौर पैनल"])
def test_every_result_of_every_engine_leads_to_a_page_about_it(internet: Internet, query: str) -> None:
    page = text(f"{internet.base}/duckduckgo/html/", f"q={quote(query)}".encode())
    lists = [
        [result["url"] for result in searxng(internet, query)["results"]],
        [hit["url"] for hit in hackernews(internet, query)["hits"] if "url" in hit],
        duckduckgo_links(page),
    ]
    assert [len(links) for links in lists] == [10, 16, 10]
    assert lists[0][:3] == lists[1][:3] == lists[2][:3]
    assert len({link for links in lists for link in links}) == 3 + 7 + 13 + 7
    for link in {links[index] for links in lists for index in (0, -1)}:
        assert query.split()[0] in unescape(text(link))


def test_nothing_found_is_said_in_each_engines_own_way(internet: Internet) -> None:
    answer = searxng(internet, "nothing here")
    assert answer.pop("query") == "nothing here"
    assert len(answer) == 6
    assert all(member == [] for member in answer.values())
    assert searxng(internet, "total outage")["unresponsive_engines"]
    empty = hackernews(internet, "nothing here")
    assert (empty["hits"], empty["nbHits"], empty["nbPages"]) == ([], 0, 0)
    assert '<div class="no-results">No  results.</div>' in text(f"{internet.base}/duckduckgo/html/", b"q=nothing")


def test_duckduckgo_gives_a_second_page_only_for_its_hidden_fields(internet: Internet) -> None:
    address = f"{internet.base}/duckduckgo/html/"
    first = text(address, b"q=solar")
    form = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', first))
    second = text(address, "&".join(f"{name}={value}" for name, value in form.items()).encode())
    assert not set(duckduckgo_links(first)) & set(duckduckgo_links(second))
    refused = fetch(address, b"q=solar&s=10")
    assert refused.status == 202
    assert b"challenge-form" in refused.read()


def test_the_shapes_are_those_that_were_recorded(internet: Internet, shared: Path) -> None:
    recorded = json.loads((shared / "wire/searxng/search_severance_partial_outage.json").read_text("utf-8"))
    ours = searxng(internet, "solar")
    assert ours.keys() == recorded.keys()
    assert ours["results"][0].keys() == recorded["results"][0].keys()
    hit = json.loads((shared / "wire/hackernews/algolia_hit_2026.documented.json").read_text("utf-8"))["hits"][0]
    assert hackernews(internet, "solar")["hits"][0].keys() == hit.keys() - {"story_text"}
    real = set(re.findall(r"result__?\w+|results\w*", (shared / "wire/duckduckgo/html_results_rust.html").read_text()))
    page = text(f"{internet.base}/duckduckgo/html/", b"q=solar")
    assert set(re.findall(r"result__?\w+|results\w*", page)) <= real
    anomaly = (shared / "wire/duckduckgo/html_challenge_anomaly.html").read_text()
    internet.control("/duckduckgo", block="duckduckgo")
    blocked = text(f"{internet.base}/duckduckgo/html/", b"q=solar")
    assert set(re.findall(r"anomaly-modal__\w+|[\w-]+-form", blocked)) <= set(
        re.findall(r"anomaly-modal__\w+|[\w-]+-form", anomaly)
    )


def test_rules_hold_for_their_prefix_and_number_of_times(internet: Internet) -> None:
    internet.control("/searxng", status=429, headers={"Retry-After": "7"}, body="slow down", times=2)
    internet.control("/site", status=503)
    internet.control("/site/alpha", block="cloudflare")
    answers = [fetch(f"{internet.base}/searxng/search?format=json&q=x") for _ in range(3)]
    assert [answer.status for answer in answers] == [429, 429, 200]
    assert answers[0].getheader("retry-after") == "7"
    blocked = fetch(f"{internet.base}/site/alpha/page")
    assert (blocked.status, blocked.getheader("cf-mitigated")) == (403, "challenge")
    assert fetch(f"{internet.base}/site/bravo/page").status == 503
    internet.reset()
    assert fetch(f"{internet.base}/site/alpha/page").status == 200
    with pytest.raises(ValueError, match="fault is one of drip"):
        internet.control("/site", fault="no such thing")
    with pytest.raises(ValueError, match="latency cannot be set"):
        internet.control("/site", latency=3)


def test_redirects_go_where_they_are_told_or_round_and_round(internet: Internet) -> None:
    internet.control("/site/alpha", redirect="http://169.254.169.254/latest/")
    assert fetch(f"{internet.base}/site/alpha/x").getheader("location") == "http://169.254.169.254/latest/"
    internet.control("/site/bravo", redirect="loop", status=307)
    path, seen = "/site/bravo/%E3%81%82", set()
    for _ in range(4):
        answer = fetch(internet.base + path)
        path = answer.getheader("location") or ""
        seen.add(path)
    assert (answer.status, len(seen)) == (307, 4)
    assert all(path.startswith("/site/bravo/%E3%81%82?turn=") for path in seen)


def test_requests_are_counted_and_overlap_is_noticed(internet: Internet) -> None:
    internet.control("/site/alpha", latency_ms=800)
    began = time.monotonic()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(text, [f"{internet.base}/site/alpha/{number}" for number in range(4)]))
    text(f"{internet.base}/site/bravo/last?q=1")
    assert time.monotonic() - began >= 0.8
    stats = internet.stats()
    assert stats["requests"] == {"/site/alpha": 4, "/site/bravo": 1, "*": 5}
    assert stats["most_in_flight"] == {"/site/alpha": 4, "/site/bravo": 1, "*": 4}
    assert stats["in_flight"] == {}
    assert (stats["seen"][-1]["path"], stats["seen"][-1]["query"]) == ("/site/bravo/last", "q=1")


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("reset", ConnectionResetError),
        ("half-body", http.client.IncompleteRead),
        ("garbage", http.client.BadStatusLine),
        ("silence", TimeoutError),
    ],
)
def test_broken_connections_break_as_announced(internet: Internet, fault: str, error: type[Exception]) -> None:
    internet.control("/site", fault=fault, times=1)
    with pytest.raises(error):
        fetch(f"{internet.base}/site/alpha/page", limit=1.5).read()
    assert fetch(f"{internet.base}/site/alpha/page").status == 200


def test_a_drip_does_not_end_by_itself_but_ends_with_the_client(internet: Internet) -> None:
    internet.control("/site", fault="drip")
    dripping = fetch(f"{internet.base}/site/alpha/page")
    assert dripping.read(5) == b"....."
    assert internet.stats()["in_flight"]["*"] == 1
    dripping.close()
    deadline = time.monotonic() + 5
    while internet.stats()["in_flight"] and time.monotonic() < deadline:
        time.sleep(0.05)
    assert internet.stats()["in_flight"] == {}


def test_big_answers_are_as_big_as_asked_for(internet: Internet) -> None:
    size = 20 * 1024 * 1024
    internet.control("/site/alpha", fault="gzip-bomb", size=size)
    internet.control("/site/bravo", fault="huge-json", size=size)
    internet.control("/site/charlie", fault="wrong-length")
    packed = fetch(f"{internet.base}/site/alpha/page").read()
    assert len(packed) < size / 500
    assert len(gzip.decompress(packed)) == size
    assert len(json.loads(text(f"{internet.base}/site/bravo/data"))["results"]) > 300_000
    assert fetch(f"{internet.base}/site/charlie/page").read() == WORDS[: len(WORDS) // 2]


def test_it_runs_as_a_process_and_says_how_to_reach_it(internet: Internet) -> None:
    assert internet.environment()["SEARXNG_URL"] == f"{internet.base}/searxng"
    line = [sys.executable, "-m", "tests.loopback.run"]
    with subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            variables = dict(process.stdout.readline().strip().split("=", 1) for _ in internet.environment())
            answer = json.loads(text(f"{variables['SEARXNG_URL']}/search?format=json&q=solar"))
        finally:
            process.terminate()
    assert variables.keys() == internet.environment().keys()
    assert len(answer["results"]) == 10
