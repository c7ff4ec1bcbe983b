"""The edge that speaks: connections, and one protocol-neutral function for every request."""
