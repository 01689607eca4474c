"""Finding, starting and ending a Chromium of our own.

It is driven over a pipe (`--remote-debugging-pipe`): no port that others on this machine could connect to, no driver
process in between, and Chromium ends by itself when the pipe breaks, even if our process is killed. Flags are from
Chromium's sources (content, headless and network switches).
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from wellsourced.errors import BrowserUnavailable
from wellsourced.net.browser.devtools import LONGEST_MESSAGE, ConnectionLostError, DevTools, PipeTransport
from wellsourced.net.browser.profile_folder import BrowserProfile

DISABLED = "disabled"
PROGRAM_NAMES = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    *("microsoft-edge", "microsoft-edge-stable", "msedge"),
)
PROGRAM_PATHS = (
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/opt/microsoft/msedge/msedge",
    "/snap/bin/chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
INSTALL_ADVICE = (
    "Install Chromium or Google Chrome, or set CHROME_PATH to its program, or BROWSER_CDP_URL to a browser elsewhere."
)

START_SECONDS = 30.0
END_SECONDS = 3.0
DETAIL_LENGTH = 400

# Chromium reads its orders from descriptor 3 and answers on 4. The shell puts the two pipes there that Python can
# only offer as standard input and output, then becomes Chromium.
ONTO_DESCRIPTORS_3_AND_4 = 'exec "$@" 3<&0 4>&1 0</dev/null 1>/dev/null'

FLAGS = (
    "--headless",
    "--remote-debugging-pipe",
    "--no-startup-window",
    "--window-size=1920,1080",
    "--lang=en-US",
    # Nothing leaves but what a page asks for, and that only through the proxy, which also does the looking up.
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-background-networking",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-quic",
    "--disable-sync",
    "--dns-prefetch-disable",
    "--no-pings",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-features=AsyncDns,DialMediaRouteProvider,DnsOverHttps,InterestFeedContentSuggestions,MediaRouter,"
    "OptimizationHints,PreloadPages,SpareRendererForSitePerProcess,Translate",
    # What a page cannot have.
    "--js-flags=--max-old-space-size=512",
    "--block-new-web-contents",
    "--deny-permission-prompts",
    "--mute-audio",
    "--disable-blink-features=AutomationControlled",
    # What a program without a person in front of it does not need.
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--hide-scrollbars",
    "--metrics-recording-only",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-service-autorun",
    "--password-store=basic",
    "--use-mock-keychain",
)


def find_chromium(chrome_path: str = "") -> str:
    """The program to start; BrowserUnavailable with what would help when there is none."""
    if chrome_path.strip().lower() == DISABLED:
        raise BrowserUnavailable("The browser is switched off (CHROME_PATH=disabled). Unset it to have pages rendered.")
    if chrome_path:
        if program := shutil.which(chrome_path):
            return program
        raise BrowserUnavailable(
            f"CHROME_PATH names {chrome_path}, which is not a program that can be run. {INSTALL_ADVICE}"
        )
    for candidate in (*PROGRAM_NAMES, *PROGRAM_PATHS):
        if program := shutil.which(candidate):
            return program
    raise BrowserUnavailable(f"No Chromium was found on this machine. {INSTALL_ADVICE}")


@dataclass
class Chromium:
    """A running browser: its process, its profile folder, and the conversation with it."""

    process: asyncio.subprocess.Process
    profile: BrowserProfile
    devtools: DevTools

    async def close(self) -> None:
        """End it, by its own command if it answers; no process and no file is left."""
        with suppress(Exception):
            async with asyncio.timeout(END_SECONDS):
                await self.devtools.send("Browser.close")
                await self.process.wait()
        if self.process.returncode is None:
            _kill_group(self.process.pid)
        await self.process.wait()
        await self.devtools.close()
        await asyncio.to_thread(self.profile.remove)


async def start_chromium(program: str, *, proxy: str, no_sandbox: bool = False) -> Chromium:
    if sys.platform == "win32":
        raise BrowserUnavailable("On Windows a browser is not started from here; set BROWSER_CDP_URL to a running one.")
    profile = await asyncio.to_thread(BrowserProfile)
    try:
        process = await _spawn(
            program, [*command_line_flags(proxy, profile.folder, no_sandbox=no_sandbox)], profile.folder
        )
    except OSError as problem:
        profile.remove()
        raise BrowserUnavailable(f"{program} could not be started: {problem.strerror}. {INSTALL_ADVICE}") from None
    assert process.stdin is not None
    assert process.stdout is not None
    chromium = Chromium(process, profile, DevTools(PipeTransport(process.stdout, process.stdin)))
    try:
        async with asyncio.timeout(START_SECONDS):
            await chromium.devtools.send("Browser.getVersion")
    except BaseException as problem:
        stderr_tail = _stderr_tail(profile.folder)
        await chromium.close()
        if not isinstance(problem, TimeoutError | ConnectionLostError):
            raise
        raise BrowserUnavailable(f"{program} did not start. {INSTALL_ADVICE}", detail=stderr_tail) from None
    return chromium


def command_line_flags(proxy: str, profile: Path, *, no_sandbox: bool = False) -> list[str]:
    # Chromium refuses to run its sandbox as root, which is who one is in most containers. The container is the
    # boundary then; an ordinary user keeps the sandbox unless CHROME_NO_SANDBOX is set.
    without_sandbox = no_sandbox or os.geteuid() == 0
    own = ["--no-sandbox"] if without_sandbox else []
    return [*FLAGS, f"--proxy-server=http://{proxy}", f"--user-data-dir={profile}", *own]


async def _spawn(program: str, arguments: list[str], profile: Path) -> asyncio.subprocess.Process:
    # Its environment is made anew: ours holds keys, and a page that breaks out of its renderer could read them.
    # Nor does it get our TMPDIR: it puts a socket there, whose path may not be longer than about a hundred bytes.
    environment = {"PATH": os.defpath, "HOME": str(profile), "LANG": "C.UTF-8"}
    with (profile / "stderr.log").open("wb") as stderr_tail:
        return await asyncio.create_subprocess_exec(
            *("/bin/sh", "-c", ONTO_DESCRIPTORS_3_AND_4, "sh", program, *arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=stderr_tail,
            env=environment,
            limit=LONGEST_MESSAGE,
            start_new_session=True,
        )


def _stderr_tail(profile: Path) -> str:
    with suppress(OSError):
        return (profile / "stderr.log").read_bytes()[-DETAIL_LENGTH:].decode("utf-8", "replace").strip()
    return ""


def _kill_group(leader: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
