"""The demo's guard lets one port of the loopback through, and only that one."""

from __future__ import annotations

import asyncio

import pytest

from wellsourced.errors import Refused, WellsourcedError
from wellsourced.net import guard
from wellsourced.net.guard import LOOPBACK, DemoGuard

PORT = 41234
REFUSED = (
    f"http://127.0.0.1:{PORT}/",
    f"http://localhost:{PORT}/",
    f"http://[::1]:{PORT}/",
    f"http://0x7f000001:{PORT}/",
    f"http://[::ffff:127.0.0.1]:{PORT}/",
    f"https://journal.example:{PORT}/",
    "http://journal.example/",
    f"http://journal.example:{PORT + 1}/",
    f"http://journal.example.com:{PORT}/",
    f"http://journalexample:{PORT}/",
    f"http://journal.example@127.0.0.1:{PORT}/",
    "http://169.254.169.254/latest/meta-data/",
)


async def everything_is_here(host: str, port: int) -> list[str]:
    """A name service on the attacker's side: whatever is asked for is said to be on loopback."""
    return ["127.0.0.1"]


def check(url: str) -> guard.CheckedTarget:
    sample = DemoGuard(PORT)
    sample._resolve = everything_is_here
    return asyncio.run(sample.check(url))


@pytest.mark.parametrize("url", REFUSED)
def test_everything_else_is_refused_as_always(url: str) -> None:
    with pytest.raises(Refused):
        check(url)


@pytest.mark.parametrize("name", ["journal.example", "a.b.example", "JOURNAL.Example"])
def test_the_sample_web_is_reached_on_its_port(name: str) -> None:
    target = check(f"http://{name}:{PORT}/page")
    assert (target.host, target.port, target.addresses) == (name.lower(), PORT, (LOOPBACK,))


def test_an_unreadable_address_is_told_as_one() -> None:
    with pytest.raises(WellsourcedError):
        check("http://[/")
