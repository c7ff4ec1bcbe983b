"""What lies here is data: the sample program's own tests are run by tests/unit/test_sample.py, from its folder."""

collect_ignore_glob = ["*"]
