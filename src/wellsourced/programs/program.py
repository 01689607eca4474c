"""What every program does: `--schema`, `--help`, the request on stdin, the answer on stdout.

Nothing is imported at the top but what a bare interpreter has loaded anyway.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing `typing` would cost as much as the rest of the start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# A request is one query or one address; a caller that sends more has made a mistake.
LONGEST_REQUEST = 1_000_000

# The error codes of the contract.
AUTH_MISSING = "AUTH_MISSING"
AUTH_INVALID = "AUTH_INVALID"
RATE_LIMIT = "RATE_LIMIT"
NETWORK_ERROR = "NETWORK_ERROR"
API_ERROR = "API_ERROR"
HTTP_ERROR = "HTTP_ERROR"
PARSE_ERROR = "PARSE_ERROR"
INVALID_URL = "INVALID_URL"


class ProgramError(Exception):
    """A failed request with the contract's code. `event` goes to stderr, for the person who has to configure it."""

    def __init__(self, sentence: str, code: str, event: dict[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.code = code
        self.event = event

    def answer(self) -> dict[str, Any]:
        return {"success": False, "error": self.sentence, "error_code": self.code}


def run_program(name: str, schema: str, answer: Callable[[dict[str, Any]], dict[str, Any]], bad_request: str) -> int:
    """Answer one request; return 0, or 1 for a failure, 2 for unknown arguments, 130 for an interrupt."""
    arguments = sys.argv[1:]
    if arguments == ["--schema"]:
        return _write(sys.stdout, _read_schema(schema))
    if arguments == ["--help"] or arguments == ["-h"]:
        return _write(sys.stdout, f"{name} --schema prints what it takes; {name} < request.json answers.\n")
    if arguments:
        return _write(sys.stderr, f"{name}: only --schema and --help are known; the request comes on stdin.\n", 2)
    try:
        return _respond(answer, bad_request)
    except KeyboardInterrupt:
        return 130


def _read_schema(name: str) -> str:
    """The contract's text to the letter. By hand: `wellsourced.data` imports more than the rest of the start."""
    import os

    folder = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120
    with open(f"{folder}/data/programs/{name}.json", encoding="utf-8") as file:  # noqa: PTH123
        return file.read()


def _respond(answer: Callable[[dict[str, Any]], dict[str, Any]], bad_request: str) -> int:
    import json

    try:
        response = {"success": True, **answer(_read_request(bad_request))}
    except ProgramError as failure:
        if failure.event:
            _write(sys.stderr, json.dumps(failure.event, ensure_ascii=False) + "\n")
        response = failure.answer()
    line = json.dumps(response, ensure_ascii=False) + "\n"
    return _write(sys.stdout, line, 0 if response["success"] else 1)


def _read_request(bad_request: str) -> dict[str, Any]:
    import json

    raw = sys.stdin.buffer.read(LONGEST_REQUEST + 1) if sys.stdin and not sys.stdin.isatty() else b""
    if not raw.strip():
        raise ProgramError('No request on stdin; give a JSON object, see "--schema".', bad_request)
    if len(raw) > LONGEST_REQUEST:
        raise ProgramError(f"The request is longer than {LONGEST_REQUEST:,} bytes.", bad_request)
    try:
        request = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise ProgramError("The request on stdin is not valid JSON.", bad_request) from None
    if not isinstance(request, dict):
        raise ProgramError("The request must be a JSON object.", bad_request)
    return request


def _write(stream: Any, text: str, status: int = 0) -> int:
    """Bytes, so that no locale can spoil them; a lone surrogate becomes a question mark."""
    if stream is not None:
        try:
            stream.buffer.write(text.encode("utf-8", "replace"))
            stream.buffer.flush()
        except OSError:
            return _discard_output(stream)
    return status


def _discard_output(stream: Any) -> int:
    """Send the rest of the output nowhere: its reader has gone, or the disk is full.

    Otherwise Python would try to flush the stream at exit, and print a traceback.
    """
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return 1
