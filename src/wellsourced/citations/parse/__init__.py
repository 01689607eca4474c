"""References in free text, taken apart."""
