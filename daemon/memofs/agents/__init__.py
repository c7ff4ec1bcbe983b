"""What MemoFS knows of coding agents: the files that set them up, the hooks they run, the record of their sessions.

It stands between the front ends (cli, mcp) and the link: rendering is pure, reading and writing files is at its edge.
"""
