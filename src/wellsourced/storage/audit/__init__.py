"""The audit log: a chain of hashed lines with a sealed head beside it."""
