"""English plurals, taken off. A stem is compared and never shown, so it need not be a word.

Invariant: the singular and the plural of a regular noun have one stem (`policy`, `policies`; `branch`, `branches`;
`cache`, `caches`). No other ending is touched.
"""

__all__ = ["stem"]


def stem(word: str) -> str:
    """Return lower-case `word` without its plural ending; words under four letters or beyond a–z are left alone.

    Source: the S-stemmer of D. Harman, "How effective is suffixing?", JASIS 42 (1991), pp. 7–15, with the endings
    after a sibilant (-xes, -ches, -sses) and -ie told apart, which it conflates wrongly.
    """
    if len(word) < 4:
        return _SHORT.get(word, word)
    last = word[-1]
    if last not in "se" or not word.isascii() or not word.isalpha():
        return word
    if last == "e":
        return _singular_in_e(word)
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith(("ss", "us")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    return word[:-1]


# Plurals of the abbreviations of the trade that are too short for the rule.
_SHORT = {"dbs": "db", "ids": "id", "ips": "ip", "prs": "pr", "uis": "ui", "vms": "vm"}

_IRREGULAR = {
    "aliases": "alia",  # the stem of "alias"
    "buses": "bus",
    "indices": "index",
    "matrices": "matrix",
    "statuses": "status",
    "vertices": "vertex",
    "viruses": "virus",
}


def _singular_in_e(word: str) -> str:
    """Return a singular in -e as its plural is stemmed: `cache` as `caches`, `cookie` as `cookies`."""
    if word.endswith("ie"):
        return word[:-2] + "y" if len(word) > 4 else word
    if word.endswith(("xe", "ze", "che", "she")):
        return word[:-1]
    return word
