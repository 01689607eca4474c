"""The library's documents and their full-text index, in SQLite or PostgreSQL."""
