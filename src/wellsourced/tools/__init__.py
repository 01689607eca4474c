"""One MCP tool a file: an Input, an Output and a short `run`."""
