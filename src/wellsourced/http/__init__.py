"""The HTTP server around the MCP endpoint: middleware, sign-in, administration, health and metrics."""
