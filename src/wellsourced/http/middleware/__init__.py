"""What stands between the network and the MCP app: connections, doors, drain, health."""
