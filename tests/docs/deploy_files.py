"""The files in deploy/, read for the tests that hold them against the product."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parent.parent.parent
DEPLOY = ROOT / "deploy"
ENV_FILE_LINE = re.compile(r"^([A-Z][A-Z0-9_]*)=(.*)$", re.MULTILINE)


def compose() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    return content


def manifests() -> list[dict[str, Any]]:
    """Every object in kubernetes/, the kustomization among them."""
    paths = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
    return [part for path in paths for part in yaml.safe_load_all(path.read_text("utf-8"))]


def manifest(kind: str, name: str = "wellsourced") -> dict[str, Any]:
    (manifest,) = [each for each in manifests() if each["kind"] == kind and each["metadata"]["name"] == name]
    return manifest


def env_file() -> dict[str, str]:
    return dict(ENV_FILE_LINE.findall((DEPLOY / "example.env").read_text("utf-8")))


def dockerfile() -> list[tuple[str, str]]:
    """Instructions and their arguments, continued lines joined."""
    joined = re.sub(r"\\\n\s*", " ", (DEPLOY / "Dockerfile").read_text("utf-8"))
    lines = [line for line in joined.splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def image_environment() -> dict[str, str]:
    """What ENV of the final stage sets."""
    steps = dockerfile()
    last = max(index for index, (word, _) in enumerate(steps) if word == "FROM")
    text = " ".join(rest for word, rest in steps[last:] if word == "ENV")
    return dict(pair.partition("=")[::2] for pair in text.split())


def health_check() -> list[str]:
    (check,) = [rest for word, rest in dockerfile() if word == "HEALTHCHECK"]
    command: list[str] = json.loads(check[check.index("[") :])
    return command


def redis_script(command: list[str]) -> str:
    """The shell script that starts Redis, without what is written for Compose's own substitution."""
    assert command[:2] == ["sh", "-c"]
    return command[2].replace("$$", "$")
