"""Bibliography files: BibTeX, RIS and CSL-JSON, read into references."""
