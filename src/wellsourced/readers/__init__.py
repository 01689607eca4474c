"""Bytes into pages and documents, one format a file."""
