"""Lenses: named sets of sites that a search can be narrowed to.

A lens is a JSON file `{name, description, domains, cx, goggle}`: a list of hosts, each with an optional
path, a Google engine id, or a Brave goggle. The set that ships with the package comes first, then the
folder `./lenses`, then the operator's own path; the last one of a name wins. A file that is wrong is left
out and listed in `problems`.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from wellsourced.data import FOLDER
from wellsourced.errors import BadInput
from wellsourced.late_dataclass import dataclass
from wellsourced.text.did_you_mean import did_you_mean

LARGEST_FILE = 256 * 1024
MOST_FILES = 1000
MOST_DOMAINS = 1000
DESCRIPTION_LENGTH = 300
PORTION = 10

NAME = re.compile(r"\w[\w .-]{0,63}")
HOST = re.compile(r"[^\W_][\w-]{0,62}(?:\.[^\W_][\w-]{0,62})+")
ENDING = re.compile(r"\.[^\W_][\w-]{0,62}(?:\.[^\W_][\w-]{0,62})*")
PATH = re.compile(r"[^\s*?#\"<>()]{0,300}")
ENGINE_ID = re.compile(r"[\w:-]{1,100}", re.ASCII)
GOGGLE = re.compile(r"https://[^\s/\"<>]+/[^\s\"<>]{1,1000}")


@dataclass(frozen=True, slots=True)
class Lens:
    """`engine_id` is the `cx` of a Google engine, `goggle` the address of a Brave goggle."""

    name: str
    description: str = ""
    domains: tuple[str, ...] = ()
    engine_id: str | None = None
    goggle: str | None = None


class Lenses:
    """Every lens by name, and what was wrong with the files that are not among them."""

    def __init__(self, lenses: Iterable[Lens] = (), problems: Iterable[str] = ()) -> None:
        self._by_key = {_key(lens.name): lens for lens in lenses}
        self.problems: list[str] = list(problems)

    @classmethod
    def load(cls, custom: Path | None = None, local: Path | None = None) -> Lenses:
        """The shipped set, then those in `local` (which may be absent), then those at `custom` (which may not)."""
        problems: list[str] = []
        lenses = list(embedded())
        if local is not None and local.is_dir():
            lenses += _read_folder(local, problems)
        if custom is not None:
            lenses += _read_path(custom, problems)
        return cls(lenses, problems)

    def names(self) -> list[str]:
        return sorted(lens.name for lens in self._by_key.values())

    def get(self, name: str) -> Lens:
        lens = self._by_key.get(_key(name))
        if lens is None:
            raise BadInput(self._unknown(name), alternatives=self.names())
        return lens

    def _unknown(self, name: str) -> str:
        hint = did_you_mean(_key(name), {key: lens.name for key, lens in self._by_key.items()})
        return f"There is no lens named {name[:80]!r}.{hint} Available lenses: {', '.join(self.names())}."

    def catalogue(self) -> list[dict[str, object]]:
        """The entries of the lens catalogue resource, by name."""
        return [
            {
                "name": lens.name,
                "description": lens.description,
                "domainCount": len(lens.domains),
                "hasCX": lens.engine_id is not None,
            }
            for lens in sorted(self._by_key.values(), key=lambda lens: lens.name)
        ]

    @staticmethod
    def batches(lens: Lens) -> list[tuple[str, ...]]:
        """The lens's domains in portions that fit into one query; none for a lens without domains."""
        return [lens.domains[start : start + PORTION] for start in range(0, len(lens.domains), PORTION)]


@cache
def embedded() -> tuple[Lens, ...]:
    """The lenses that ship with the package, read on first use."""
    paths = sorted((FOLDER / "lenses").glob("*.json"))
    return tuple(parse(path.read_bytes(), path.stem) for path in paths)


