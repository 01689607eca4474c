"""Coverage-guided fuzzing: `python -m tests.fuzz.run --seconds 60 [target …]`, every target in a process of its own.

Inputs that were found worth keeping and those that broke something are left in `.tools/fuzz/<target>/`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

FOUND = Path(__file__).resolve().parents[2] / ".tools" / "fuzz"
NAMES = ("html", "pdf", "docx", "any-document", "bibtex", "ris", "csl-json", "url", "rpc")
LONGEST_INPUT = 20_000
SECONDS_AN_INPUT = 10
MEGABYTES = 2048


def fuzz(target: str, seconds: int) -> None:
    """Does not return: the fuzzer ends the process, with a status that says whether it found anything."""
    atheris: Any = import_module("atheris")

    with atheris.instrument_imports(include=["wellsourced"]):
        from tests.fuzz.seeding import seeds_of
        from tests.fuzz.targets import TARGETS
    folder = FOUND / target
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds_of(target)):
        (folder / f"seed-{number}").write_bytes(seed)
    options = [
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST_INPUT}",
        f"-timeout={SECONDS_AN_INPUT}",
        f"-rss_limit_mb={MEGABYTES}",
        f"-artifact_prefix={folder}/broke-",
        "-print_final_stats=1",
        "-verbosity=0",
    ]
    atheris.Setup([sys.argv[0], *options, str(folder)], TARGETS[target])
    atheris.Fuzz()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("targets", nargs="*", choices=[[], *NAMES], help="all of them when none is named")
    options.add_argument("--seconds", type=int, default=60, help="for each target")
    options.add_argument("--here", action="store_true", help="in this process; for one target")
    given = options.parse_args()
    if given.here:
        fuzz(given.targets[0], given.seconds)
    command = [sys.executable, "-m", "tests.fuzz.run", "--here", "--seconds", str(given.seconds)]
    broken = [name for name in given.targets or NAMES if subprocess.run([*command, name], check=False).returncode]
    print(f"broken: {', '.join(broken)}; the inputs are in {FOUND}" if broken else "nothing was found")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
