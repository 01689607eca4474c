"""What the tests of this room share."""

from __future__ import annotations

from tests.net.browsing import chromium, folder

__all__ = ["chromium", "folder"]
