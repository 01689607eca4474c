"""Headless Chromium: started, fenced in by an egress proxy, and asked for rendered pages."""
