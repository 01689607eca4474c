"""Generates `declarations.json`, from which the lists are answered without loading the tools.

python -m wellsourced.mcp.declare            write it
python -m wellsourced.mcp.declare --check    fail when it is out of date
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from wellsourced.mcp import prompts, resources
from wellsourced.mcp.json_rpc import encode
from wellsourced.mcp.listings import DECLARATIONS
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
        "resources": resources.listing(),
        "resourceTemplates": resources.TEMPLATES,
        "prompts": prompts.listing(),
    }


def rendered() -> str:
    return json.dumps(declarations(), ensure_ascii=False, indent=1) + "\n"


def main() -> int:
    if "--check" in sys.argv:
        return 0 if Path(DECLARATIONS).is_file() and Path(DECLARATIONS).read_text("utf-8") == rendered() else 1
    Path(DECLARATIONS).write_text(rendered(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
