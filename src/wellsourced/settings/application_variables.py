"""The application itself: tools, search, pages, cache, library, sessions, log.

Names and meanings are those of `web-researcher-mcp` where it has them. On the fast-start path.
"""

from __future__ import annotations

from wellsourced.settings.setting import Setting

VARIABLES: tuple[Setting, ...] = (
    Setting("PORT", "Serve MCP over HTTP on this port; unset or 0 means stdio.", kind="count", default="0", most=65535),
    Setting("HOST", "Address the HTTP server listens on.", default="127.0.0.1"),
    Setting("ENV_FILE", "File of NAME=value lines, read for variables that are not set; keys go there.", kind="path"),
    Setting("TOOLSETS", "Offer only these groups of tools, e.g. core,academic; unset offers all.", kind="list"),
    Setting("TOOLS", "Offer only these tools, by name; adds to TOOLSETS.", kind="list"),
    Setting("TOOL_TIMEOUT", "Longest time a call may take, up to 120s.", kind="duration", default="60s", positive=True),
    Setting("SEARCH_PROVIDER", "The one search engine to use; unset uses every configured one, best first."),
    Setting("SEARCH_ROUTING", 'Order of engines: a list (brave,google) or JSON by operation ({"web":"brave,google"}).'),
    Setting(
        "SEARCH_FUSION",
        "Ask all configured engines side by side and merge their answers.",
        kind="flag",
        default="false",
    ),
    Setting(
        "SEARCH_THIN_THRESHOLD",
        "With this many results or fewer an engine is asked once more in plainer words; 0 never.",
        kind="count",
        default="1",
    ),
    Setting("CUSTOM_LENSES_PATH", "Folder with lens files of your own (JSON).", kind="path"),
    Setting("REPUTATION_PATH", "JSON file that extends or overrides the table of domain reputations.", kind="path"),
    Setting(
        "CIRCUIT_FAILURE_THRESHOLD",
        "Failures in a row after which a provider is left alone.",
        kind="count",
        default="3",
    ),
    Setting("CIRCUIT_RESET_TIMEOUT_SECONDS", "Seconds until it is tried again.", kind="count", default="30"),
    Setting(
        "ALLOW_PRIVATE_IPS",
        "Let pages on private and loopback addresses be read. Metadata addresses stay refused.",
        kind="flag",
        default="false",
    ),
    Setting("ALLOWED_DOMAINS", "If set, only pages on these domains are read.", kind="list"),
    Setting(
        "SAMPLE_WEB_PORT",
        "Set by `wellsourced demo` for its own processes: .example names on this port are its sample web.",
        kind="count",
        default="0",
    ),
    Setting("CHROME_PATH", "Chromium, for pages that need a browser; found by itself, and `disabled` turns it off."),
    Setting(
        "CHROME_NO_SANDBOX",
        "Run Chromium without its own sandbox, for containers that forbid it; as root it never has one.",
        kind="flag",
        default="false",
    ),
    Setting(
        "BROWSER_CDP_URL",
        "A browser elsewhere, spoken to by its DevTools address, instead of one here; needs ALLOW_UNCHECKED_BROWSER.",
    ),
    Setting(
        "ALLOW_UNCHECKED_BROWSER",
        "Use BROWSER_CDP_URL, though not all that a browser elsewhere fetches can be checked from here.",
        kind="flag",
        default="false",
    ),
    Setting(
        "BROWSER_IDLE_TIMEOUT", "Time without pages after which the browser is closed.", kind="duration", default="5m"
    ),
    Setting("MAX_SCRAPE_CONCURRENCY", "Pages fetched at once.", kind="count", default="5"),
    Setting("MAX_SCRAPE_CONCURRENCY_BROWSER", "Pages in the browser at once.", kind="count", default="2"),
    Setting(
        "MAX_SCRAPE_CONCURRENCY_PER_TENANT",
        "Of these, for one tenant; 0 is no limit of its own.",
        kind="count",
        default="0",
    ),
    Setting("MAX_HTML_BYTES", "Largest web page that is read.", kind="count", default="8388608", positive=True),
    Setting("MAX_DOCUMENT_BYTES", "Largest document that is read.", kind="count", default="52428800", positive=True),
    Setting("CACHE_DIR", "Folder for everything that is kept; default: the user's data folder.", kind="path"),
    Setting("CACHE_MAX_MEMORY_MB", "Memory for the cache in front of the file.", kind="count", default="64"),
    Setting(
        "CACHE_MAX_DISK_MB",
        "Size the cache on disk is kept under; 0 keeps nothing on disk.",
        kind="count",
        default="512",
    ),
    Setting(
        "CACHE_ENCRYPTION_KEY",
        "64 hexadecimal digits; without it a key is made and kept in a file of mode 0600.",
        kind="key",
        secret=True,
    ),
    Setting("CACHE_ENCRYPTION_KEY_PREV", "The key before the last rotation.", kind="key", secret=True),
    Setting("SOURCE_RECOMMENDATIONS", "Point out the best sources of an answer.", kind="flag", default="true"),
    Setting("GENERATIVE_UI_ENABLED", "Add cards and tables to search_and_scrape.", kind="flag", default="false"),
    Setting("LIBRARY_ENABLED", "Keep what is read in a searchable library.", kind="flag", default="true"),
    Setting(
        "LIBRARY_SHARING",
        "Who finds what somebody read: that person alone, or everybody of the tenant (secrets in addresses are cut).",
        kind="choice",
        choices=("private", "tenant"),
        default="private",
    ),
    Setting("LIBRARY_URL", "PostgreSQL for the library (postgresql://…); unset keeps it in CACHE_DIR.", secret=True),
    Setting("LIBRARY_RETENTION", "Time for which the library keeps a page; 0 keeps it.", kind="duration", default="0s"),
    Setting(
        "SESSION_TTL",
        "Time after its last use for which a session is kept.",
        kind="duration",
        default="4h",
        positive=True,
    ),
    Setting("SESSION_MAX_STEPS", "Steps a research session may have.", kind="count", default="200", positive=True),
    Setting(
        "SESSION_MAX_PER_USER",
        "Research sessions of one user; beyond it ended ones go first, then those unused for longest.",
        kind="count",
        default="50",
        positive=True,
    ),
    Setting("REDIS_URL", "Redis that several instances share, for HTTP; needs CACHE_ENCRYPTION_KEY.", secret=True),
    Setting(
        "LINK_THRESHOLD_BYTES",
        "Answers of the heavy tools at or above this size are cut, with the address of the whole; 0 never.",
        kind="count",
        default="24576",
    ),
    Setting("STDIO_USER_ID", "Name of the local user on stdio."),
    Setting(
        "LOG_LEVEL",
        "What is written to stderr.",
        kind="choice",
        choices=("debug", "info", "warn", "error"),
        default="warn",
    ),
)
