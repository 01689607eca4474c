"""Turns a provider's failure into a sentence that says what the caller can do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil

from wellsourced.errors import (
    BadInput,
    Blocked,
    KeyRejected,
    NetworkFailed,
    ProviderNotConfigured,
    RateLimited,
    UpstreamChanged,
    UpstreamUnavailable,
    WellsourcedError,
)
from wellsourced.text.amounts import format_seconds
from wellsourced.upstream import Provider


def explain_failure(error: WellsourcedError, provider: Provider) -> WellsourcedError:
    """The same error with the provider on it and a sentence that says what to do."""
    error.detail = error.detail or error.sentence
    error.provider = provider.public_name
    error.sentence = SENTENCES.get(type(error), general_sentence)(error, provider)
    error.args = (error.sentence,)
    if isinstance(error, Blocked):
        error.action = UpstreamUnavailable.action
    return error


def joint_failure(activity: str, failures: Sequence[WellsourcedError]) -> WellsourcedError:
    """Nobody could answer: the first failure, with what happened to each of them."""
    first = failures[0]
    if len(failures) > 1:
        sentences = dict.fromkeys(failure.sentence for failure in failures)
        first.sentence = f"No provider could {activity}. {' '.join(sentences)}"
    first.is_lookup = all(failure.is_lookup for failure in failures)
    return first


def suggest_others(error: WellsourcedError, others: Sequence[str]) -> None:
    """Add the providers that could be asked instead.

    An error that is not the provider's failure, or already says what to do, keeps its sentence.
    """
    error.alternatives = tuple(others)
    if others and isinstance(error, Blocked | NetworkFailed | UpstreamUnavailable):
        error.sentence += f" Try a different provider: {', '.join(others)}."


def rate_limit_sentence(error: WellsourcedError, provider: Provider) -> str:
    wait = format_seconds(ceil(error.retry_after or error.default_wait or 0))
    return f"Rate limited ({provider.public_name}). Wait {wait} and retry, or try a different provider."


def key_sentence(error: WellsourcedError, provider: Provider) -> str:
    names = " and ".join(s.name for s in provider.needs if s.secret) or provider.base_variable()
    return f"{provider.title} ({provider.public_name}) did not accept the credentials. Check {names}; see .env.example."


def changed_sentence(error: WellsourcedError, provider: Provider) -> str:
    return (
        f"{provider.title} ({provider.public_name}) answered in a form that is not understood, so nothing can be said "
        "about its results."
    )


def general_sentence(error: WellsourcedError, provider: Provider) -> str:
    return f"{provider.title} ({provider.public_name}) failed: {error.sentence.rstrip('.')}."


SENTENCES: Mapping[type[WellsourcedError], Callable[[WellsourcedError, Provider], str]] = {
    RateLimited: rate_limit_sentence,
    KeyRejected: key_sentence,
    UpstreamChanged: changed_sentence,
    BadInput: lambda error, provider: error.sentence,
}


def not_configured(provider: Provider, missing: Sequence[str]) -> ProviderNotConfigured:
    return ProviderNotConfigured(
        f"{provider.title} ({provider.public_name}) is not configured. Set {' and '.join(missing)}; see .env.example.",
        provider=provider.public_name,
    )


def breaker_open(
    provider: Provider, wait: float, *, rate_limited: bool, last: WellsourcedError | None
) -> WellsourcedError:
    """Why a provider is not asked just now: it asked for a pause, or it failed repeatedly, lately with `last`."""
    if rate_limited:
        return explain_failure(RateLimited("it asked for a pause", retry_after=max(1.0, wait)), provider)
    time_left = format_seconds(max(1, ceil(wait)))
    error = UpstreamUnavailable(
        f"{provider.title} ({provider.public_name}) failed repeatedly and is left alone for another {time_left}.",
        provider=provider.public_name,
        retry_after=wait,
        detail=last.sentence if last else None,
    )
    error.is_lookup = last is not None and last.is_lookup
    return error
