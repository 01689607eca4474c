"""An instance that many people share: HTTP, sign-in, limits, consent, audit.

Names, meanings and defaults are those of `web-researcher-mcp` where it has them. On the fast-start path.
"""

from __future__ import annotations

from wellsourced.settings.setting import Setting, count, duration, flag

HTTP: tuple[Setting, ...] = (
    Setting(
        "ALLOWED_HOSTS", "Further Host headers that the HTTP server answers to, e.g. research.example.org.", kind="list"
    ),
    flag("ALLOW_ANONYMOUS_HTTP", "Let the HTTP server listen beyond this machine without sign-in."),
    Setting(
        "ANONYMOUS_CALLERS",
        "Callers without sign-in: one person, kept apart, or (auto) one person on a server for this machine alone.",
        kind="choice",
        choices=("auto", "one", "separate"),
        default="auto",
    ),
    Setting("ALLOWED_ORIGINS", "Browser origins that may call the HTTP server.", kind="list"),
    flag("HTTP_STATELESS", "Keep no MCP sessions: for several instances behind one address."),
    count("WEB_CONCURRENCY", "Processes on one port; more than one needs HTTP_STATELESS.", "1", positive=True),
    count("MAX_REQUEST_BODY_BYTES", "Largest HTTP request body.", "10485760", positive=True),
    flag("CORS_STRICT", "Without ALLOWED_ORIGINS no other origin may call; false lets every origin.", "true"),
    duration("HTTP_READ_HEADER_TIMEOUT", "Time a client has to send its headers.", "5s", positive=True),
    duration("HTTP_READ_TIMEOUT", "Time a client has to send its whole request.", "30s", positive=True),
    duration("HTTP_IDLE_TIMEOUT", "Time an unused connection is kept.", "120s"),
    duration("HTTP_SHUTDOWN_TIMEOUT", "Time calls in flight have to finish after SIGTERM.", "30s"),
    count("HTTP_MAX_HEADER_BYTES", "Largest HTTP request head.", "1048576", positive=True),
    Setting(
        "HTTP_CSP",
        "Content-Security-Policy of answers other than the page's own.",
        default="default-src 'none'; frame-ancestors 'none'",
    ),
    Setting("HTTP_REFERRER_POLICY", "Referrer-Policy header.", default="no-referrer"),
    Setting(
        "HTTP_PERMISSIONS_POLICY", "Permissions-Policy header.", default="geolocation=(), camera=(), microphone=()"
    ),
    Setting(
        "PUBLIC_URL",
        "Address by which clients reach this server, e.g. https://research.example.org; named in sign-in metadata.",
    ),
)

SIGN_IN: tuple[Setting, ...] = (
    Setting("OAUTH_ISSUER_URL", "Issuer whose tokens are accepted; unset means no sign-in."),
    Setting("OAUTH_AUDIENCE", "Audience a token must name; unset: this server's own address (PUBLIC_URL/mcp)."),
    duration("JWKS_REFRESH_INTERVAL", "Time after which the issuer's keys are fetched anew.", "1h"),
    flag("ENFORCE_SCOPES", "A call needs tool:*, tool:<name> or research among the token's scopes."),
    Setting("REQUIRED_SCOPES", "Scopes every token must have.", kind="list"),
    Setting(
        "CACHE_ISOLATION",
        "Whether tenants share cached answers to the same question.",
        kind="choice",
        choices=("shared", "tenant"),
        default="shared",
    ),
    Setting(
        "ADMIN_API_KEY",
        "Key for /admin, /metrics and the workbench (header X-Admin-Key); unset closes /admin.",
        secret=True,
        former="CACHE_ADMIN_KEY",
    ),
    Setting(
        "ADMIN_API_KEY_PREV", "The key before the last rotation; still accepted, and its use is audited.", secret=True
    ),
)

LIMITS: tuple[Setting, ...] = (
    count("RATE_LIMIT_GLOBAL", "Calls a second over all tenants; 0 is unlimited.", "1000"),
    count("RATE_LIMIT_PER_TENANT", "Calls a minute for one tenant; 0 is unlimited.", "120"),
    count("RATE_LIMIT_PER_IP", "Calls a minute from one address; 0 is unlimited.", "0"),
    count("DAILY_QUOTA_PER_TENANT", "Calls of one tenant in a UTC day over HTTP; 0 is unlimited.", "5000"),
    flag("RATE_LIMIT_PERSIST", "Keep the daily count over a restart.", "true"),
    flag("TRUST_PROXY", "Take a caller's address from X-Forwarded-For: only behind a proxy that sets it."),
    count("MAX_CALLS_PER_DAY", "Calls a user may make in one UTC day; 0 is unlimited.", "0"),
)

PERSONAL: tuple[Setting, ...] = (
    flag("MEMORY_ENABLED", "Offer memory_save and memory_recall."),
    duration("MEMORY_RETENTION", "Time for which a memory is kept.", "2160h", positive=True),
    flag("USER_ANALYTICS_ENABLED", "Offer get_my_analytics and count calls of users who agreed."),
    flag("WORKSPACES_ENABLED", "Offer workspace_contribute and workspace_read."),
    duration("WORKSPACE_TTL", "Time for which a contribution or a membership is kept.", "720h", positive=True),
    Setting("DATA_REGION", "Where the data is kept: a label in the status and the audit lines."),
)

AUDIT: tuple[Setting, ...] = (
    flag("AUDIT_ENABLED", "Write one JSON line a call to AUDIT_OUTPUT_PATH.", "true"),
    Setting("AUDIT_OUTPUT_PATH", "File for the audit lines; unset writes none.", kind="path"),
    flag("AUDIT_INCLUDE_REQUEST_BODY", "Put query texts into the audit lines, masked."),
    count("AUDIT_BUFFER_SIZE", "Audit lines held in memory before they spill to disk.", "1000"),
    count("AUDIT_MAX_BYTES", "Size at which the audit file is rotated.", "104857600"),
    count("AUDIT_RETENTION_DAYS", "Days rotated audit files are kept, 180 to 3650.", "180"),
    Setting("AUDIT_WEBHOOK_URL", "Address that gets every audit line by POST.", secret=True),
    flag("METRICS_ENABLED", "Count calls for /metrics and /admin/analytics.", "true"),
    count("METRICS_MAX_TENANTS", "Tenants counted by name; further ones are counted together.", "10000"),
)

VARIABLES: tuple[Setting, ...] = (*HTTP, *SIGN_IN, *LIMITS, *PERSONAL, *AUDIT)
