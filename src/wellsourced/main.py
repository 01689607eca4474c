"""The `wellsourced` command. Without arguments it is the MCP server; with arguments it is the command line.

Imports nothing at the top that costs time: an assistant waits for the first answer of this process.
"""

from __future__ import annotations

import os
import sys

COMPLETION = "_WELLSOURCED_COMPLETE"


def main() -> int:
    # Looking through every installed package for plugins of a library that has none here would take a while.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        return serve_or_command()
    except KeyboardInterrupt:  # while modules were being loaded
        return 130
    except ImportError as problem:
        from wellsourced.missing_package import sentence_about

        if (sentence := sentence_about(problem)) is None:
            raise
        sys.stderr.write(f"wellsourced: {sentence} ({problem.msg})\n")
        return 1


def serve_or_command() -> int:
    from wellsourced.settings import environment_variable

    if len(sys.argv) > 1 or environment_variable(COMPLETION):
        from wellsourced.cli.main import run

        return run(sys.argv[1:])
    return serve_or_greet()


def serve_or_greet() -> int:
    """PORT selects HTTP; otherwise a client on stdin is served, and a person at a terminal gets the help."""
    from wellsourced.settings import environment_variable

    if environment_variable("PORT") not in {"", "0"}:
        from wellsourced.http.server import serve

        return serve()
    if sys.stdin is not None and sys.stdin.isatty():
        from wellsourced.cli.main import run

        return run(["--help"])
    from wellsourced.mcp import stdio

    return stdio.serve()


if __name__ == "__main__":
    sys.exit(main())
