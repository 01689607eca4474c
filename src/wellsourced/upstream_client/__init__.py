"""Holds the conversations that upstreams describe: choosing one, pace, breaker, retries, failure messages."""
