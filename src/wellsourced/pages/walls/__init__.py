"""Pages that stand in the way of content, told for what they are."""
