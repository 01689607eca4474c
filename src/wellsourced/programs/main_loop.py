"""How every program begins and ends: `--schema`, `--help`, the request on stdin, the answer on stdout.

Nothing is imported at the top but what a bare interpreter has loaded anyway.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing `typing` would cost as much as the rest of the start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LONGEST_REQUEST = 1_000_000


def program(name: str, schema: str, answer: Callable[[dict[str, Any]], dict[str, Any]], bad_request: str) -> int:
    """The exit status: 0 answered, 1 failed, 2 called with arguments that do not exist, 130 interrupted."""
    arguments = sys.argv[1:]
    if arguments == ["--schema"]:
        return _write(sys.stdout, schema)
    if arguments == ["--help"] or arguments == ["-h"]:
        return _write(sys.stdout, f"{name} --schema prints what it takes; {name} < request.json answers.\n")
    if arguments:
        return _write(sys.stderr, f"{name}: only --schema and --help are known; the request comes on stdin.\n", 2)
    try:
        return _respond(answer, bad_request)
    except KeyboardInterrupt:
        return 130


def _respond(answer: Callable[[dict[str, Any]], dict[str, Any]], bad_request: str) -> int:
    import json

    from wellsourced.programs.program_error import Failure

    try:
        told = {"success": True, **answer(_request(bad_request))}
    except Failure as failure:
        if failure.event:
            _write(sys.stderr, json.dumps(failure.event, ensure_ascii=False) + "\n")
        told = failure.answer()
    line = json.dumps(told, ensure_ascii=False) + "\n"
    return _write(sys.stdout, line, 0 if told["success"] else 1)


def _request(bad_request: str) -> dict[str, Any]:
    import json

    from wellsourced.programs.program_error import Failure

    raw = sys.stdin.buffer.read(LONGEST_REQUEST + 1) if sys.stdin and not sys.stdin.isatty() else b""
    if not raw.strip():
        raise Failure('No request on stdin; give a JSON object, see "--schema".', bad_request)
    if len(raw) > LONGEST_REQUEST:
        raise Failure(f"The request is longer than {LONGEST_REQUEST:,} bytes.", bad_request)
    try:
        request = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise Failure("The request on stdin is not valid JSON.", bad_request) from None
    if not isinstance(request, dict):
        raise Failure("The request must be a JSON object.", bad_request)
    return request


def _write(stream: Any, text: str, status: int = 0) -> int:
    """Bytes, so that no locale can spoil them; a lone surrogate becomes a question mark."""
    if stream is not None:
        try:
            stream.buffer.write(text.encode("utf-8", "replace"))
            stream.buffer.flush()
        except OSError:
            return _unheard(stream)
    return status


def _unheard(stream: Any) -> int:
    """Whoever read our output has gone, or the disk is full; nothing more may be written, not even at the end."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return 1
