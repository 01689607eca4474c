"""Administration over HTTP, behind the operator's key."""
