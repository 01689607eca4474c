"""Lists the licence of every package that an installation brings, and fails on one that MIT code cannot ship with."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ALLOWED = re.compile(
    r"\b(MIT|BSD|Apache|ISC|PSF|Python Software Foundation|MPL|Mozilla Public|Unlicense|Zlib|0BSD|BlueOak|HPND)\b", re.I
)
REFUSED = re.compile(r"\bA?GPL|Affero", re.I)
EXTRAS = ("redis", "postgres", "csl")
# Packages whose metadata is silent, and what the licence file in them says.
SILENT = {"sqlcipher3": "Zlib"}
ROOT = Path(__file__).resolve().parent.parent
LONGEST = 80


def main() -> int:
    found = {name: licence_of(metadata.distribution(name)) for name in installed()}
    for name, licence in found.items():
        print(f"{name}\t{licence}")
    wrong = [name for name, licence in found.items() if REFUSED.search(licence) or not ALLOWED.search(licence)]
    if wrong:
        print(f"licences: not on the list that is allowed: {', '.join(wrong)}", file=sys.stderr)
    return 1 if wrong else 0


def installed() -> list[str]:
    """The packages that the project needs, directly or not, as far as this system has them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    optional = [text for extra in EXTRAS for text in project["optional-dependencies"][extra]]
    seen: set[str] = set()
    waiting = [(Requirement(text), "") for text in (*project["dependencies"], *optional)]
    while waiting:
        needed, extra = waiting.pop()
        name = canonicalize_name(needed.name)
        if name in seen or not (needed.marker is None or needed.marker.evaluate({"extra": extra})):
            continue
        try:
            below = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue
        seen.add(name)
        waiting += [(Requirement(text), extra) for text in below for extra in ("", *needed.extras)]
    return sorted(seen)


def licence_of(package: metadata.Distribution) -> str:
    """What the package says, in the newest of the three forms it may be said in."""
    about = package.metadata
    if expression := about.get("License-Expression"):
        return str(expression)
    classes = [c.rpartition(" :: ")[2] for c in about.get_all("Classifier") or [] if c.startswith("License ::")]
    named = [name for name in classes if name != "OSI Approved"]
    first_line = next(iter(str(about.get("License") or "").strip().splitlines()), "")
    return ", ".join(named) or first_line[:LONGEST] or SILENT.get(canonicalize_name(package.name), "not said")


if __name__ == "__main__":
    sys.exit(main())
