"""The application itself: tools, search, pages, cache, library, sessions, log.

Names and meanings are those of `web-researcher-mcp` where it has them. On the fast-start path.
"""

from __future__ import annotations

from wellsourced.settings.setting import Setting, count, duration, flag

VARIABLES: tuple[Setting, ...] = (
    count("PORT", "Serve MCP over HTTP on this port; unset or 0 means stdio.", "0", most=65535),
    Setting("HOST", "Address the HTTP server listens on.", default="127.0.0.1"),
    Setting("KEYRING", "Variables whose values are in the system's keyring, by name, e.g. EXA_API_KEY.", kind="list"),
    Setting("ENV_FILE", "File of NAME=value lines, read for variables that are not set; keys go there.", kind="path"),
    Setting("TOOLSETS", "Offer only these groups of tools, e.g. core,academic; unset offers all.", kind="list"),
    Setting("TOOLS", "Offer only these tools, by name; adds to TOOLSETS.", kind="list"),
    duration("TOOL_TIMEOUT", "Longest time a call may take, up to 120s.", "60s", positive=True),
    Setting("SEARCH_PROVIDER", "The one search engine to use; unset uses every configured one, best first."),
    Setting("SEARCH_ROUTING", 'Order of engines: a list (brave,google) or JSON by operation ({"web":"brave,google"}).'),
    flag("SEARCH_FUSION", "Ask all configured engines side by side and merge their answers."),
    count(
        "SEARCH_THIN_THRESHOLD",
        "With this many results or fewer an engine is asked once more in plainer words; 0 never.",
        "1",
    ),
    Setting("CUSTOM_LENSES_PATH", "Folder with lens files of your own (JSON).", kind="path"),
    Setting("REPUTATION_PATH", "JSON file that extends or overrides the table of domain reputations.", kind="path"),
    count("CIRCUIT_FAILURE_THRESHOLD", "Failures in a row after which a provider is left alone.", "3"),
    count("CIRCUIT_RESET_TIMEOUT_SECONDS", "Seconds until it is tried again.", "30"),
    flag("ALLOW_PRIVATE_IPS", "Let pages on private and loopback addresses be read. Metadata addresses stay refused."),
    Setting("ALLOWED_DOMAINS", "If set, only pages on these domains are read.", kind="list"),
    count(
        "SAMPLE_WEB_PORT",
        "Set by `wellsourced demo` for its own processes: .example names on this port are its sample web.",
        "0",
    ),
    Setting("CHROME_PATH", "Chromium, for pages that need a browser; found by itself, and `disabled` turns it off."),
    flag(
        "CHROME_NO_SANDBOX",
        "Run Chromium without its own sandbox, for containers that forbid it; as root it never has one.",
    ),
    Setting(
        "BROWSER_CDP_URL",
        "A browser elsewhere, spoken to by its DevTools address, instead of one here; needs ALLOW_UNCHECKED_BROWSER.",
    ),
    flag(
        "ALLOW_UNCHECKED_BROWSER",
        "Use BROWSER_CDP_URL, though not all that a browser elsewhere fetches can be checked from here.",
    ),
    duration("BROWSER_IDLE_TIMEOUT", "Time without pages after which the browser is closed.", "5m"),
    count("MAX_SCRAPE_CONCURRENCY", "Pages fetched at once.", "20"),
    count("MAX_SCRAPE_CONCURRENCY_BROWSER", "Pages in the browser at once.", "2"),
    count("MAX_SCRAPE_CONCURRENCY_PER_TENANT", "Of these, for one tenant; 0 is no limit of its own.", "0"),
    flag(
        "KEEP_IMAGES", "Leave pictures in texts whose address has room for data, which showing them sends off.", "false"
    ),
    Setting(
        "ROBOTS_TXT",
        "What a site's robots.txt asks for: not read, read and told in the answer, or kept to.",
        kind="choice",
        choices=("ignore", "tell", "obey"),
        default="ignore",
    ),
    count("PAGES_PER_HOST_PER_SECOND", "Pages read of one public host in a second; 0 is no limit.", "5"),
    count("MAX_HTML_BYTES", "Largest web page that is read.", "8388608", positive=True),
    count("MAX_DOCUMENT_BYTES", "Largest document that is read.", "52428800", positive=True),
    Setting("CACHE_DIR", "Folder for everything that is kept; default: the user's data folder.", kind="path"),
    count("CACHE_MAX_MEMORY_MB", "Memory for the cache in front of the file.", "64"),
    count("CACHE_MAX_DISK_MB", "Size the cache on disk is kept under; 0 keeps nothing on disk.", "512"),
    Setting(
        "CACHE_ENCRYPTION_KEY",
        "64 hexadecimal digits; without it a key is made and kept in a file of mode 0600.",
        kind="key",
        secret=True,
    ),
    Setting("CACHE_ENCRYPTION_KEY_PREV", "The key before the last rotation.", kind="key", secret=True),
    flag("SOURCE_RECOMMENDATIONS", "Point out the best sources of an answer.", "true"),
    flag("GENERATIVE_UI_ENABLED", "Add cards and tables to search_and_scrape."),
    flag("LIBRARY_ENABLED", "Keep what is read in a searchable library.", "true"),
    Setting(
        "LIBRARY_SHARING",
        "Who finds what somebody read: that person alone, or everybody of the tenant (secrets in addresses are cut).",
        kind="choice",
        choices=("private", "tenant"),
        default="private",
    ),
    Setting("LIBRARY_URL", "PostgreSQL for the library (postgresql://…); unset keeps it in CACHE_DIR.", secret=True),
    duration("LIBRARY_RETENTION", "Time for which the library keeps a page; 0 keeps it.", "0s"),
    duration("SESSION_TTL", "Time after its last use for which a session is kept.", "4h", positive=True),
    count("SESSION_MAX_STEPS", "Steps a research session may have.", "200", positive=True),
    count(
        "SESSION_MAX_PER_USER",
        "Research sessions of one user; beyond it ended ones go first, then those unused for longest.",
        "50",
        positive=True,
    ),
    count(
        "CAPTURE_MAX_MB",
        "What the captures of one person's projects may take, in MB; beyond it nothing more is captured. 0: no limit.",
        "2048",
    ),
    duration(
        "WATCH_EVERY", "Time after which the HTTP server watches a project again that was watched; 0 never.", "0s"
    ),
    Setting("WATCH_WEBHOOK_URL", "Address that is sent, as JSON, what a watch found where something changed."),
    Setting(
        "TIMESTAMP_URL",
        "Address of an RFC 3161 authority that attests the time of each receipt; unset asks nobody.",
    ),
    Setting("REDIS_URL", "Redis that several instances share, for HTTP; needs CACHE_ENCRYPTION_KEY.", secret=True),
    count(
        "LINK_THRESHOLD_BYTES",
        "Answers of the heavy tools at or above this size are cut, with the address of the whole; 0 never.",
        "24576",
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
