"""What a tool is, the call it is handed, and the answer it gives."""
