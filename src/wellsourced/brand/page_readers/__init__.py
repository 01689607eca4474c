"""What a page shows of a brand: colours, fonts, logos, identity, voice. Only what stands there; nothing is guessed."""
