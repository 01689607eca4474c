"""A person at the workbench, played by a real Chromium: opens views, types, presses keys, looks."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from wellsourced.net.browser.chromium import Chromium, start_chromium
from wellsourced.net.browser.devtools import DevTools, Params

WAIT_SECONDS = 60.0
NO_PROXY = "127.0.0.1:9"
WATCH = """
window.harm = [];
window.alert = window.confirm = window.prompt = (said) => { window.harm.push("dialog " + said); };
document.addEventListener("securitypolicyviolation", (event) => window.harm.push("policy " + event.violatedDirective));
window.addEventListener("error", (event) => window.harm.push("error " + event.message));
window.addEventListener("unhandledrejection", (event) => window.harm.push("rejection " + event.reason));
"""
KEYS = {
    **{"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40},
    **{"/": 191, "q": 81},
}
TYPED = {"Enter": "\r", " ": " ", "/": "/", "q": "q"}


class Person:
    """`harm` in the page collects everything that must not happen."""

    def __init__(self, devtools: DevTools, session: str, address: str) -> None:
        self._devtools = devtools
        self._session = session
        self._address = address

    async def send(self, method: str, **params: Any) -> Params:
        return await self._devtools.send(method, params, self._session)

    async def run(self, script: str) -> Any:
        """The value of an expression, awaited if it is a promise."""
        reply = await self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in reply, reply["exceptionDetails"]
        return reply["result"].get("value")

    async def until(self, condition: str) -> None:
        """Wait for an expression to be truthy."""
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline:
            if await self.run(f"Boolean({condition})"):
                return
            await asyncio.sleep(0.03)
        raise AssertionError(f"{condition} did not come true; the page says:\n{await self.text()}")

    async def load(self) -> None:
        await self.send("Page.navigate", url=self._address + "/")
        await self.until("document.readyState === 'complete' && document.querySelector('nav a, form')")

    async def open(self, view: str) -> None:
        """Go to a view by its hash, with a fresh first element to tell it from the last."""
        await self.run(f"document.querySelector('main').firstChild.remove(); location.hash = {json.dumps('#/' + view)}")
        await self.until("document.querySelector('main h1')")

    async def text(self) -> str:
        found: str = await self.run("document.body.innerText")
        return found

    async def says(self, words: str) -> None:
        await self.until(f"document.querySelector('main').innerText.includes({json.dumps(words)})")

    async def fill(self, name: str, value: str) -> None:
        """A view shows its heading at once and its fields when the server has answered."""
        await self.until(f"document.querySelector('main [name={name}]')")
        await self.run(f"document.querySelector('main [name={name}]').value = {json.dumps(value)}")

    async def click(self, selector: str) -> None:
        await self.until(f"document.querySelector({json.dumps(selector)})")
        await self.run(f"document.querySelector({json.dumps(selector)}).click()")

    async def press(self, key: str, *, shift: bool = False) -> None:
        about: Params = {"key": key, "windowsVirtualKeyCode": KEYS[key], "modifiers": 8 if shift else 0}
        text = {"text": TYPED[key]} if key in TYPED else {}
        await self.send("Input.dispatchKeyEvent", type="keyDown", **about, **text)
        await self.send("Input.dispatchKeyEvent", type="keyUp", **about)

    async def type(self, text: str) -> None:
        await self.send("Input.insertText", text=text)

    async def click_at(self, selector: str, times: int = 1) -> None:
        """With the mouse, where the element is on the screen; something above it would take the click."""
        await self.until(f"document.querySelector({json.dumps(selector)})")
        found = f"document.querySelector({json.dumps(selector)})"
        await self.run(f"{found}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
        box = await self.run(
            f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({found}.getClientRects()[0])"
        )
        await self.send("Input.dispatchMouseEvent", type="mouseMoved", x=box[0], y=box[1])
        for count in range(1, times + 1):
            point: Params = {"x": box[0], "y": box[1], "button": "left", "clickCount": count}
            await self.send("Input.dispatchMouseEvent", type="mousePressed", **point)
            await self.send("Input.dispatchMouseEvent", type="mouseReleased", **point)

    async def look(self, width: int, height: int, *, dark: bool = False) -> None:
        await self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        await self.send(
            "Emulation.setEmulatedMedia", features=[scheme, {"name": "prefers-reduced-motion", "value": "reduce"}]
        )

    async def screenshot(self, *, whole: bool = True) -> bytes:
        shot = await self.send("Page.captureScreenshot", captureBeyondViewport=whole)
        return base64.b64decode(shot["data"])

    async def assert_unharmed(self) -> None:
        assert await self.run("window.harm") == []
        assert await self.run("window.pwned ?? null") is None


class SharedBrowser:
    """One Chromium for all tests of the page, on a thread with a loop of its own; each test has a fresh profile."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._chromium: Chromium | None = None

    def run(self, program: str, address: str, script: Callable[[Person], Awaitable[None]]) -> None:
        if not self._thread.is_alive():
            self._thread.start()
        asyncio.run_coroutine_threadsafe(self._run(program, address, script), self._loop).result()

    def close(self) -> None:
        if self._chromium:
            asyncio.run_coroutine_threadsafe(self._chromium.close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)

    async def _run(self, program: str, address: str, script: Callable[[Person], Awaitable[None]]) -> None:
        if self._chromium is None:
            self._chromium = await start_chromium(program, proxy=NO_PROXY)
        async with person_at(self._chromium, address) as client:
            await script(client)
            await client.assert_unharmed()


BROWSER = SharedBrowser()


def at_work(program: str, address: str, script: Callable[[Person], Awaitable[None]]) -> None:
    BROWSER.run(program, address, script)


@asynccontextmanager
async def person_at(chromium: Chromium, address: str) -> AsyncIterator[Person]:
    devtools = chromium.devtools
    # The server under test is the only place to go, and it is reached without the proxy that refuses the rest.
    context = await devtools.send(
        "Target.createBrowserContext", {"proxyServer": NO_PROXY, "proxyBypassList": "127.0.0.1"}
    )
    target = await devtools.send(
        "Target.createTarget", {"url": "about:blank", "browserContextId": context["browserContextId"]}
    )
    attached = await devtools.send("Target.attachToTarget", {"targetId": target["targetId"], "flatten": True})
    client = Person(devtools, attached["sessionId"], address)
    await client.send("Page.enable")
    await client.send("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    await client.look(1280, 900)
    await client.load()
    try:
        yield client
    finally:
        await devtools.send("Target.disposeBrowserContext", {"browserContextId": context["browserContextId"]})


@asynccontextmanager
async def person(program: str, address: str) -> AsyncIterator[Person]:
    chromium = await start_chromium(program, proxy=NO_PROXY)
    try:
        async with person_at(chromium, address) as client:
            yield client
    finally:
        await chromium.close()
