"""Personal records by kind, over the record store."""
