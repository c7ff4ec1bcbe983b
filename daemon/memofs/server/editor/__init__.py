"""Editors: LSP through pygls, fenced in session.py, and one module a feature."""
