"""What a program says when it could not do it."""

from __future__ import annotations

from typing import Any

AUTH_MISSING = "AUTH_MISSING"
AUTH_INVALID = "AUTH_INVALID"
RATE_LIMIT = "RATE_LIMIT"
NETWORK_ERROR = "NETWORK_ERROR"
API_ERROR = "API_ERROR"
HTTP_ERROR = "HTTP_ERROR"
PARSE_ERROR = "PARSE_ERROR"
INVALID_URL = "INVALID_URL"


class Failure(Exception):
    """`event` goes to stderr, for the person who has to configure something."""

    def __init__(self, sentence: str, code: str, event: dict[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.code = code
        self.event = event

    def answer(self) -> dict[str, Any]:
        return {"success": False, "error": self.sentence, "error_code": self.code}
