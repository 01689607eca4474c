"""What a text says about a claim, what kind of source it is, and how good it is. Nothing here uses the network."""
