"""Property tests are not timed: a loaded machine is no failure."""

from hypothesis import settings

settings.register_profile("memofs", deadline=None)
settings.load_profile("memofs")
