"""Property tests are not timed, since a loaded machine is no failure; CI tries the same examples at every run.

New examples are for people's machines, where a find can be looked at; a landing must not depend on a draw.
"""

import os

from hypothesis import settings

settings.register_profile("memofs", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("memofs")
