"""What the tests of the programs share."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

Keep: TypeAlias = Callable[[Any], None]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def surroundings(environment: dict[str, str], home: Path) -> dict[str, str]:
    """The loopback's addresses, a home of one's own, and no key."""
    return {**environment, "HOME": str(home), "USERPROFILE": str(home)}


@pytest.fixture
def keep_credentials(home: Path) -> Keep:
    def keep(content: Any) -> None:
        folder = home / ".config" / "ikigai"
        folder.mkdir(parents=True)
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / "credentials.json").write_text(text, encoding="utf-8")

    return keep
