"""Web, image and news search, and search with reading.

Tools: `web_search`, `image_search`, `news_search`, `search_and_scrape`.
"""
