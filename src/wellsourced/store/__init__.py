"""The only room that touches disk."""
