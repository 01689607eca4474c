"""The demo, from the outside."""
