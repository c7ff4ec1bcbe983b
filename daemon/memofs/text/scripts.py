"""Which characters write words without spaces between them, and which marks belong to a word, as regex classes."""

from typing import Final

__all__ = ["INDIC", "UNSPACED"]

UNSPACED: Final = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf"  # Thai, Lao
    "\u1000-\u103f\u1050-\u109f\u1780-\u17d3"  # Myanmar, Khmer
    "\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff"  # Hangul
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # kana
    "\u3105-\u312f\u31a0-\u31bf"  # bopomofo
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\U00020000-\U0003ffff"
)
"""Scripts whose words are not spaced, and Hangul, whose particles are glued to them: read as bigrams."""

INDIC: Final = "\u0900-\u0963\u0966-\u0dff\u0f18-\u0fbc"
"""Scripts whose vowel signs are marks, which the regex class of word characters leaves out."""
