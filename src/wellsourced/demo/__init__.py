"""The demo: a whole research job, done by the real server on a small web of its own, without a key or a network.

    run = DemoRun()
    async for event in run.events(): ...
    await run.close()

`SharedDemo` is the same for a server that lets its visitors start it. Everything on the sample web is invented.
"""

from wellsourced.demo.run import DemoEvent, DemoRun, SharedDemo

__all__ = ["DemoEvent", "DemoRun", "SharedDemo"]
