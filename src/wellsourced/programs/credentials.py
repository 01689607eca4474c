"""API keys: from the environment, else from the credentials file. Each value is looked up by itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from wellsourced.settings import environment_variable

FILE = Path(".config") / "ikigai" / "credentials.json"
LARGEST = 1_000_000  # bytes; the file is written by hand


def credential(variable: str, provider: str, name: str) -> str:
    """Return a value, or "" where there is none.

    It is looked up in the environment, then in the file as web_search.<provider>.<name>, then as a flat `variable`.
    """
    return environment_variable(variable) or _read_from_file(variable, provider, name)


def _read_from_file(variable: str, provider: str, name: str) -> str:
    content = _load_file()
    nested: Any = content
    for part in ("web_search", provider, name):
        nested = nested.get(part) if isinstance(nested, dict) else None
    flat = content.get(variable)
    return next((value.strip() for value in (nested, flat) if isinstance(value, str) and value.strip()), "")


def _load_file() -> dict[str, Any]:
    """The file's object; one that is missing or damaged holds no key."""
    try:
        with (Path.home() / FILE).open("rb") as file:
            content = json.loads(file.read(LARGEST).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError, RuntimeError):
        return {}
    return content if isinstance(content, dict) else {}
