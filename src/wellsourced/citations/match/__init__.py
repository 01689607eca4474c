"""Whether a citation and a record are the same work, field by field."""
