"""One record store with two backends: SQLite and Redis."""
