"""Research sessions: steps, sources, coverage, export."""
