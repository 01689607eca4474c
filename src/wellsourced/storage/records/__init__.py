"""One record store with three backends: memory, SQLite and Redis."""
