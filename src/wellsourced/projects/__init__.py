"""Lasting research: projects, what was read for them as it came, receipts for quotations, and what changed since."""
