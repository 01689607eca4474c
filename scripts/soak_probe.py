"""The server as always, that on SIGUSR1 writes how many tasks it has under way into the file named by SOAK_PROBE."""

from __future__ import annotations

import gc
import os
import signal
import sys
from pathlib import Path


def count_tasks(number: int, frame: object) -> None:
    asyncio = sys.modules.get("asyncio")
    tasks = [task for task in gc.get_objects() if asyncio and isinstance(task, asyncio.Task) and not task.done()]
    place = Path(os.environ["SOAK_PROBE"])
    place.with_suffix(".new").write_text(str(len(tasks)))
    place.with_suffix(".new").rename(place)


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, count_tasks)
    from wellsourced.main import main

    sys.exit(main())
