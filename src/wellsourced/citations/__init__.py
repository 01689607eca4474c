"""References parsed, checked against the record, and written out.

Tools: `verify_citation`, `audit_bibliography`, `format_bibliography`, `archive_source`.
"""
