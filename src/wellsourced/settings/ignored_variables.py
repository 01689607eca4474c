"""Environment variables of `web-researcher-mcp` that have no effect here, and why. On the fast-start path."""

from __future__ import annotations

NO_PROVIDER = "there is no such provider; `wellsourced providers` lists those there are"
FROM_ITS_PAGES = "a brand is read from its own pages"

WITHOUT_EFFECT = {
    "SESSION_DATA_DIR": "sessions are kept in CACHE_DIR with everything else",
    "LOG_FORMAT": "the log is plain text",
    "HTTP_WRITE_TIMEOUT": "an answer may take as long as TOOL_TIMEOUT lets it",
    "JINA_API_KEY": "no page is handed to Jina",
    "COOKIE_VAULT_ENABLED": "pages are always read without signing in",
    "MONITORING_ENABLED": "queries are not monitored",
    "BRANDFETCH_API_KEY": FROM_ITS_PAGES,
    "BRANDFETCH_CLIENT_ID": FROM_ITS_PAGES,
    "CORE_API_KEY": NO_PROVIDER,
    "XQUIK_API_KEY": NO_PROVIDER,
    "YOUDOTCOM_API_KEY": NO_PROVIDER,
}
