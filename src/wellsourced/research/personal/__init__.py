"""What is kept of people, as use-cases: consent first, then memory, workspaces and counts; export and erasure."""
