"""Sign-in over HTTP: an OAuth 2.1 resource server that accepts the tokens of one issuer."""
