"""A second opinion: the harness that lies beside the project, where it is present, run on the same two servers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HEADING = """## The reference harness

The same two servers, measured by another program; `go` is the peer, and a ratio is ours to the peer's.
"""
QUICK = (
    "--cold-runs",
    "4",
    "--rounds",
    "2",
    "--batch",
    "10",
    "--sas-runs",
    "3",
    "--seconds",
    "0.5",
    "--load-rounds",
    "1",
)


def reference_tables(shared: Path, peer: Path, *, quick: bool) -> str:
    """Its tables as a chapter; empty where there is no such harness, or it failed."""
    harness = shared / "bench"
    if not (harness / "mcp_bench.py").is_file():
        print(f"There is no reference harness in {harness}; its tables are left out.", file=sys.stderr)
        return ""
    programs = {"PEER_BIN": peer, "PEER_LAUNCHER": peer, "OURS_BIN": Path(sys.executable).with_name("wellsourced")}
    with TemporaryDirectory() as folder:
        written = Path(folder) / "tables.md"
        command = [sys.executable, "-B", "mcp_bench.py", "--config", "contestants.json", "--only", "go,ours"]
        subprocess.run(  # noqa: S603
            [*command, *(QUICK if quick else ()), "--table", str(written)],
            cwd=harness,
            env=os.environ | {name: str(path) for name, path in programs.items()},
            stdout=subprocess.DEVNULL,
            check=False,
        )
        if not written.is_file():
            print("The reference harness failed; its tables are left out.", file=sys.stderr)
            return ""
        return f"{HEADING}\n{written.read_text().strip()}"
