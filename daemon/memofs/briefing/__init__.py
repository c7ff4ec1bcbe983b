"""Briefings: what an agent needs for a task, packed under a budget, and how to get what was left out. Pure."""
