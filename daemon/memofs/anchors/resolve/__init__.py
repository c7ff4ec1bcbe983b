"""Finding a region of an old text again in a new one, step by step; each module is one step."""
