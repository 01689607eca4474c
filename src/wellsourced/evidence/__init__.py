"""What a text says about a claim, what kind of source it is, and how good. The tool `verify_recommendation`."""
