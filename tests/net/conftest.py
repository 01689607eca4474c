"""Fixtures that the tests of the network share."""

from __future__ import annotations

from tests.net.browser.browsing import chromium, folder

__all__ = ["chromium", "folder"]
