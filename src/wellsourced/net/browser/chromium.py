"""Finding, starting and ending a Chromium of our own.

It is driven over a pipe (`--remote-debugging-pipe`): no port that others on this machine could connect to, no driver
process in between, and Chromium ends by itself when the pipe breaks, even if our process is killed. On Windows, where
it cannot be handed a pipe like that, it is driven over a port on this machine that it chooses itself, under an address
that it tells nobody else, and a job object ends it with us. Flags are from Chromium's sources (content, headless and
network switches).
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
from typing import Any

from wellsourced.errors import BrowserUnavailable
from wellsourced.net.browser.devtools import (
    LONGEST_MESSAGE,
    ConnectionLostError,
    DevTools,
    PipeTransport,
    WebSocketTransport,
)
from wellsourced.net.browser.profile_folder import BrowserProfile
from wellsourced.windows_job import end_with_this_process

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
WINDOWS_FOLDERS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
WINDOWS_PROGRAMS = (
    "Google/Chrome/Application/chrome.exe",
    "Chromium/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
)
WINDOWS_VARIABLES = ("SYSTEMROOT", "TEMP", "TMP", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMDATA")
INSTALL_ADVICE = (
    "Install Chromium or Google Chrome, or set CHROME_PATH to its program, or BROWSER_CDP_URL to a browser elsewhere."
)

START_SECONDS = 30.0
END_SECONDS = 3.0
DETAIL_LENGTH = 400

# Chromium reads its orders from descriptor 3 and answers on 4. The shell puts the two pipes there that Python can
# only offer as standard input and output, then becomes Chromium.
ONTO_DESCRIPTORS_3_AND_4 = 'exec "$@" 3<&0 4>&1 0</dev/null 1>/dev/null'

OVER_PIPE = "--remote-debugging-pipe"
OVER_PORT = "--remote-debugging-port=0"
PORT_FILE = "DevToolsActivePort"
LOOK_SECONDS = 0.05

FLAGS = (
    "--headless",
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
    for candidate in (*PROGRAM_NAMES, *program_paths()):
        if program := shutil.which(candidate):
            return program
    raise BrowserUnavailable(f"No Chromium was found on this machine. {INSTALL_ADVICE}")


def program_paths() -> tuple[str, ...]:
    if sys.platform != "win32":
        return PROGRAM_PATHS
    folders = [os.environ[name] for name in WINDOWS_FOLDERS if os.environ.get(name)]
    return tuple(str(Path(folder) / program) for program in WINDOWS_PROGRAMS for folder in folders)


@dataclass
class Chromium:
    """A running browser: its process, its profile folder, and the conversation with it. `job` ends it on Windows."""

    process: asyncio.subprocess.Process
    profile: BrowserProfile
    devtools: DevTools
    job: Any = None

    async def close(self) -> None:
        """End it, by its own command if it answers; no process and no file is left."""
        with suppress(Exception):
            async with asyncio.timeout(END_SECONDS):
                await self.devtools.send("Browser.close")
                await self.process.wait()
        if self.process.returncode is None:
            _kill(self.process)
        await self.process.wait()
        await self.devtools.close()
        await asyncio.to_thread(self.profile.remove)


async def start_chromium(program: str, *, proxy: str, no_sandbox: bool = False) -> Chromium:
    profile = await asyncio.to_thread(BrowserProfile)
    flags = command_line_flags(proxy, profile.folder, no_sandbox=no_sandbox)
    start = _start_over_port if sys.platform == "win32" else _start_over_pipe
    try:
        chromium = await start(program, flags, profile)
    except OSError as problem:
        profile.remove()
        raise BrowserUnavailable(
            f"{program} could not be started: {problem.strerror or 'it did not answer'}. {INSTALL_ADVICE}"
        ) from None
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


async def _start_over_pipe(program: str, flags: list[str], profile: BrowserProfile) -> Chromium:
    shell = ("/bin/sh", "-c", ONTO_DESCRIPTORS_3_AND_4, "sh")
    process = await _spawn([*shell, program, OVER_PIPE, *flags], profile.folder, asyncio.subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    return Chromium(process, profile, DevTools(PipeTransport(process.stdout, process.stdin)))


async def _start_over_port(program: str, flags: list[str], profile: BrowserProfile) -> Chromium:
    from websockets.asyncio.client import connect
    from websockets.exceptions import WebSocketException

    process = await _spawn([program, OVER_PORT, *flags], profile.folder, asyncio.subprocess.DEVNULL)
    job = end_with_this_process(process.pid)
    try:
        address = await _port_and_path(process, profile.folder / PORT_FILE)
        connection = await connect(f"ws://127.0.0.1:{address}", max_size=LONGEST_MESSAGE, proxy=None)
    except BaseException as problem:
        _kill(process)
        await process.wait()
        if isinstance(problem, WebSocketException):
            raise OSError(0, str(problem)) from None
        raise
    return Chromium(process, profile, DevTools(WebSocketTransport(connection)), job)


def _read_port(file: Path) -> str:
    with suppress(OSError):
        port, _, path = file.read_text("utf-8").partition("\n")
        return port.strip() + path.strip() if path.strip() else ""
    return ""


async def _port_and_path(process: asyncio.subprocess.Process, file: Path) -> str:
    async with asyncio.timeout(START_SECONDS):
        while True:
            if found := _read_port(file):
                return found
            if process.returncode is not None:
                raise OSError(0, "it ended at once")
            await asyncio.sleep(LOOK_SECONDS)


def command_line_flags(proxy: str, profile: Path, *, no_sandbox: bool = False) -> list[str]:
    # Chromium refuses to run its sandbox as root, which is who one is in most containers. The container is the
    # boundary then; an ordinary user keeps the sandbox unless CHROME_NO_SANDBOX is set.
    without_sandbox = no_sandbox or (hasattr(os, "geteuid") and os.geteuid() == 0)
    own = ["--no-sandbox"] if without_sandbox else []
    return [*FLAGS, f"--proxy-server=http://{proxy}", f"--user-data-dir={profile}", *own]


async def _spawn(command: list[str], profile: Path, streams: int) -> asyncio.subprocess.Process:
    # Its environment is made anew: ours holds keys, and a page that breaks out of its renderer could read them.
    # Nor does it get our TMPDIR: it puts a socket there, whose path may not be longer than about a hundred bytes.
    environment = {"PATH": os.defpath, "HOME": str(profile), "LANG": "C.UTF-8"}
    if sys.platform == "win32":
        environment |= {name: os.environ[name] for name in WINDOWS_VARIABLES if name in os.environ}
    with (profile / "stderr.log").open("wb") as stderr_tail:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=streams,
            stdout=streams,
            stderr=stderr_tail,
            env=environment,
            limit=LONGEST_MESSAGE,
            start_new_session=True,
        )


def _stderr_tail(profile: Path) -> str:
    with suppress(OSError):
        return (profile / "stderr.log").read_bytes()[-DETAIL_LENGTH:].decode("utf-8", "replace").strip()
    return ""


def _kill(process: asyncio.subprocess.Process) -> None:
    """With what it started, which on Windows ends by itself."""
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
