"""Filings at the SEC: which of their lines are headings, and the figures they carry for machines."""
