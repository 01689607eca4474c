"""A company as its own pages show it: name, logos, colours, fonts, voice. The tool `brand_research`."""
