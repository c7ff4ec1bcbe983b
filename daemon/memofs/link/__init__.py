"""How a client reaches the daemon of its workspace. Plain sockets, no asyncio: a client must start fast."""
