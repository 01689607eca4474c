"""Formats and small look-ups that upstream modules share."""
