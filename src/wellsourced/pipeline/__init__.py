"""What happens around every tool call, one concern a file."""
