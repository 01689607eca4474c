"""Web pages: fetched by ever dearer means, told from walls, and read into markdown. The tool `scrape_page`."""
