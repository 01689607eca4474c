"""Who is measured: our server and the peer, each over stdio and over HTTP, each with a folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path

from bench.connection import HttpConnection, ServerConnection, StdioConnection

PEER, OURS = "peer", "ours"
PEER_HTTP, OURS_HTTP = "peer over HTTP", "ours over HTTP"
PACKAGE = "web-researcher-mcp"
KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT")
LIMITS = ("RATE_LIMIT_GLOBAL", "RATE_LIMIT_PER_TENANT", "RATE_LIMIT_PER_IP", "DAILY_QUOTA_PER_TENANT")
# Ours reads 0 as none, the peer as nothing at all.
UNLIMITED = dict.fromkeys(LIMITS, "100000000")


class PeerMissing(Exception):
    """Its message says what to do."""


@dataclass(frozen=True)
class MeasuredServer:
    name: str
    command: tuple[str, ...]
    environment: dict[str, str]

    async def start(self) -> ServerConnection:
        kind = HttpConnection if self.is_http else StdioConnection
        return await kind.start(self.command, self.environment)

    @property
    def is_http(self) -> bool:
        return self.name in {PEER_HTTP, OURS_HTTP}


def ours(upstream: str, folder: Path) -> list[MeasuredServer]:
    command = (sys.executable, "-m", "wellsourced")
    return [
        MeasuredServer(OURS, command, environment(upstream, folder / "ours")),
        MeasuredServer(OURS_HTTP, (*command, "serve", "--http"), environment(upstream, folder / "http") | UNLIMITED),
    ]


def peers(binary: Path, upstream: str, folder: Path) -> list[MeasuredServer]:
    """With a port in its environment the peer serves HTTP."""
    return [
        MeasuredServer(PEER, (str(binary),), environment(upstream, folder / "peer")),
        MeasuredServer(PEER_HTTP, (str(binary),), environment(upstream, folder / "peer-http") | UNLIMITED),
    ]


def environment(upstream: str, folder: Path) -> dict[str, str]:
    """The same for all: the web is the loopback's, there is no browser, nothing is asked of third parties."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | {
        "HOME": str(folder),
        "CACHE_DIR": str(folder / "cache"),
        "SEARCH_PROVIDER": "searxng",
        "SEARXNG_URL": upstream,
        "ALLOW_PRIVATE_IPS": "true",
        "JINA_READER_DISABLED": "true",
        "CHROME_PATH": "disabled",
    }


def find_peer(folder: Path) -> tuple[Path, str]:
    """The peer's bare program and its version, installed into the folder when it is not there."""
    if not (binaries := installed(folder)):
        install(folder)
        binaries = installed(folder)
    if not binaries:
        raise PeerMissing(f"{PACKAGE} was installed, but has no program for this machine in its bin folder.")
    binary = binaries[0]
    binary.chmod(binary.stat().st_mode | 0o111)
    (found,) = distributions(name=PACKAGE, path=[str(binary.parents[2])])
    return binary, found.version


def installed(folder: Path) -> Sequence[Path]:
    return sorted(folder.glob(f"lib/python*/site-packages/web_researcher_mcp/bin/{PACKAGE}*"))


def install(folder: Path) -> None:
    print(f"Installing {PACKAGE} into {folder} …", flush=True)
    for command in (
        [sys.executable, "-m", "venv", str(folder)],
        [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", PACKAGE],
    ):
        if subprocess.run(command, check=False).returncode:  # noqa: S603
            raise PeerMissing(
                f"{PACKAGE} could not be installed, so there is nothing to compare with. With access to a package "
                f"index run `make bench` again, or install it by hand: {' '.join(command)}"
            )