def parse(data: bytes, default_name: str) -> Lens:
    """A lens from the bytes of its file; raises ValueError with a sentence that says what is wrong."""
    value = _decode(data)
    name = _text(value, "name") or default_name
    if not NAME.fullmatch(name):
        raise ValueError(f"{name[:80]!r} is not a lens name; use up to 64 letters, digits, blanks and any of - _ .")
    domains = _domains(value.get("domains"))
    engine_id = _shaped(value, "cx", ENGINE_ID, "the id of a Google Programmable Search Engine")
    goggle = _shaped(value, "goggle", GOGGLE, "the https:// address of a Brave goggle")
    if not (domains or engine_id or goggle):
        raise ValueError("It has none of domains, cx and goggle; give at least one of them.")
    return Lens(name, _text(value, "description")[:DESCRIPTION_LENGTH], domains, engine_id, goggle)


def _key(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip().casefold()


def _decode(data: bytes) -> Mapping[str, Any]:
    if len(data) > LARGEST_FILE:
        raise ValueError(f"It is larger than {LARGEST_FILE // 1024} KB; a lens is a short list of sites.")
    try:
        value = json.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError) as problem:
        raise ValueError(f"It is not readable JSON ({str(problem)[:120]}).") from None
    if not isinstance(value, dict):
        raise ValueError('It is not a JSON object; a lens looks like {"name": "...", "domains": ["example.org"]}.')
    return value


def _text(value: Mapping[str, Any], field: str) -> str:
    text = value.get(field)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise ValueError(f"Its {field} is not a text; put it in quotes.")
    return text.strip()


def _shaped(value: Mapping[str, Any], field: str, shape: re.Pattern[str], accepted: str) -> str | None:
    text = _text(value, field)
    if text and not shape.fullmatch(text):
        raise ValueError(f"Its {field} {text[:120]!r} is not {accepted}.")
    return text or None


def _domains(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) > MOST_DOMAINS:
        raise ValueError(f'Its domains are not a list of at most {MOST_DOMAINS} hosts, such as ["example.org"].')
    return tuple(dict.fromkeys(_domain(item) for item in value))


def _domain(item: object) -> str:
    """A host in lower case with the path as written, since paths are case-sensitive; `*.gov` and `.gov` are `gov`."""
    if not isinstance(item, str):
        raise ValueError(f"The domain {str(item)[:80]} is not a text; put it in quotes.")
    text = item.strip()
    if "://" in text:
        raise ValueError(f"The domain {text[:120]!r} has a scheme; leave out everything up to and with '://'.")
    host, slash, path = (text[1:] if text.startswith("*.") else text).partition("/")
    if "*" in host + path:
        raise ValueError(f"The domain {text[:120]!r} has a wildcard; a host already covers everything below it.")
    if not (HOST.fullmatch(host) or ENDING.fullmatch(host)) or not PATH.fullmatch(path):
        raise ValueError(f"The domain {text[:120]!r} is not a host with an optional path, such as example.org/news.")
    return host.lower().removeprefix(".") + (slash + path if path else "")


def _read_path(path: Path, problems: list[str]) -> list[Lens]:
    try:
        if path.is_dir():
            return _read_folder(path, problems)
        if path.is_file():
            return list(_read_files([path], problems))
    except OSError:  # no path at all, such as one with a name that is too long
        pass
    shown = repr(str(path)[:200])
    problems.append(f"CUSTOM_LENSES_PATH: there is no folder or file {shown}; it takes a folder of lens files.")
    return []


def _read_folder(folder: Path, problems: list[str]) -> list[Lens]:
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".json")
    except OSError as problem:
        problems.append(f"The lens folder {str(folder)!r} cannot be read: {problem.strerror}.")
        return []
    if len(paths) > MOST_FILES:
        problems.append(f"The lens folder {str(folder)!r} has more than {MOST_FILES} files; the rest is left out.")
    return list(_read_files(paths[:MOST_FILES], problems))


def _read_files(paths: Iterable[Path], problems: list[str]) -> Iterator[Lens]:
    for path in paths:
        try:
            with path.open("rb") as file:
                yield parse(file.read(LARGEST_FILE + 1), path.stem)
        except OSError as problem:
            problems.append(f"Lens file {path.name} cannot be read: {problem.strerror}.")
        except ValueError as problem:
            problems.append(f"Lens file {path.name} is left out. {problem}")
