"""What the operating system says about this process."""

import resource
import sys
from pathlib import Path

__all__ = ["rss_bytes"]


def rss_bytes() -> int:
    """The memory that is resident now; where the system does not tell, the most that ever was."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
