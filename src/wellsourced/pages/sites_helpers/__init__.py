"""Formats that only well-known sites use."""
