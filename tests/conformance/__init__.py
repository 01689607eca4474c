"""The official MCP conformance suite, run against our server constructor with the suite's own fixtures.

`install.sh` fetches Node and the suite into `.tools`, `suite.py` finds and runs them, `serve.py` is the server
under test, and the `fixture_*` modules hold what the suite expects a server to offer.
"""
