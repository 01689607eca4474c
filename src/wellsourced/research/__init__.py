"""The use-cases: the only room that combines providers, reading, text and stores."""
