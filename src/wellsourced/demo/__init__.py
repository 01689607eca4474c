"""The demo: a whole research job, done by the real server on a small web of its own, without a key or a network.

    run = DemoRun()
    async for event in run.events(): ...
    await run.close()

`DemoStand` is the same for a server that lets its visitors start it. Everything on the sample web is invented.
"""

from wellsourced.demo.event import Event
from wellsourced.demo.run import DemoRun
from wellsourced.demo.shared_run import DemoStand

__all__ = ["DemoRun", "DemoStand", "Event"]
