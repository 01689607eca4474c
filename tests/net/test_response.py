"""The last check of all: an answer from an address that nobody checked is not read."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address
from types import SimpleNamespace
from typing import Any

import pytest

from wellsourced.errors import Refused
from wellsourced.net.guard import CheckedTarget
from wellsourced.net.request import OutgoingRequest
from wellsourced.net.response import read_reply


def answer_from(address: str) -> Any:
    peer = SimpleNamespace(ip=lambda: ip_address(address))
    status = SimpleNamespace(as_int=lambda: 204)
    return SimpleNamespace(remote_addr=peer, status=status, headers=[(b"X-A", b"\xff"), (b"x-truncated", b"1")])


def test_an_answer_from_elsewhere_is_refused() -> None:
    target = CheckedTarget("https://a.example/", "https", "a.example", 443, (ip_address("93.184.215.14"),))
    request = OutgoingRequest("HEAD", target.url, {})
    reply = asyncio.run(read_reply(answer_from("93.184.215.14"), request, target, follow=False))
    assert reply.headers == {"x-a": "ÿ"}
    with pytest.raises(Refused, match=r"went to 10\.0\.0\.1, which was not checked"):
        asyncio.run(read_reply(answer_from("10.0.0.1"), request, target, follow=False))
