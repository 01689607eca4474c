"""Starts our processes quickly: forked from one that has imported the whole package already.

Starting the command cold costs half a second of a processor, the HTTP server one and a half, and the tests start
hundreds. A cold start is tested where it matters: in `tests/mcp/`, `tests/http/`, `tests/test_main.py`,
`tests/cli/test_main.py`, `tests/docs/`, `tests/demo/` and `tests/bench/`. With COLD=1 in the environment everything is
started cold.
"""
