"""What a process and all that descend from it have used and hold, as Linux tells it."""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from pathlib import Path

from tests.drills.processes import family

TICKS = os.sysconf("SC_CLK_TCK")
REAPED = slice(13, 15)
"""Where `stat` has the ticks of children that ended, counted from after the name."""
MAPPING = re.compile(r"^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+ *(.*)$|^(Rss|Anonymous): +(\d+) kB$", re.M)
"""In `smaps`: what a mapping is of, and how many of its pages are resident, those no file has among them."""


def processor_seconds(root: int) -> float:
    """Of the whole tree, with children that have ended."""
    return sum(_own_seconds(process) + _reaped_seconds(process) for process in family(root))


def _own_seconds(process: int) -> float:
    """To the nanosecond: Linux has a clock for each process, whose number follows from the process's."""
    try:
        return time.clock_gettime((~process << 3) | 2)
    except OSError:
        return 0.0


def _reaped_seconds(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[REAPED])) / TICKS


def resident_megabytes(root: int) -> float:
    return sum(map(_resident, family(root)))


def _resident(process: int) -> float:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


def megabytes_without_doubles(root: int) -> float:
    """Resident memory of the tree in which pages of files, which its processes share, count once."""
    of_none, of_files = 0, Counter[str]()
    for process in family(root):
        anonymous, held = _pages_by_file(process)
        of_none += anonymous
        of_files |= held
    return (of_none + of_files.total()) / 1024


def _pages_by_file(process: int) -> tuple[int, Counter[str]]:
    """KiB that belong to no file, and KiB of each file."""
    try:
        told = Path(f"/proc/{process}/smaps").read_text()
    except OSError:
        return 0, Counter()
    anonymous, held, name = 0, Counter[str](), ""
    for file, figure, kilobytes in MAPPING.findall(told):
        if not figure:
            name = file
        elif figure == "Rss":
            held[name] += int(kilobytes)
        else:
            anonymous += int(kilobytes)
            held[name] -= int(kilobytes)
    return anonymous, held
