"""What holds of every text that is read."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from memofs.text.analyzer import WHOLE, WORD, document_terms, find_terms, query_words, words
from memofs.text.fold import fold, fold_with_offsets
from memofs.text.plural import stem
from memofs.text.stop_words import STOP_WORDS

ODD = "aA1bs._-/\\'’+#,:  \n\u0301\u3099éßİﬁ…™\u00ad缓存が한ไทह\u093f😀%"
"""Characters that the rules are about, so that short texts meet them together."""

TEXTS = st.text(max_size=60) | st.text(ODD, max_size=40) | st.from_regex(r"[a-zA-Z0-9_./'-]{1,30}", fullmatch=True)


@given(TEXTS)
def test_folding_says_where_everything_comes_from(text: str) -> None:
    folded = fold_with_offsets(text)
    assert folded.text == fold(text)
    assert len(folded.starts) == len(folded.ends) == len(folded.text)
    before = 0
    for start, end in zip(folded.starts, folded.ends, strict=True):
        assert before <= start < end <= len(text)
        before = start


@given(TEXTS)
def test_normal_forms_read_alike(text: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert [word.term for word in words(composed)] == [word.term for word in words(decomposed)]


@given(TEXTS)
def test_words_lie_in_the_text(text: str) -> None:
    found = words(text)
    for word in found:
        assert word.term
        assert 0 <= word.start < word.end <= len(text)
    starts = [word.start for word in found if word.role != WHOLE]
    assert starts == sorted(starts)


@given(TEXTS)
def test_a_word_is_read_where_it_stands(text: str) -> None:
    """The original text at a word's offsets, read by itself, has that word."""
    for word in words(text):
        alone = {other.term for other in words(text[word.start : word.end])}
        assert word.term in alone or word.role != WORD


@given(TEXTS)
def test_every_word_of_a_document_finds_it(text: str) -> None:
    # A sign that stands for several characters (㏠ is 1日) cannot be asked for in part.
    text = "".join(character for character in text if len(unicodedata.normalize("NFKC", character)) == 1)
    terms = {term for term, _ in document_terms(text)}
    for word in words(text):
        if word.term not in STOP_WORDS:
            assert word.term in terms
            asked = {other.term for other in query_words(text[word.start : word.end])}
            assert not asked.isdisjoint(terms)


@given(st.from_regex(r"[a-zA-Z0-9_./'-]{1,30}", fullmatch=True))
def test_case_never_hides_a_document(text: str) -> None:
    for written in (text.lower(), text.upper()):
        asked = {word.term for word in query_words(written)} - STOP_WORDS
        terms = {term for term, _ in document_terms(text)}
        assert not asked or not terms or not asked.isdisjoint(terms)


@given(TEXTS)
def test_documents_and_queries_agree(text: str) -> None:
    asked = {word.term for word in query_words(text)}
    terms = {term for term, _ in document_terms(text)}
    assert asked <= terms | STOP_WORDS


@given(TEXTS, TEXTS)
def test_terms_are_found_again_in_the_text(text: str, query: str) -> None:
    asked = {word.term for word in query_words(query)}
    found = find_terms(text, asked)
    assert {word.term for word in found} == (asked & {term for term, _ in document_terms(text)})
    assert all(0 <= word.start < word.end <= len(text) for word in found)


@given(st.text(st.characters(min_codepoint=97, max_codepoint=122), max_size=12))
def test_stemming_only_shortens(word: str) -> None:
    assert len(stem(word)) <= len(word)
    assert stem(word)[:1] == word[:1]
