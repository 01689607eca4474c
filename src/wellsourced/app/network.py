"""The parts that reach outside, made from the settings: address guard, browser, breakers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from wellsourced import __version__
from wellsourced.net.circuit_breaker import CircuitBreaker
from wellsourced.net.guard import AddressGuard, DemoGuard
from wellsourced.settings import Settings

if TYPE_CHECKING:
    from wellsourced.net.browser.browser import Browser

USER_AGENT = f"wellsourced/{__version__}"


def make_guard(settings: Settings, allowed_domains: Sequence[str] = ()) -> AddressGuard:
    if port := settings.count("SAMPLE_WEB_PORT"):
        return DemoGuard(port, allowed_domains)
    return AddressGuard(allow_private=settings.flag("ALLOW_PRIVATE_IPS"), allowed_domains=allowed_domains)


def browser_maker(settings: Settings, guard: AddressGuard) -> Callable[[], Browser] | None:
    """For when a browser is first needed; None where it is turned off."""
    path = settings.text("CHROME_PATH")
    if path.lower() == "disabled":
        return None

    def make() -> Browser:
        from wellsourced.net.browser.browser import Browser

        return Browser(
            guard,
            chrome_path=path,
            idle_seconds=settings.seconds("BROWSER_IDLE_TIMEOUT"),
            cdp_url=settings.text("BROWSER_CDP_URL") if settings.flag("ALLOW_UNCHECKED_BROWSER") else "",
            max_pages=max(1, settings.count("MAX_SCRAPE_CONCURRENCY_BROWSER")),
            no_sandbox=settings.flag("CHROME_NO_SANDBOX"),
        )

    return make


def breaker_maker(settings: Settings) -> Callable[[], CircuitBreaker]:
    return partial(
        CircuitBreaker,
        failures=max(1, settings.count("CIRCUIT_FAILURE_THRESHOLD")),
        open_seconds=settings.count("CIRCUIT_RESET_TIMEOUT_SECONDS"),
    )
