"""What a brand looks and sounds like, from its own pages."""
