"""Job objects of Windows: limits for a process, and its end with ours. pywin32 comes with the `mcp` package there."""

from __future__ import annotations

import os
from typing import Any

SET_QUOTA_AND_TERMINATE = 0x0101


def limit_this_process(memory_bytes: int) -> Any:
    """No more memory than this and no child processes; what is returned has to be kept."""
    return _assign(
        os.getpid(),
        ("JOB_OBJECT_LIMIT_PROCESS_MEMORY", "JOB_OBJECT_LIMIT_ACTIVE_PROCESS"),
        memory_bytes=memory_bytes,
        processes=1,
    )


def end_with_this_process(process: int) -> Any:
    """The other process, with all that it starts, ends when the last handle on the job is closed: at our own end."""
    return _assign(process, ("JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE",))


def _assign(process: int, flags: tuple[str, ...], memory_bytes: int = 0, processes: int = 0) -> Any:
    import win32api  # type: ignore[import-untyped,unused-ignore]
    import win32job  # type: ignore[import-untyped,unused-ignore]

    job = win32job.CreateJobObject(None, "")
    kind = win32job.JobObjectExtendedLimitInformation
    limits = win32job.QueryInformationJobObject(job, kind)
    limits["ProcessMemoryLimit"] = memory_bytes
    basic = limits["BasicLimitInformation"]
    basic["ActiveProcessLimit"] = processes
    basic["LimitFlags"] = sum(getattr(win32job, flag) for flag in flags)
    win32job.SetInformationJobObject(job, kind, limits)
    win32job.AssignProcessToJobObject(job, win32api.OpenProcess(SET_QUOTA_AND_TERMINATE, False, process))
    return job
