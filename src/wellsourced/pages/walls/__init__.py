"""Recognising pages that stand in the way of content: challenges, logins, consent, paywalls, missing pages."""
