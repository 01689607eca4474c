"""The server under test: production's own constructor with the suite's fixtures in place of the tools.

`python -m tests.conformance.serve PORT [--stateless]`
"""

from __future__ import annotations

import argparse
import os
import tempfile
import warnings

from mcp.shared.exceptions import MCPDeprecationWarning
from starlette.types import ASGIApp

from tests.conformance.fixtures import fixture_handlers, tool_input_schema
from wellsourced.app import open_app
from wellsourced.http.server import http_app
from wellsourced.mcp.dispatcher import Dispatcher
from wellsourced.mcp.listings import Listings


def application() -> ASGIApp:
    app = open_app()
    overrides = {**fixture_handlers(), "get_tool_input_schema": tool_input_schema}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        return http_app(Dispatcher(app, Listings(app.settings)), overrides)


def main() -> None:
    import uvicorn

    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("port", type=int)
    options.add_argument("--stateless", action="store_true", help="keep no sessions for clients up to 2025-11-25")
    chosen = options.parse_args()
    os.environ["HTTP_STATELESS"] = str(chosen.stateless).lower()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CACHE_DIR"] = folder
        uvicorn.run(application(), host="127.0.0.1", port=chosen.port, log_level="warning")


if __name__ == "__main__":
    main()
