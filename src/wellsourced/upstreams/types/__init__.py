"""What upstreams are asked and what they return."""
