"""The types and the method table of every `memofs/*` request. Imports msgspec and nothing else."""
