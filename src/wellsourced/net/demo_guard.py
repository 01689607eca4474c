"""The guard of a process that reads the demo's sample web.

Names under `.example` belong to nobody (RFC 2606). On one port they are the sample web on this machine's loopback;
everything else, other loopback addresses and other ports of these names included, is decided as always.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address

from wellsourced.net.address_ranges import lies_under
from wellsourced.net.guard import Guard, Target
from wellsourced.text.urls import require_web_url

NOBODYS = "example"
LOOPBACK = IPv4Address("127.0.0.1")


class SampleGuard(Guard):
    def __init__(self, port: int, allowed_domains: Sequence[str] = ()) -> None:
        super().__init__(allowed_domains=allowed_domains)
        self._port = port

    async def check(self, url: str) -> Target:
        parsed = require_web_url(url)
        is_sample = parsed.port == str(self._port) and lies_under(parsed.hostname, NOBODYS)
        if is_sample and parsed.protocol == "http:":
            return Target(parsed.href, "http", parsed.hostname, self._port, (LOOPBACK,))
        return await super().check(url)
