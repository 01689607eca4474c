"""Looks up for which systems the compiled packages that we need are ready-made: requirements/wheels.json.

    python scripts/wheels.py [--index ADDRESS]    # of a simple index (PEP 503), if not the one that pip knows

`make generate` puts the table into docs/systems.md; a test fails when a version has changed since.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from lock import FOLDER, file_version, listed_files
from packaging.markers import Marker
from packaging.tags import Tag
from packaging.utils import parse_wheel_filename
from packaging.version import Version
from pip._internal.models.index import PyPI

ROOT = Path(__file__).resolve().parent.parent
KEPT = FOLDER / "wheels.json"
PAGE = ROOT / "docs" / "systems.md"
PYTHONS = (11, 12, 13, 14)
SYSTEMS = {
    "Linux, x86-64": ("linux", re.compile(r"manylinux.*_x86_64")),
    "Linux, ARM": ("linux", re.compile(r"manylinux.*_aarch64")),
    "Alpine Linux": ("linux", re.compile(r"musllinux.*_x86_64")),
    "Mac, Apple": ("darwin", re.compile(r"macosx.*_(arm64|universal2)")),
    "Mac, Intel": ("darwin", re.compile(r"macosx.*_(x86_64|universal2)")),
    "Windows, x64": ("win32", re.compile(r"win_amd64")),
    "Windows, ARM": ("win32", re.compile(r"win_arm64")),
}
LOCKED = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ; (.+?))? \\$", re.MULTILINE)
SECTION = re.compile(r"(<!-- wheels -->\n).*(<!-- /wheels -->\n)", re.DOTALL)
MISSING = "–"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", default=PyPI.simple_url)
    index = parser.parse_args().index
    text = (FOLDER / "run.txt").read_text("utf-8")
    found = {name: looked_up(name, version, marker or "", index) for name, version, marker in LOCKED.findall(text)}
    kept = {name: entry for name, entry in found.items() if entry}
    KEPT.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", "utf-8")


def looked_up(name: str, version: str, marker: str, index: str) -> dict[str, object] | None:
    """None for a package that is plain Python: the same file for all systems."""
    files = [file for file, _ in listed_files(name, index) if file_version(file) == Version(version)]
    tags = [tag for file in files if file.endswith(".whl") for tag in parse_wheel_filename(file)[3]]
    if any(tag.platform == "any" for tag in tags):
        return None
    wanted = [system for system, (platform, _) in SYSTEMS.items() if is_needed(marker, platform)]
    pythons = {system: [f"3.{minor}" for minor in PYTHONS if is_ready(tags, system, minor)] for system in wanted}
    has_source = any(file.endswith(".tar.gz") for file in files)
    return {"version": version, "source": has_source, "pythons": pythons}


def is_needed(marker: str, platform: str) -> bool:
    return not marker or Marker(marker).evaluate({"sys_platform": platform})


def is_ready(tags: Iterable[Tag], system: str, minor: int) -> bool:
    return any(SYSTEMS[system][1].fullmatch(tag.platform) and fits(tag, minor) for tag in tags)


def fits(tag: Tag, minor: int) -> bool:
    if tag.interpreter.startswith("py"):
        return True
    oldest = int(tag.interpreter.removeprefix("cp3")) if re.fullmatch(r"cp3\d+", tag.interpreter) else 99
    return (tag.abi == "abi3" and oldest <= minor) or (oldest == minor and tag.abi == f"cp3{minor}")


def systems_page() -> str:
    return SECTION.sub(lambda found: found[1] + "\n".join(table_lines()) + "\n" + found[2], PAGE.read_text("utf-8"))


def table_lines() -> Iterator[str]:
    yield f"| package | {' | '.join(SYSTEMS)} |"
    yield f"|---|{'---|' * len(SYSTEMS)}"
    for name, entry in json.loads(KEPT.read_text("utf-8")).items():
        cells = [cell(entry["pythons"].get(system)) for system in SYSTEMS]
        yield f"| `{name}` {entry['version']} | {' | '.join(cells)} |"


def cell(pythons: list[str] | None) -> str:
    if pythons is None:
        return "not needed"
    return "yes" if len(pythons) == len(PYTHONS) else ", ".join(pythons) or MISSING


if __name__ == "__main__":
    main()
