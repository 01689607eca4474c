"""WordprocessingML, piece by piece: runs, numbering, blocks and notes."""
