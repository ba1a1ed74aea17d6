"""The shared cache in Redis, and what happens while Redis is away."""
