"""The gold set as Python values, and the recorded answers of real registries where they lie beside the project."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

HERE = Path(__file__).resolve().parent
RECORDED = HERE.parent.parent.parent / "shared" / "wire"
Group = Literal["real", "hurt", "fabricated", "uncheckable"]


@dataclass(frozen=True)
class Expected:
    exists: bool | None
    retracted: bool
    against: str | None
    mismatch: bool
    status: str | None = None


@dataclass(frozen=True)
class Case:
    """`text` is a citation in words, `entry` one in fields; `world` is how the registries fare."""

    id: str
    group: Group
    why: str
    expect: Expected
    text: str = ""
    entry: dict[str, str] | None = None
    world: str = ""


@cache
def gold() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((HERE / "gold.json").read_text("utf-8"))
    return loaded


def cases() -> list[Case]:
    return [Case(**{**case, "expect": Expected(**case["expect"])}) for case in gold()["cases"]]


def recorded_crossref() -> dict[str, dict[str, Any]]:
    """Works by DOI, as Crossref described them in recorded answers."""
    found: dict[str, dict[str, Any]] = {}
    for name in ("work-pone-0033693", "work-preprint-biorxiv", "work-retracted-evil-genius"):
        message = _recorded(f"crossref/{name}.json").get("message", {})
        found[message.get("DOI", "").lower()] = message
    for name in ("funder-works-self-update", "journal-works-correction-notices"):
        for message in _recorded(f"crossref/{name}.json").get("message", {}).get("items", []):
            found[message["DOI"].lower()] = message
    return {doi: message for doi, message in found.items() if doi}


def recorded_openalex() -> dict[str, dict[str, Any]]:
    names = ("work-by-doi-pnas-1414271111", "work-by-doi-xgen-2025", "work-retracted-evil-genius")
    works = (_recorded(f"openalex/{name}.json") for name in names)
    return {work["doi"].removeprefix("https://doi.org/").lower(): work for work in works if work.get("doi")}


def recorded_pubmed() -> dict[str, bytes]:
    files = {"35649368": "efetch-comments-corrections-35649368.xml", "219391": "efetch-1979-219391.xml"}
    paths = {number: RECORDED / "pubmed" / name for number, name in files.items()}
    return {number: path.read_bytes() for number, path in paths.items() if path.is_file()}


def _recorded(name: str) -> dict[str, Any]:
    path = RECORDED / name
    loaded: dict[str, Any] = json.loads(path.read_bytes()) if path.is_file() else {}
    return loaded
