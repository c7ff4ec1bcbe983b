"""What the commands print for people: pure functions from a wire result and a `Style` to text."""
