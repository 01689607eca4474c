"""From an address, or a question, to pages."""
