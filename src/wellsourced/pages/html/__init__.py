"""HTML to a `Page`: decode, parse, remove what cannot be seen, choose the content, write markdown."""
