"""What registries and clients read: `server.json` of the MCP registry, the manifest of the .mcpb bundle, catalogues.

Name, version and addresses are those of pyproject.toml and the package; the variables are the declared secret ones.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from wellsourced import __version__, upstreams
from wellsourced.mcp import declare
from wellsourced.pages import sites
from wellsourced.settings.setting import Setting

ROOT = Path(__file__).resolve().parent.parent
SERVER_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
SHORT = "Real, checkable sources: search, reading, citation checks and research trails."


def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return found


def provider_keys() -> list[Setting]:
    return [setting for setting in (*upstreams.upstream_settings(), *sites.settings()) if setting.secret]


def server_json() -> str:
    """https://github.com/modelcontextprotocol/registry: one package on PyPI, spoken to over stdio."""
    about = project()
    repository = about["urls"]["Repository"]
    owner = repository.split("/")[-2]
    variables = [
        {"name": s.name, "description": s.help, "isSecret": True, "isRequired": False} for s in provider_keys()
    ]
    package = {
        "registryType": "pypi",
        "identifier": about["name"],
        "version": __version__,
        "runtimeHint": "uvx",
        "transport": {"type": "stdio"},
        "environmentVariables": variables,
    }
    return as_file(
        {
            "$schema": SERVER_SCHEMA,
            "name": f"io.github.{owner}/{about['name']}",
            "title": "Wellsourced",
            "description": SHORT,
            "version": __version__,
            "repository": {"url": repository, "source": "github"},
            "websiteUrl": about["urls"]["Documentation"],
            "packages": [package],
        }
    )


def bundle_manifest() -> str:
    """The bundle holds no copy of the dependencies, which are compiled for one system each: uv installs them."""
    about, keys = project(), provider_keys()
    asked = {
        s.name.lower(): {"type": "string", "title": s.name, "description": s.help, "sensitive": True, "required": False}
        for s in keys
    }
    start = {
        "command": "uvx",
        "args": [f"{about['name']}=={__version__}"],
        "env": {s.name: f"${{user_config.{s.name.lower()}}}" for s in keys},
    }
    declared = declare.declarations()["tools"]
    tools = [json.loads(entry["json"]) for entry in declared]
    return as_file(
        {
            "manifest_version": "0.4",
            "name": about["name"],
            "display_name": "Wellsourced",
            "version": __version__,
            "description": SHORT,
            "long_description": about["description"],
            "author": {"name": about["authors"][0]["name"]},
            "repository": {"type": "git", "url": about["urls"]["Repository"]},
            "documentation": about["urls"]["Documentation"],
            "support": about["urls"]["Issues"],
            "server": {"type": "uv", "entry_point": "run.py", "mcp_config": start},
            "tools": [{"name": tool["name"], "description": tool["description"]} for tool in tools],
            "keywords": about["keywords"],
            "license": about["license"],
            "compatibility": {
                "platforms": ["darwin", "win32", "linux"],
                "runtimes": {"python": about["requires-python"]},
            },
            "user_config": asked,
        }
    )


def catalogues() -> dict[str, str]:
    """What clients read that install from a repository, by path: Gemini CLI's extension, Claude Code's plugin."""
    about = project()
    own = {"name": about["name"], "version": __version__, "description": SHORT}
    servers = {about["name"]: {"command": "uvx", "args": [f"{about['name']}=={__version__}"]}}
    author = {"name": about["authors"][0]["name"]}
    more = {"author": author, "repository": about["urls"]["Repository"], "license": about["license"]}
    listed = {"name": about["name"], "source": "./", "description": SHORT}
    return {
        "gemini-extension.json": as_file({**own, "mcpServers": servers}),
        ".claude-plugin/plugin.json": as_file({**own, **more, "keywords": about["keywords"], "mcpServers": servers}),
        ".claude-plugin/marketplace.json": as_file({"name": about["name"], "owner": author, "plugins": [listed]}),
    }


def as_file(data: object) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
