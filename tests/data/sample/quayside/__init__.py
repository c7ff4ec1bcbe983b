"""Quayside: berth booking for small harbours. `api.handle` is the way in, `python -m quayside demo` shows it."""
