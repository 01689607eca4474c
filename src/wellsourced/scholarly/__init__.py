"""Papers and patents: `academic_search`, `citation_graph`, `paper_fulltext`, `patent_search`."""
