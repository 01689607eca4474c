"""Statistics, filings and other figures: formats they come in, and names they go by."""
