"""Web pages: ways to fetch one, walls recognised, HTML read into markdown. The tool `scrape_page`."""
