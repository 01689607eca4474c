"""Wellsourced hands assistants real, checkable sources."""

__version__ = "0.1.0"
