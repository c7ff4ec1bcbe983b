"""Text and what is read out of it: words, lines, positions, sections, passages. Pure."""
