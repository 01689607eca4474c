"""Measures our server beside the peer and writes docs/benchmarks.md and docs/benchmarks.svg.

python -m bench.run [--quick] [--shared DIR] [--out DIR]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import cases, measure_all, report
from bench.connection import ServerFailed
from bench.plot import plot
from bench.reference import reference_tables
from bench.servers import PeerMissing, find_peer, ours, peers
from bench.web_server import WebServer
from wellsourced import __version__

ROOT = Path(__file__).resolve().parent.parent
TITLE = "How many times better than web-researcher-mcp (right: we are ahead; left: behind)"


def options() -> argparse.Namespace:
    known = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known.add_argument("--quick", action="store_true", help="about two minutes, coarser figures")
    known.add_argument("--shared", type=Path, help="folder whose bench/ holds the reference harness, run as well")
    known.add_argument("--out", type=Path, default=ROOT / "docs", help="folder for the page and the plot")
    known.add_argument("--peer", type=Path, default=ROOT / ".tools" / "peer", help="environment that has the peer")
    return known.parse_args()


def main() -> int:
    chosen = options()
    chosen.out.mkdir(parents=True, exist_ok=True)  # before the measuring, which would be lost without it
    load = os.getloadavg()[0]
    try:
        binary, version = find_peer(chosen.peer)
        with TemporaryDirectory() as folder, WebServer() as upstream:
            servers = [*peers(binary, upstream.base, Path(folder)), *ours(upstream.base, Path(folder))]
            effort = cases.QUICK if chosen.quick else cases.FULL
            rows = asyncio.run(measure_all.run_benchmarks(servers, upstream, effort))
    except (PeerMissing, ServerFailed) as problem:
        print(problem, file=sys.stderr)
        return 1
    conditions = report.RunConditions(__version__, version, "quick" if chosen.quick else "full", load)
    chapters = [report.render_page(rows, conditions)]
    if chosen.shared:
        chapters.append(reference_tables(chosen.shared, binary, quick=chosen.quick))
    (chosen.out / "benchmarks.md").write_text("\n\n".join(filter(None, chapters)) + "\n")
    (chosen.out / "benchmarks.svg").write_text(plot(rows, TITLE))
    return 0


if __name__ == "__main__":
    sys.exit(main())
