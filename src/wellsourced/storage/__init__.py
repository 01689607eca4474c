"""The only package that keeps anything: on disk, in Redis or in PostgreSQL."""
