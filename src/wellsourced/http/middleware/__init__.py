"""The ASGI middleware between the network and the MCP endpoint, one concern a file; `http/server.py` has the order."""
