"""Everything that can go wrong, as one tree.

WellsourcedError
├── BadInput                  the caller's arguments
├── Refused                   an address that must not be fetched
├── RateLimited               a quota or pace was exceeded, ours or the upstream's
├── AuthRequired              a page asks for a login
│   └── KeyRejected           a provider does not accept the configured key
├── Blocked                   a bot wall, a challenge, a 403
├── NetworkFailed             TLS, time-out, refused, an HTTP status without an explanation
│   └── NameNotResolved       DNS
├── ContentEmpty              the page loaded and held nothing usable
├── NotFound                  404 or 410
├── BrowserUnavailable        no Chromium, or it did not start
├── UpstreamUnavailable       a provider failed in any other way
│   ├── UpstreamChanged       its answer was not understood
│   ├── OutOfCredit           its plan is used up; asking again will not help
│   └── TimeLimit             the call took longer than it may
├── Misconfigured             a setting is missing or wrong
│   ├── UnknownProvider
│   └── ProviderNotConfigured
└── SessionNotFound

A package may derive a class of its own from one of these, to recognise it inside the application.

`kind`, `retryable` and `action` are what the caller branches on; `provider` and `retry_after` travel on
the exception, so that nothing has to be parsed out of its text.
"""

from __future__ import annotations

from collections.abc import Sequence


class WellsourcedError(Exception):
    """A failure with a sentence for people and fields for programs."""

    kind = "upstream_unavailable"
    retryable = False
    action = "inform_user"
    default_wait: int | None = None
    is_lookup = False
    """Whether it failed, and everybody else who was asked, because a name could not be looked up."""

    def __init__(
        self,
        sentence: str,
        *,
        provider: str | None = None,
        retry_after: float | None = None,
        alternatives: Sequence[str] = (),
        detail: str | None = None,
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.provider = provider
        self.retry_after = retry_after
        self.alternatives = tuple(alternatives)
        self.detail = detail


class BadInput(WellsourcedError):
    kind = "validation"


class Refused(WellsourcedError):
    kind = "validation"


class RateLimited(WellsourcedError):
    kind = "rate_limited"
    retryable = True
    action = "retry_after_delay"
    default_wait = 60


class AuthRequired(WellsourcedError):
    kind = "auth_required"


class KeyRejected(AuthRequired):
    action = "check_api_key"


class Blocked(WellsourcedError):
    kind = "blocked"


class NetworkFailed(WellsourcedError):
    kind = "network"
    retryable = True
    action = "retry_after_delay"
    default_wait = 5


class NameNotResolved(NetworkFailed):
    is_lookup = True


class ContentEmpty(WellsourcedError):
    kind = "content_empty"
    retryable = True
    action = "report_bug"


class NotFound(WellsourcedError):
    kind = "not_found"


class BrowserUnavailable(WellsourcedError):
    kind = "browser_unavailable"
    action = "report_bug"


class UpstreamUnavailable(WellsourcedError):
    retryable = True
    action = "try_different_provider"


class UpstreamChanged(UpstreamUnavailable):
    pass


class OutOfCredit(UpstreamUnavailable):
    retryable = False


class TimeLimit(UpstreamUnavailable):
    action = "retry_after_delay"


class Misconfigured(WellsourcedError):
    kind = "config"
    action = "check_api_key"


class UnknownProvider(Misconfigured):
    action = "try_different_provider"


class ProviderNotConfigured(Misconfigured):
    pass


class SessionNotFound(WellsourcedError):
    kind = "session_not_found"

    def __init__(self, sentence: str, *, last_known_step: int | None = None) -> None:
        super().__init__(sentence)
        self.last_known_step = last_known_step
