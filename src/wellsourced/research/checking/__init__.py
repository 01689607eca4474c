"""Whether a source can be relied on."""
