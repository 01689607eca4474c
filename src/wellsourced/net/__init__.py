"""The only package that opens an outward connection: address guard, HTTP client, rate limits, breaker, browser."""
