"""Keys: from the environment, else from the credentials file. Each value is looked for by itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from wellsourced.settings import environment_variable

FILE = Path(".config") / "ikigai" / "credentials.json"
LARGEST = 1_000_000


def credential(variable: str, provider: str, name: str) -> str:
    """A value, or "" where it is nowhere: `variable`, then web_search.<provider>.<name>, then a flat `variable`."""
    return environment_variable(variable) or _filed(variable, provider, name)


def _filed(variable: str, provider: str, name: str) -> str:
    content = _read()
    nested: Any = content
    for part in ("web_search", provider, name):
        nested = nested.get(part) if isinstance(nested, dict) else None
    flat = content.get(variable)
    return next((value.strip() for value in (nested, flat) if isinstance(value, str) and value.strip()), "")


def _read() -> dict[str, Any]:
    """The file's object; one that is missing or damaged holds no key."""
    try:
        with (Path.home() / FILE).open("rb") as file:
            content = json.loads(file.read(LARGEST).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError, RuntimeError):
        return {}
    return content if isinstance(content, dict) else {}
