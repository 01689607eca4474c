"""What web-search-brave-tool takes, as `--schema` prints it: the contract's text to the letter."""

SCHEMA = """{
  "name": "web_search_brave",
  "description": "Search the web using Brave Search API and use the results to inform responses. Provides up-to-date information for current events and recent data. Returns search result information formatted as search result blocks, including links as markdown hyperlinks.",
  "parameters": {
    "type": "object",
    "properties": {
      "query": {
        "type": "string",
        "description": "The search query to use",
        "minLength": 2
      },
      "count": {
        "type": "integer",
        "description": "Number of results to return (1-20)",
        "minimum": 1,
        "maximum": 20,
        "default": 10
      },
      "offset": {
        "type": "integer",
        "description": "Result offset for pagination",
        "minimum": 0,
        "default": 0
      },
      "allowed_domains": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "Only include search results from these domains"
      },
      "blocked_domains": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "Never include search results from these domains"
      }
    },
    "required": ["query"]
  }
}
"""  # noqa: E501
