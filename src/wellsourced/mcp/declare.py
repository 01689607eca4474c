"""Renders `declarations.json`, from which the lists are answered without loading the tools; see scripts/generate.py."""

from __future__ import annotations

import json
from typing import Any

from wellsourced.mcp import prompts, resources
from wellsourced.mcp.json_rpc import encode
from wellsourced.tool.registry import all_tools


def declarations() -> dict[str, Any]:
    return {
        "tools": [
            {
                "name": tool.name,
                "toolset": tool.toolset,
                "when": list(tool.when),
                "json": encode(tool.declaration()).decode(),
            }
            for tool in all_tools()
        ],
        "resources": resources.list_resources(),
        "resourceTemplates": resources.TEMPLATES,
        "prompts": prompts.list_prompts(),
    }


def render_declarations() -> str:
    return json.dumps(declarations(), ensure_ascii=False, indent=1) + "\n"
