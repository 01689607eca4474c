"""What a text says of a claim, how good a source is, and of what kind."""
