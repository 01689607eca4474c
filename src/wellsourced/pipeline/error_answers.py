"""Every failure becomes one kind of answer: a sentence, a blank line, one line of JSON."""

from __future__ import annotations

import logging
import math
from typing import Any

from wellsourced.errors import SessionNotFound, WellsourcedError
from wellsourced.missing_package import sentence_about
from wellsourced.net.connectivity import Connectivity
from wellsourced.pipeline.middleware import Handler
from wellsourced.text.masker import Masker
from wellsourced.text.plain_text import strip_invisible
from wellsourced.tool.answer import ToolAnswer, encode_json
from wellsourced.tool.call import Call

DETAIL_LENGTH = 300
OFFLINE = (
    "This machine seems to be offline: no name on the internet can be looked up. Check its connection, then ask again."
)

logger = logging.getLogger(__name__)


class ReportFailures:
    def __init__(self, masker: Masker, connectivity: Connectivity) -> None:
        self._masker = masker
        self._connectivity = connectivity

    async def __call__(self, call: Call, next_handler: Handler) -> ToolAnswer:
        try:
            return await next_handler(call)
        except WellsourcedError as error:
            if error.is_lookup and await self._connectivity.seems_offline():
                say_offline(error)
            return ToolAnswer(error_text=error_text(error, self._masker), error_kind=error.kind)
        except Exception as error:  # nothing may leave as a traceback
            logger.error("%s failed", call.tool.name, exc_info=error)
            return ToolAnswer(
                error_text=error_text(internal_error(call, error), self._masker), error_kind="upstream_unavailable"
            )


def say_offline(error: WellsourcedError) -> None:
    """One sentence instead of every provider's own; the address of a page stays in it, for it may also be wrong."""
    error.detail = error.sentence
    error.sentence = OFFLINE if error.provider else f"{error.sentence} {OFFLINE}"


def error_text(error: WellsourcedError, masker: Masker) -> str:
    """A sentence for people, then one line with the fields that a program can branch on.

    Texts are masked before they are cut or quoted: half a key would stay, and a quotation mark might not. They may
    quote a site, so invisible characters are removed.
    """
    sentence = strip_invisible(masker.mask(error.sentence))
    return f"{sentence}\n\n{encode_json({'error': error_fields(error, masker)}).decode()}"


def error_fields(error: WellsourcedError, masker: Masker) -> dict[str, Any]:
    fields: dict[str, Any] = {"kind": error.kind, "retryable": error.retryable}
    wait = error.retry_after if error.retry_after is not None else error.default_wait
    if error.retryable and wait:
        fields["retryAfterSeconds"] = math.ceil(wait)
    fields["suggestedAction"] = error.action
    if error.provider:
        fields["provider"] = error.provider
    if error.alternatives:
        fields["alternatives"] = list(error.alternatives)
    if error.detail:
        fields["detail"] = strip_invisible(masker.mask(error.detail))[:DETAIL_LENGTH]
    if isinstance(error, SessionNotFound) and error.last_known_step is not None:
        fields["recoveryHint"] = {"lastKnownStep": error.last_known_step, "canResume": False}
    return fields


def internal_error(call: Call, error: Exception) -> WellsourcedError:
    """Names it as a fault of Wellsourced, without the exception's text, which may hold anything."""
    sentence = sentence_about(error) if isinstance(error, ImportError) else None
    failure = WellsourcedError(
        sentence
        or f"{call.tool.name} failed because of a mistake in Wellsourced ({type(error).__name__}), not in the request. "
        "Please report it."
    )
    failure.action = "report_bug"
    return failure
