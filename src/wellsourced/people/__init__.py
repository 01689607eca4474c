"""What is kept of people who agreed to it: consent, memory, workspaces, usage, and the erasure of all of it."""
