"""How often somebody may call, counted here or together over Redis."""
