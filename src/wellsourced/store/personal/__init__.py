"""What is kept of people: consents, memories, workspaces, counts of calls. Sealed wherever it rests."""
