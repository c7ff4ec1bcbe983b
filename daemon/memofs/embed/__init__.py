"""Vectors for texts, and scores for pairs: a local model in a process of its own, or a provider over HTTP.

`protocol` says what a caller sees; `choose` opens what the settings name; everything else is behind those two.
"""
