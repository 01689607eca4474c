"""How the browser introduces itself: as the desktop Chrome it is, of the version it has, without the word Headless.

Facts: the user-agent reduction of Chromium and the User-Agent Client Hints draft (wicg.github.io/ua-client-hints).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wellsourced.net.browser.devtools import Params

WIDTH, HEIGHT = 1920, 1080
PLATFORMS = (("Windows", "Windows", "Win32"), ("Macintosh", "macOS", "MacIntel"), ("", "Linux", "Linux x86_64"))


def user_agent_override(version: Params) -> Params:
    """Parameters of `Emulation.setUserAgentOverride` from the answer of `Browser.getVersion`."""
    agent = str(version.get("userAgent", "")).replace("HeadlessChrome", "Chrome")
    full = str(version.get("product", "Chrome/0")).rpartition("/")[2]
    _, platform, navigator = next(entry for entry in PLATFORMS if entry[0] in agent)
    return {
        "userAgent": agent,
        "acceptLanguage": "en-US,en",
        "platform": navigator,
        "userAgentMetadata": {
            "brands": _brands(full.partition(".")[0]),
            "fullVersionList": _brands(full),
            "platform": platform,
            "platformVersion": "",
            "architecture": "x86" if "x86" in agent or "Win64" in agent or "Intel" in agent else "arm",
            "bitness": "64",
            "model": "",
            "mobile": False,
        },
    }


def _brands(version: str) -> list[Params]:
    names = (
        ("Google Chrome", version),
        ("Chromium", version),
        ("Not?A_Brand", "24" if "." not in version else "24.0.0.0"),
    )
    return [{"brand": name, "version": number} for name, number in names]
