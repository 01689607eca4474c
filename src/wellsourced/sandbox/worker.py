"""A worker process: takes on its limits, then answers one call after the other until its input ends."""

from __future__ import annotations

import os
import sys
from typing import BinaryIO

from wellsourced.documents.document import Unreadable
from wellsourced.errors import WellsourcedError
from wellsourced.process import give_back_memory, keep_some_memory, leave_out_plugins
from wellsourced.sandbox import READY_FOR_PAGES
from wellsourced.sandbox.frames import (
    PREFIX,
    in_pieces,
    part_lengths,
    refusal_answer,
    result_answer,
    unpack_call,
)
from wellsourced.sandbox.limits import end_with_parent, give_way, held_memory, limit_resources, limit_time
from wellsourced.system import is_input_waiting, widen_pipe

LARGEST_CALL = 256 * 2**20
READ_AT_ONCE = 2**16
ANSWER_BYTES = 2**20
"""Of an answer that can be written before the server has time to read it, so that the next page is not kept waiting."""
QUIET_SECONDS = 1.0
"""How long nothing has to come before memory is given back: the next call would only take it anew."""
DAMAGED = "The document is damaged in a way that its reader does not understand."
TOO_LARGE = "The document needs more memory than a reader may use, so it was not read."


def serve(memory_bytes: int, parent: int, *duties: str) -> None:
    """Answer calls on standard input until it ends; what is to be loaded for them is loaded before the first."""
    source, sink = os.fdopen(os.dup(0), "rb", READ_AT_ONCE), os.fdopen(os.dup(1), "wb")
    _detach_standard_streams()
    widen_pipe(sink.fileno(), ANSWER_BYTES)
    end_with_parent(parent)
    give_way()
    keep_some_memory()
    limit_resources(memory_bytes)
    leave_out_plugins()
    if READY_FOR_PAGES in duties:
        get_ready_for_pages()
    while _serve_call(source, sink):
        if not is_input_waiting(source.fileno(), QUIET_SECONDS):
            give_back_memory()


def get_ready_for_pages() -> None:
    from wellsourced.sandbox import reading

    reading.get_ready_for_pages()


def _detach_standard_streams() -> None:
    """Libraries that print must not write into an answer."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(null, stream)
    os.close(null)


def _serve_call(source: BinaryIO, sink: BinaryIO) -> bool:
    """Answer one call; False when there are no more, or this process is not fit for another."""
    call = _read_call(source)
    if call is None:
        return False
    answer, is_fit = _answer_call(call)
    limit_time(0)
    for part in in_pieces(answer):
        sink.write(part)
    sink.flush()
    return is_fit


def _read_call(source: BinaryIO) -> list[bytes] | None:
    """The parts of the next call; None at the end of the input."""
    try:
        (count,) = part_lengths(_read_exactly(source, PREFIX))
        lengths = part_lengths(_read_exactly(source, PREFIX * count))
        return [_read_exactly(source, length) for length in lengths] if sum(lengths) <= LARGEST_CALL else None
    except EOFError:
        return None


def _read_exactly(source: BinaryIO, length: int) -> bytes:
    data = source.read(length)
    if len(data) < length:
        raise EOFError
    return data


def _answer_call(call: list[bytes]) -> tuple[list[bytes], bool]:
    """The answer, and whether this process is fit for another call."""
    try:
        function, arguments, seconds = unpack_call(call)
        limit_time(seconds)
        return result_answer(function(*arguments), held_memory()), True
    except WellsourcedError as refusal:
        return refusal_answer(refusal, held_memory()), True
    except MemoryError:
        return refusal_answer(Unreadable(TOO_LARGE), held_memory()), False
    except Exception as problem:  # noqa: BLE001 - whatever a parser throws at hostile bytes must become a sentence
        detail = f"{type(problem).__name__}: {problem}"[:300]
        return refusal_answer(Unreadable(DAMAGED, detail=detail), held_memory()), False


if __name__ == "__main__":
    serve(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
