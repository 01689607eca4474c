"""Research sessions: `sequential_search`, `get_research_session`, `research_export`."""
