"""Starting a worker process. Loads little, so that one can be started before the rest of the server is loaded."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import wellsourced
from wellsourced.errors import WellsourcedError

MEMORY_BYTES = 2**30
SOURCE_FOLDER = str(Path(wellsourced.__file__).resolve().parent.parent)
INHERITED_VARIABLES = (
    "PATH",
    "LANG",
    "LC_ALL",
    "HOME",
    "SYSTEMROOT",
    "USERPROFILE",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "PYTHONHOME",
)


async def start_process(memory_bytes: int = MEMORY_BYTES, *duties: str) -> asyncio.subprocess.Process:
    """A fresh worker, which loads what its duties need while it waits for its first call.

    It gets no secrets: only the variables that Python itself needs.
    """
    environment = {name: os.environ[name] for name in INHERITED_VARIABLES if name in os.environ}
    environment |= {"PYTHONPATH": SOURCE_FOLDER, "PYDANTIC_DISABLE_PLUGINS": "__all__"}
    try:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "wellsourced.sandbox.worker",
            str(memory_bytes),
            str(os.getpid()),
            *duties,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
    except OSError as problem:
        raise WellsourcedError("No process for reading documents could be started.", detail=str(problem)) from None
