"""Writes the files that are made from declarations: `--check` fails when one is out of date."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from manifests import bundle_manifest, catalogues, server_json
from python_stub import methods_stub
from reliability import reliability_page
from toolsets import toolsets_page
from wheels import PAGE as SYSTEMS_PAGE
from wheels import systems_page

from wellsourced import upstreams
from wellsourced.cli.checks.tool_sources import needs_nothing, tool_sources
from wellsourced.mcp import declare
from wellsourced.mcp.listings import DECLARATIONS
from wellsourced.pages import sites
from wellsourced.settings.setting import Setting
from wellsourced.settings.variables import VARIABLES
from wellsourced.tool.registry import all_tools

ROOT = Path(__file__).resolve().parent.parent
SIZES = ROOT / "tests" / "sizes" / "sizes.json"
TOOLS_HEAD = "[Toolsets](toolsets.md) says how to offer only some of them."
SIZES_HEAD = """No answer is above 8,000 tokens unless more is asked for. Sizes are in tokens of four bytes, measured
on long pages and a session of sixty steps in the tests' own internet: by default, and with the arguments that give
the most. Text that was cut says so (`truncated`), and how to read on: `offset`, `nextOffset`, a larger `max_tokens` or
`max_length`, or the address in `resource`, which `scrape_page` and `fetch` open.
"""


def env_example() -> str:
    lines = ["# Every setting, with its default. Copy to .env; `make run` reads it. All are optional.", ""]
    shared = {setting.name for setting in upstreams.upstream_settings()}
    for heading, settings in (
        ("Application", VARIABLES),
        ("Providers", upstreams.upstream_settings()),
        ("Sites", [setting for setting in sites.settings() if setting.name not in shared]),
    ):
        lines += [f"# --- {heading}", ""]
        for setting in settings:
            lines += [f"# {setting.help}", f"#{setting.name}={setting.default}", ""]
    return "\n".join(lines)


def settings_table(settings: list[Setting] | tuple[Setting, ...]) -> str:
    rows = [f"| `{s.name}` | {s.default and f'`{s.default}`'} | {s.help} |" for s in settings]
    return "\n".join(["| variable | default | meaning |", "|---|---|---|", *rows])


def settings_page() -> str:
    return f"""# Settings

Everything is set by environment variables. Durations are written `30s`, `5m`, `1h30m`. A value that is not
understood is named on stderr; over HTTP it stops the start, on stdio the default is used instead.

{settings_table(VARIABLES)}

The variables of providers are in [providers](providers.md).
"""


WITHOUT_KEYS = """## Without any key

Nothing has to be set for these; a contact address in `OPENALEX_EMAIL` is polite, and some services are faster with it.
Where no search engine can look, the sources by kind of question are asked side by side, and the answer says so.
`wellsourced doctor` shows the same for the settings as they are.

| tool | asked first | by name, or by kind of question | with a key or a setting also |
|---|---|---|---|"""


POLITENESS = """## How we behave towards them

- **Pace.** Every provider has one queue with the pace that its terms allow, whoever asks; what a reply announces
  (`Retry-After`, quota headers, a `backoff`) is kept to. A service that refused is left alone as long as it asks for,
  GDELT for a quarter of an hour.
- **Name.** Requests carry `wellsourced/<version>`, and to those whose policy asks for a contact (Wikimedia, Open
  Library, the Library of Congress, SEC, Crossref, OpenAlex, NCBI) the address in `OPENALEX_EMAIL` or their own setting.
