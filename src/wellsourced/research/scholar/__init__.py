"""Papers, citations and patents."""
