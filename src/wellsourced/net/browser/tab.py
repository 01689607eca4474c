"""One page in a browser context of its own: opened, restricted, listened to, and closed with everything it opened."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from wellsourced.net.browser.devtools import CommandError, ConnectionLostError, DevTools, Params
from wellsourced.net.browser.interception import Interception
from wellsourced.net.browser.load_progress import LoadProgress
from wellsourced.net.browser.navigation_errors import PageCrashed
from wellsourced.net.browser.page_allowance import MEBIBYTE, PageAllowance
from wellsourced.net.browser.user_agent import HEIGHT, WIDTH
from wellsourced.net.failure_messages import ResponseTooLarge
from wellsourced.net.guard import AddressGuard
from wellsourced.text.urls import display_url

DECODED_BYTES = 64 * MEBIBYTE
# A browser may need many times the memory of the text it lays out: a gigabyte for some 18 MiB of one long word.
DOCUMENT_BYTES = 10 * MEBIBYTE

NO_SERVICE_WORKERS = "delete Navigator.prototype.serviceWorker;"
# Connections that request interception is not shown. Our own proxy sees them; where there is none, pages go without.
NO_DIRECT_CONNECTIONS = "".join(
    f"delete window.{name};"
    for name in ("WebSocket", "WebSocketStream", "WebTransport", "RTCPeerConnection", "webkitRTCPeerConnection")
)


class Tab:
    def __init__(
        self,
        devtools: DevTools,
        guard: AddressGuard,
        allowance: PageAllowance,
        user_agent: Params,
        *,
        has_own_proxy: bool = True,
    ) -> None:
        self._script = NO_SERVICE_WORKERS if has_own_proxy else NO_SERVICE_WORKERS + NO_DIRECT_CONNECTIONS
        self._devtools = devtools
        self.allowance = allowance
        self._user_agent = user_agent
        self.progress = LoadProgress()
        self.interception = Interception(guard, allowance, self._send)
        self._sessions: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.url = self.target = self._context = self._session = ""
        self._stop_listening = devtools.listen(self._on_event)

    async def open(self) -> None:
        created = await self._devtools.send("Target.createBrowserContext", {"disposeOnDetach": True})
        self._context = created["browserContextId"]
        denied = {"behavior": "deny", "browserContextId": self._context}
        await self._devtools.send("Browser.setDownloadBehavior", denied)
        blank = {"url": "about:blank", "browserContextId": self._context, "width": WIDTH, "height": HEIGHT}
        self.target = (await self._devtools.send("Target.createTarget", blank))["targetId"]
        attached = await self._devtools.send("Target.attachToTarget", {"targetId": self.target, "flatten": True})
        self._session = attached["sessionId"]
        self._sessions.add(self._session)
        await self._prepare_main()
        self._spawn(self._watch_limits())
        self._spawn(self._watch_connection())

    async def close(self) -> None:
        """Dispose of the page and everything it opened."""
        self._stop_listening()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if not self.failed.cancel():
            self.failed.exception()  # marks it as seen; a failure after the page was read concerns nobody
        if self._context:
            with suppress(CommandError):
                await self._devtools.send("Target.disposeBrowserContext", {"browserContextId": self._context})

    async def _prepare_main(self) -> None:
        self.progress.main_frame = self.interception.main_frame = self.target
        size = {"width": WIDTH, "height": HEIGHT, "screenWidth": WIDTH, "screenHeight": HEIGHT}
        await asyncio.gather(
            self.command("Page.enable"),
            self._prepare(self._session),
            self.command("Emulation.setDeviceMetricsOverride", {**size, "deviceScaleFactor": 1, "mobile": False}),
            self.command("Page.addScriptToEvaluateOnNewDocument", {"source": self._script}),
            self.command("Network.setBypassServiceWorker", {"bypass": True}),
        )

    async def _prepare(self, session: str) -> None:
        """What frames and workers in processes of their own need as well."""
        children = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
        everything = {"patterns": [{"urlPattern": "*"}], "handleAuthRequests": True}
        await asyncio.gather(
            self._send("Fetch.enable", everything, session),
            self._send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}, session),
            self._send("Emulation.setUserAgentOverride", self._user_agent, session),
            self._send("Emulation.setAutomationOverride", {"enabled": False}, session),
            self._send("Target.setAutoAttach", children, session),
            return_exceptions=session != self._session,
        )
        if session != self._session:
            await self._send("Runtime.runIfWaitingForDebugger", {}, session)

    async def command(self, method: str, params: Params | None = None) -> Params:
        return await self._devtools.send(method, params, self._session)

    async def _send(self, method: str, params: Params, session: str) -> Params:
        return await self._devtools.send(method, params, session)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        async def quietly() -> None:
            # A request or frame that is gone before it could be answered is of no interest.
            with suppress(CommandError, ConnectionLostError):
                await work

        task = asyncio.create_task(quietly())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch_limits(self) -> None:
        await self.allowance.exhausted.wait()
        self._fail(ResponseTooLarge(f"{display_url(self.url)} loads more than a page may."))

    async def _watch_connection(self) -> None:
        """A page that is only waited for asks the browser nothing, and would not notice that it is gone."""
        await self._devtools.lost.wait()
        self._fail(ConnectionLostError("the browser is gone"))

    def _fail(self, problem: Exception) -> None:
        if not self.failed.done():
            self.failed.set_exception(problem)

    def _on_event(self, session: str, method: str, params: Params) -> None:
        if session in self._sessions:
            self._on_own_event(session, method, params)
        elif not session and method == "Target.targetCreated":
            self._on_new_target(params["targetInfo"])

    def _on_new_target(self, target: Params) -> None:
        """Pop-ups and service workers that appeared in spite of everything are closed."""
        is_ours = target.get("browserContextId") == self._context and target["targetId"] != self.target
        if self.target and is_ours and target["type"] in {"page", "service_worker", "shared_worker"}:
            self._spawn(self._close_target(target["targetId"]))

    async def _close_target(self, target: str) -> None:
        await self._devtools.send("Target.closeTarget", {"targetId": target})

    def _on_own_event(self, session: str, method: str, params: Params) -> None:
        match method:
            case "Fetch.requestPaused":
                self._spawn(self.interception.on_request(session, params))
            case "Fetch.authRequired":
                self._spawn(self.interception.on_challenge(session, params))
            case "Target.attachedToTarget":
                self._sessions.add(params["sessionId"])
                self._spawn(self._prepare(params["sessionId"]))
            case "Target.detachedFromTarget":
                self._sessions.discard(params["sessionId"])
            case "Page.javascriptDialogOpening":
                self._spawn(self._dismiss(session))
            case "Inspector.targetCrashed" if session == self._session:
                self._fail(PageCrashed(f"{display_url(self.url)} made the browser's page crash."))
            case _:
                self._on_progress(method, params, is_main=session == self._session)

    def _on_progress(self, method: str, params: Params, *, is_main: bool) -> None:
        self.progress.on_event(method, params, is_main=is_main)
        for limit, count in (
            (DECODED_BYTES, self.progress.decoded_bytes),
            (DOCUMENT_BYTES, self.progress.document_bytes),
        ):
            if count > limit:
                self._fail(
                    ResponseTooLarge(
                        f"{display_url(self.url)} is more than the {limit:,} bytes that a browser is given."
                    )
                )

    async def _dismiss(self, session: str) -> None:
        await self._send("Page.handleJavaScriptDialog", {"accept": False}, session)
