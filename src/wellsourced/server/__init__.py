"""Transports and everything that speaks MCP."""
