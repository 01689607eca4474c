"""Writes requirements/*.txt: every package that is installed, in one version, with the hashes of all its files.

    python scripts/lock.py [--index ADDRESS]    # of a simple index (PEP 503), if not the one that pip knows

Versions are those of constraints.txt; which packages are needed where follows from pyproject.toml and from what the
installed packages ask for, on Linux, macOS and Windows and each supported Python. pip refuses a file whose hash is not
listed, so that nobody between the index and here can put in another.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
import urllib.request
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote

from packaging.requirements import Requirement
from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import Version
from pip._internal.models.index import PyPI

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "requirements"
HREF = re.compile(r'href="([^"]+)"')
EDITABLE = "editables"
"""What hatchling asks for besides, to install the project from its folder."""
HEAD = "# Written by scripts/lock.py from constraints.txt; pip checks the hashes.\n"
PLATFORMS = {"linux": ("posix", "Linux"), "darwin": ("posix", "Darwin"), "win32": ("nt", "Windows")}
PYTHONS = ("3.11.0", "3.11.9", "3.12.9", "3.13.9", "3.14.3")
Place = tuple[str, str]
"""A platform and a Python."""
Done = dict[str, tuple[Place, ...]]
PLACES: tuple[Place, ...] = tuple((platform, python) for platform in PLATFORMS for python in PYTHONS)
MARKERS = {
    "": PLACES,
    "sys_platform != 'win32'": tuple(place for place in PLACES if place[0] != "win32"),
    "sys_platform == 'win32'": tuple(place for place in PLACES if place[0] == "win32"),
    "python_full_version < '3.11.3'": tuple(place for place in PLACES if place[1] == "3.11.0"),
    "sys_platform == 'linux'": tuple(place for place in PLACES if place[0] == "linux"),
    "python_version < '3.12'": tuple(place for place in PLACES if place[1] < "3.12"),
    "python_version < '3.13'": tuple(place for place in PLACES if place[1] < "3.13"),
}


def environment(place: Place, extra: str) -> dict[str, str]:
    platform, python = place
    os_name, system = PLATFORMS[platform]
    return {
        "sys_platform": platform,
        "os_name": os_name,
        "platform_system": system,
        "platform_machine": "x86_64",
        "platform_python_implementation": "CPython",
        "implementation_name": "cpython",
        "python_version": ".".join(python.split(".")[:2]),
        "python_full_version": python,
        "implementation_version": python,
        "extra": extra,
    }


def applies(requirement: Requirement, place: Place, extras: Iterable[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate(environment(place, extra)) for extra in ("", *extras))


@cache
def needed(wanted: tuple[str, ...], place: Place) -> frozenset[str]:
    """The names of all packages that these requirements bring along."""
    found: set[str] = set()
    waiting = [(Requirement(text), ()) for text in wanted]
    seen: set[tuple[str, tuple[str, ...]]] = set()
    while waiting:
        requirement, extras_around = waiting.pop()
        if not applies(requirement, place, extras_around):
            continue
        name, extras = canonicalize_name(requirement.name), tuple(sorted(requirement.extras))
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        found.add(name)
        waiting += [(Requirement(text), extras) for text in requires(name)]
    return frozenset(found)


@cache
def requires(name: str) -> list[str]:
    """What a package asks for; nothing is known of one for another platform, which asks for nothing so far."""
    try:
        return metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return []


def pins() -> dict[str, str]:
    lines = (line.strip() for line in (ROOT / "constraints.txt").read_text().splitlines())
    pairs = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {canonicalize_name(name): version for name, version in pairs}


def hashes(name: str, version: str, index: str) -> list[str]:
    found = {digest for file, digest in listed_files(name, index) if file_version(file) == Version(version)}
    if not found:
        raise SystemExit(f"The index has no file of {name} {version}.")
    return sorted(found)


def listed_files(name: str, index: str) -> list[tuple[str, str]]:
    """File names and SHA-256 hashes; the hash is the fragment of a file's address (PEP 503)."""
    with urllib.request.urlopen(f"{index.rstrip('/')}/{name}/", timeout=60) as reply:  # noqa: S310
        addresses = HREF.findall(reply.read().decode())
    pairs = (address.partition("#sha256=") for address in addresses)
    return [(unquote(address.rpartition("/")[2]), digest) for address, _, digest in pairs if digest]


def file_version(filename: str) -> Version | None:
    try:
        return parse_wheel_filename(filename)[1] if filename.endswith(".whl") else parse_sdist_filename(filename)[1]
    except (InvalidWheelFilename, InvalidSdistFilename):
        return None


def places_of(name: str, wanted: list[str]) -> tuple[Place, ...]:
    return tuple(place for place in PLACES if name in needed(tuple(wanted), place))


def marker_for(places: tuple[Place, ...]) -> str:
    return next((marker for marker, holds in MARKERS.items() if holds == places), "")


def entry(name: str, version: str, marker: str, index: str) -> Iterator[str]:
    yield f"{name}=={version}" + (f" ; {marker}" if marker else "")
    yield from (f"    --hash=sha256:{digest}" for digest in hashes(name, version, index))


def write(file: str, wanted: list[str], known: dict[str, str], done: Done, index: str, base: str = "") -> None:
    """`done` says where the packages of the file that this one builds on are installed."""
    every = sorted(set().union(*(needed(tuple(wanted), place) for place in PLACES)))
    names = [name for name in every if not set(places_of(name, wanted)) <= set(done.get(name, ()))]
    if missing := [name for name in names if name not in known]:
        raise SystemExit(f"constraints.txt has no version for: {', '.join(missing)}")
    places = {name: places_of(name, wanted) for name in names}
    blocks = [" \\\n".join(entry(name, known[name], marker_for(places[name]), index)) for name in names]
    start = HEAD + (f"-r {base}\n" if base else "")
    (FOLDER / file).write_text(start + "\n".join(blocks) + "\n", encoding="utf-8")
    done |= places
    sys.stdout.write(f"requirements/{file}: {len(names)} packages\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", default=PyPI.simple_url)
    index = parser.parse_args().index
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    run = [*project["build-system"]["requires"], EDITABLE, *project["project"]["dependencies"]]
    extras = project["project"]["optional-dependencies"]
    FOLDER.mkdir(exist_ok=True)
    known, done = pins(), Done()
    write("run.txt", run, known, done, index)
    write("server.txt", [*extras["redis"], *extras["postgres"]], known, done, index, base="run.txt")
    write("dev.txt", extras["dev"], known, done, index, base="server.txt")
    # Each of these stands by itself: what builds the pages needs nothing of ours.
    write("docs.txt", extras["docs"], known, Done(), index)
    write("dist.txt", [*project["build-system"]["requires"], *extras["dist"]], known, Done(), index)


if __name__ == "__main__":
    main()
