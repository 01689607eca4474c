"""The demo, as its visitors meet it."""
