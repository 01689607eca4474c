"""For a server that another program has started: it ends when that program does, however that ended."""

from __future__ import annotations

import os
import signal
import threading

CHUNK = 4096


def end_with_input() -> None:
    """From now on the end of stdin, whose other side closes with the program that holds it, is a SIGTERM."""
    threading.Thread(target=_watch, name="leash", daemon=True).start()


def _watch() -> None:
    while os.read(0, CHUNK):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
