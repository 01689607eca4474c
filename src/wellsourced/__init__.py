"""Wellsourced hands assistants real, checkable sources.

`open` and `open_sync` are the way in for Python programs; they are loaded when they are first used, because this
module is on the fast-start path and imports nothing.
"""

__version__ = "0.1.0"

OFFERED = ("ResearchClient", "SyncResearchClient", "ToolFailed", "WellsourcedError", "open", "open_sync")


def __getattr__(name: str) -> object:
    if name not in OFFERED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module("wellsourced.api"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *OFFERED})
