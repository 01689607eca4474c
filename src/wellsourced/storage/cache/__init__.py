"""Answers worth keeping, in memory and behind it on disk or in Redis."""
