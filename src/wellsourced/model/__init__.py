"""The frozen nouns that cross rooms."""
