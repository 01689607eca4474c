"""Bibliography formats, reference parsing, citation styles, and comparing a citation with its record."""
