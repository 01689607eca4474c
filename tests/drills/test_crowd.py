"""Ten thousand clients that say nothing, as far as this machine's limit on open files allows."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from urllib.parse import urlsplit

import pytest

from tests.drills.outcome import note
from tests.http.http_server import http_server
from tests.http.raw_connection import connect, read_to_end, tool_call

WANTED = 10_000
SPARE = 500

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs limits of Unix")


@contextmanager
def room_for_files() -> Iterator[int]:
    """How many connections this process may hold, with the limit raised as far as it may be."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = WANTED + SPARE if hard == resource.RLIM_INFINITY else min(hard, WANTED + SPARE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
    try:
        yield most - SPARE
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_idle_connections(environment: Mapping[str, str]) -> None:
    with http_server(environment) as address, room_for_files() as count, ExitStack() as held:
        place = urlsplit(address)
        for _ in range(count):
            held.enter_context(socket.create_connection((place.hostname, place.port), timeout=60))
        print(f"{count} connections are held")
        with connect(address, 20) as late:
            late.sendall(tool_call("web_search", {"query": "tides"}, connection="close"))
            assert b'"isError":false' in read_to_end(late)
    note("idle-connections", sees="nothing: calls of others are answered", lost="the connections idle for longest")
