"""Follows how far a page has loaded, from the browser's events."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wellsourced.net.browser.devtools import Params

STATUSES_KEPT = 64
REQUESTS_COUNTED = 10_000
# Requests of these kinds may stay open for as long as the page does, and do not hold it up.
LONG_LIVED = frozenset({"EventSource", "WebSocket", "Media", "Ping"})


class LoadProgress:
    def __init__(self) -> None:
        self.main_frame = ""
        self.document = ""
        """Names the document the page shows; another one after every navigation."""
        self.ready = asyncio.Event()
        self.loaded = asyncio.Event()
        self.leaving = False
        """Whether the page is on its way to another document."""
        self.decoded_bytes = 0
        """How much the page has received, counted after decompression."""
        self.document_bytes = 0
        """How much of that is the document itself."""
        self.statuses: dict[str, int] = {}
        self._document_request = ""
        self._pending: set[str] = set()

    @property
    def is_fetching(self) -> bool:
        return bool(self._pending)

    def on_event(self, method: str, params: Params, *, is_main: bool) -> None:
        match method:
            case "Network.requestWillBeSent":
                self._on_request(params)
            case "Network.loadingFinished" | "Network.loadingFailed":
                self._on_request_ended(params)
            case "Network.responseReceived":
                self._on_response(params)
            case "Network.dataReceived":
                self._on_data(params)
            case "Page.frameNavigated" if is_main:
                self._on_frame_navigated(params)
            case "Page.domContentEventFired" if is_main and self.document:
                self.ready.set()
            case "Page.loadEventFired" if is_main and self.document:
                self.loaded.set()
            case "Page.frameStoppedLoading" if self.document and params.get("frameId") == self.main_frame:
                # The only event there is when a page wanted to leave while it was being loaded and was kept.
                self.ready.set()
                self.loaded.set()

    def _on_request(self, params: Params) -> None:
        if params.get("type") in LONG_LIVED or len(self._pending) >= REQUESTS_COUNTED:
            return
        self._pending.add(params["requestId"])
        if params.get("type") == "Document" and params.get("frameId") == self.main_frame:
            self.leaving = True
            self._document_request = params["requestId"]
            self.document_bytes = 0

    def _on_request_ended(self, params: Params) -> None:
        self._pending.discard(params["requestId"])
        if params["requestId"] == self._document_request:
            self.leaving = False

    def _on_response(self, params: Params) -> None:
        if params.get("type") == "Document" and len(self.statuses) < STATUSES_KEPT:
            self.statuses[params.get("loaderId", "")] = int(params["response"]["status"])

    def _on_data(self, params: Params) -> None:
        length = int(params.get("dataLength", 0))
        self.decoded_bytes += length
        if params["requestId"] == self._document_request:
            self.document_bytes += length

    def _on_frame_navigated(self, params: Params) -> None:
        frame = params["frame"]
        if frame["id"] == self.main_frame:
            self.document = frame.get("loaderId", "")
            self.leaving = False
            self.ready.clear()
            self.loaded.clear()
