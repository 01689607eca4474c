"""A guard for tests: everything is refused as always, except the test's own server under a made-up public name."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address

from wellsourced.net.guard import AddressGuard, CheckedTarget

SITE = "site.test"
NAMES = {"inner.test": ["10.1.2.3"], "mixed.test": ["93.184.215.14", "127.0.0.1"]}


async def made_up_names(host: str, port: int) -> Sequence[str]:
    if host not in NAMES:
        raise OSError(f"{host} is not in the book")
    return NAMES[host]


class LoopbackGuard(AddressGuard):
    """`http://site.test:PORT` is the server at PORT on loopback, and nothing else on loopback may be reached."""

    def __init__(self, port: int) -> None:
        super().__init__(resolve=made_up_names)
        self._port = port

    async def check(self, url: str) -> CheckedTarget:
        scheme, _, rest = url.partition("://")
        if rest.partition("/")[0] == f"{SITE}:{self._port}":
            return CheckedTarget(url, scheme, SITE, self._port, (IPv4Address("127.0.0.1"),))
        return await super().check(url)
