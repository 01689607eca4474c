"""The only room that opens an outward connection."""
