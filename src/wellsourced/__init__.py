"""Wellsourced hands assistants real, checkable sources.

`open` and `open_sync` start research, `extract` reads the HTML of a page that is already there. All are loaded when
they are first used, because this module is on the fast-start path and imports nothing.
"""

__version__ = "0.1.0"

OFFERED = {
    **dict.fromkeys(
        ("ResearchClient", "SyncResearchClient", "ToolFailed", "WellsourcedError", "open", "open_sync"),
        "wellsourced.api",
    ),
    "extract": "wellsourced.pages.html.extract",
}


def __getattr__(name: str) -> object:
    if name not in OFFERED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(OFFERED[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *OFFERED})
