"""Everything that was read, kept and searchable: the connector tools `search` and `fetch`."""
