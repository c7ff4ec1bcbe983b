"""The MCP server: a thin client of the daemon that speaks MCP with agents. It loads neither model nor index."""
