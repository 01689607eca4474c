"""PresentationML, piece by piece: shapes and charts."""
