"""The page in HTTP mode."""
