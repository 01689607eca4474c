"""Identifiers, titles and dates of papers and patents."""
