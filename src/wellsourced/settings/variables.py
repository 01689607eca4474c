"""The environment variables of the application; a provider's and a site's own are declared in their files.

They are those in `VARIABLES` of every module beside this one whose name ends in `_variables`, so that a new file is all
that a new group of settings needs. On the fast-start path.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellsourced.settings.setting import Setting


def declared_variables() -> Iterator[Setting]:
    # `pkgutil` and `importlib` would find the modules as well, and take longer to import than all of them together.
    for name in sorted(os.listdir(os.path.dirname(__file__))):  # noqa: PTH120, PTH208
        if name.endswith("_variables.py"):
            yield from __import__(f"wellsourced.settings.{name[:-3]}", fromlist=["VARIABLES"]).VARIABLES


VARIABLES: tuple[Setting, ...] = tuple(declared_variables())

NO_SUCH_PROVIDER = "there is no such provider; `wellsourced providers` lists those there are"
BRAND_FROM_PAGES = "a brand is read from its own pages"

# Variables of `web-researcher-mcp` that have no effect here, and why; the log and `doctor` say so where one is set.
IGNORED_VARIABLES = {
    "SESSION_DATA_DIR": "sessions are kept in CACHE_DIR with everything else",
    "LOG_FORMAT": "the log is plain text",
    "HTTP_WRITE_TIMEOUT": "an answer may take as long as TOOL_TIMEOUT lets it",
    "JINA_API_KEY": "no page is handed to Jina",
    "COOKIE_VAULT_ENABLED": "pages are always read without signing in",
    "MONITORING_ENABLED": "queries are not monitored",
    "BRANDFETCH_API_KEY": BRAND_FROM_PAGES,
    "BRANDFETCH_CLIENT_ID": BRAND_FROM_PAGES,
    "CORE_API_KEY": NO_SUCH_PROVIDER,
    "XQUIK_API_KEY": NO_SUCH_PROVIDER,
    "YOUDOTCOM_API_KEY": NO_SUCH_PROVIDER,
}
