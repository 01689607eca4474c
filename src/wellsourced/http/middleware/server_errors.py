"""Turns an exception that nothing else caught into a logged error and a 500 with a sentence."""

from __future__ import annotations

import logging

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MISTAKE = "The request failed because of a mistake in Wellsourced, not in the request. Please report it."

logger = logging.getLogger(__name__)


class ServerErrorMiddleware:
    """Starlette's own would answer, too, but raise the exception again, and uvicorn would log it a second time."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_started = False

        async def watched_send(message: Message) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        try:
            await self._app(scope, receive, watched_send)
        except Exception as error:  # no traceback may reach the caller
            logger.error("%s %s failed", scope["method"], scope["path"], exc_info=error)
            if not has_started:
                await PlainTextResponse(MISTAKE, 500)(scope, receive, send)
