"""Whatever goes wrong leaves as one kind of answer: a sentence, a blank line, one line of JSON."""

from __future__ import annotations

import logging
import math
from typing import Any

from wellsourced.errors import BadInput, SessionNotFound, WellsourcedError
from wellsourced.pipeline.middleware import GoOn
from wellsourced.text.masker import Masker
from wellsourced.text.plain_text import visible
from wellsourced.tool.call import Call
from wellsourced.tool.result import Answer, encode

DETAIL_LENGTH = 300

logger = logging.getLogger(__name__)


class Failures:
    def __init__(self, masker: Masker) -> None:
        self._masker = masker

    async def __call__(self, call: Call, go_on: GoOn) -> Answer:
        try:
            return await go_on(call)
        except WellsourcedError as error:
            return Answer(error_text=envelope(error, self._masker), error_kind=error.kind)
        except Exception as error:  # nothing may leave as a traceback
            logger.error("%s failed", call.tool.name, exc_info=error)
            return Answer(error_text=envelope(bug(call, error), self._masker), error_kind="upstream_unavailable")


def envelope(error: WellsourcedError, masker: Masker) -> str:
    """Bad input is told in plain words; everything else carries fields a program can branch on.

    Texts are masked before they are cut or quoted: half a key would stay, and a quotation mark might not. What a
    site said may be among them, so nothing stays that nobody can see.
    """
    sentence = visible(masker.mask(error.sentence))
    if isinstance(error, BadInput):
        return sentence
    return f"{sentence}\n\n{encode({'error': fields(error, masker)}).decode()}"


def fields(error: WellsourcedError, masker: Masker) -> dict[str, Any]:
    told: dict[str, Any] = {"kind": error.kind, "retryable": error.retryable}
    wait = error.retry_after if error.retry_after is not None else error.default_wait
    if error.retryable and wait:
        told["retryAfterSeconds"] = math.ceil(wait)
    told["suggestedAction"] = error.action
    if error.provider:
        told["provider"] = error.provider
    if error.alternatives:
        told["alternatives"] = list(error.alternatives)
    if error.detail:
        told["detail"] = visible(masker.mask(error.detail))[:DETAIL_LENGTH]
    if isinstance(error, SessionNotFound) and error.last_known_step is not None:
        told["recoveryHint"] = {"lastKnownStep": error.last_known_step, "canResume": False}
    return told


def bug(call: Call, error: Exception) -> WellsourcedError:
    """Our own mistake: said as such, without the exception's text, which may hold anything."""
    told = WellsourcedError(
        f"{call.tool.name} failed because of a mistake in Wellsourced ({type(error).__name__}), not in the request. "
        "Please report it."
    )
    told.action = "report_bug"
    return told
