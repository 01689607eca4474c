"""Primary sources: filings, court opinions, statistics, clinical trials and places."""
