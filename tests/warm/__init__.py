"""Processes of ours that are warm from the first moment: forked from one that has imported the house already.

Starting the command cold costs half a second of a processor, the HTTP server one and a half, and the tests start
hundreds. What a cold start does is tried where it matters: in `tests/server/` (`test_front.py`, and a start each of
`test_stdio.py` and `test_http.py`), `tests/cli/test_main.py`, `tests/docs/`, `tests/demo/` and `tests/bench/`.
With COLD=1 in the environment everything is started cold.
"""
