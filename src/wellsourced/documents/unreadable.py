"""The failure of a document that arrived whole and cannot be turned into text."""

from __future__ import annotations

from wellsourced.errors import ContentEmpty


class Unreadable(ContentEmpty):
    """Fetching the same bytes again would end the same way, so there is nothing to retry."""

    retryable = False
    action = "inform_user"
