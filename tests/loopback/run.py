"""Runs the loopback internet: in a thread for tests, or as a process: `python -m tests.loopback.run --port N`."""

from __future__ import annotations

import argparse
import json
import socket
import threading
import time
import urllib.error
import urllib.request
from types import TracebackType
from typing import Any

import uvicorn

from tests.loopback.app import application
from tests.loopback.upstreams import all_upstreams
from tests.loopback.wire import OpenWire

START_LIMIT = 60.0
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def server() -> uvicorn.Server:
    config = uvicorn.Config(
        application(),
        http=OpenWire,
        loop="asyncio",
        ws="none",
        lifespan="off",
        log_level="error",
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    return uvicorn.Server(config)


def bound(port: int) -> socket.socket:
    """A socket that already listens, so that a client with its address can connect at once."""
    opened = socket.socket()
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    opened.bind(("127.0.0.1", port))
    opened.listen(256)
    return opened


def environment(base: str) -> dict[str, str]:
    """The variables that point our server's providers at a loopback."""
    pairs = (pair for upstream in all_upstreams() for pair in upstream.environment.items())
    return {name: value.replace("{base}", base) for name, value in pairs}


def keys() -> dict[str, str]:
    """The credentials that the imitated services accept."""
    return {name: value for upstream in all_upstreams() for name, value in upstream.keys.items()}


class Internet:
    """A loopback internet of one's own, from `with Internet() as internet` until the block ends."""

    def __init__(self, port: int = 0) -> None:
        self._socket = bound(port)
        self.base = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._server = server()
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True)

    def __enter__(self) -> Internet:
        self._thread.start()
        deadline = time.monotonic() + START_LIMIT
        while not self._server.started:
            assert self._thread.is_alive(), "the loopback internet did not start"
            assert time.monotonic() < deadline, "the loopback internet took too long to start"
            time.sleep(0.01)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        self._thread.join(START_LIMIT)
        self._socket.close()

    def control(self, prefix: str, **behaviour: Any) -> None:
        """Change how everything under a path prefix behaves; `behaviour.py` lists what can be said."""
        self._ask("/__control", {"prefix": prefix, **behaviour})

    def stats(self) -> dict[str, Any]:
        """`requests`, `most_in_flight` and `in_flight` by upstream or site (`*` is all), and the requests `seen`."""
        return self._ask("/__stats")

    def requests(self, prefix: str = "*") -> int:
        """How many requests arrived for an upstream (`/searxng`), a site (`/site/alpha`), or altogether."""
        count: int = self.stats()["requests"].get(prefix, 0)
        return count

    def reset(self) -> None:
        """Forget all behaviour and all counts."""
        self._ask("/__reset", {})

    def environment(self) -> dict[str, str]:
        return environment(self.base)

    def _ask(self, path: str, body: object = None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        try:
            with DIRECT.open(urllib.request.Request(self.base + path, data), timeout=60) as reply:
                answer: dict[str, Any] = json.load(reply)
        except urllib.error.HTTPError as refused:
            raise ValueError(json.load(refused)["error"]) from None
        return answer


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--port", type=int, default=0)
    opened = bound(options.parse_args().port)
    base = f"http://127.0.0.1:{opened.getsockname()[1]}"
    print("\n".join(f"{name}={value}" for name, value in environment(base).items()), flush=True)
    server().run(sockets=[opened])


if __name__ == "__main__":
    main()