- **Attribution.** Where the terms of a source ask to be named with its data, the answer has it in `attribution`.
- **robots.txt.** See [security](security.md#robots-txt): what a person asks to be read is read, by default."""


def without_keys() -> str:
    rows = [
        (f"`{row.tool}`", *(", ".join(part) or "nobody" for part in (row.asked, row.stand_ins, row.more)))
        for row in tool_sources(needs_nothing)
    ]
    return "\n".join([WITHOUT_KEYS, *(f"| {' | '.join(row)} |" for row in rows)])


def providers_page() -> str:
    rows = []
    for name, entry in upstreams.all_upstreams().items():
        needs = ", ".join(f"`{s.name}`" for s in entry.provider.needs) or (
            f"`{entry.provider.base_setting}`" if entry.provider.base_setting else "nothing"
        )
        cells = (f"`{name}`", entry.provider.title, ", ".join(sorted(entry.offers)), needs, entry.provider.about)
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(
        [
            "# Providers",
            "",
            "With nothing set, every configured provider is used, best first; one without a key is always there.",
            "",
            "| name | provider | offers | needs | notes |",
            "|---|---|---|---|---|",
            *rows,
            "",
            without_keys(),
            "",
            POLITENESS,
            "",
            "## Settings",
            "",
            settings_table(upstreams.upstream_settings()),
            "",
        ]
    )


def sizes_table() -> str:
    """How large answers are, as tests/sizes measured them."""
    sizes: dict[str, dict[str, int]] = json.loads(SIZES.read_text("utf-8"))
    rows = [f"| `{name}` | {size['default']:,} | {size['largest']:,} |" for name, size in sizes.items()]
    return "\n".join([SIZES_HEAD, "| tool | by default | at most asked for |", "|---|--:|--:|", *rows])


def tools_page() -> str:
    parts = ["# Tools", "", TOOLS_HEAD, "", sizes_table(), ""]
    for tool in all_tools():
        declared = tool.declaration()
        required = set(declared["inputSchema"].get("required", ()))
        parts += [f"## {tool.name}", "", tool.description, ""]
        if tool.when:
            parts += [f"Offered when {' or '.join(f'`{name}`' for name in tool.when)} is set.", ""]
        parts += ["| argument | type | default | meaning |", "|---|---|---|---|"]
        parts += [
            row(name, schema, name in required)
            for name, schema in declared["inputSchema"].get("properties", {}).items()
        ]
        parts += ["", f"Answers with: {', '.join(f'`{name}`' for name in declared['outputSchema']['properties'])}.", ""]
    return "\n".join(parts)


def row(name: str, schema: dict[str, Any], is_required: bool) -> str:
    kind = ", ".join(f"`{value}`" for value in schema["enum"]) if "enum" in schema else schema.get("type", "")
    default = "required" if is_required else f"`{schema['default']}`" if "default" in schema else ""
    return f"| `{name}` | {kind} | {default} | {schema.get('description', '')} |"


def generated() -> Iterator[tuple[Path, str]]:
    yield upstreams.DECLARED, upstreams.declare_upstreams()
    yield sites.DECLARED, sites.declare_sites()
    upstreams.all_upstreams.cache_clear()  # what follows is made from the files that are written now
    sites.catalogue.cache_clear()
    yield Path(DECLARATIONS), declare.render_declarations()
    yield ROOT / ".env.example", env_example()
    yield ROOT / "docs" / "settings.md", settings_page()
    yield ROOT / "docs" / "providers.md", providers_page()
    yield ROOT / "docs" / "tools.md", tools_page()
    yield ROOT / "docs" / "toolsets.md", toolsets_page()
    yield SYSTEMS_PAGE, systems_page()
    yield ROOT / "docs" / "reliability.md", reliability_page()
    yield ROOT / "src" / "wellsourced" / "api_methods.pyi", methods_stub()
    yield ROOT / "server.json", server_json()
    yield ROOT / "deploy" / "mcpb" / "manifest.json", bundle_manifest()
    yield from ((ROOT / name, text) for name, text in catalogues().items())


def main() -> int:
    stale = [path for path, text in generated() if not path.is_file() or path.read_text("utf-8") != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is out of date: run `make generate`", file=sys.stderr)
        return 1 if stale else 0
    for path, text in generated():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
