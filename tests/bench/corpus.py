"""A made-up store of memories, and questions about it: the same for everybody who runs a bench.

Invariant: `memories(n)` is a prefix of `memories(m)` for n < m, and both depend on the seed alone. Words follow
the Zipf-Mandelbrot law, so that the vocabulary grows with the store as real ones do: a core of software words, then
names that look like a project's own. Nothing here is anybody's text.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import numpy as np

from memofs.model.memory import KINDS, Anchor, Lines, Memory

__all__ = ["NOW_MS", "Asked", "memories", "queries"]

NOW_MS = 1_800_000_000_000
"""The clock of every bench over this corpus."""

_DAY_MS = 86_400_000
_BLOCK = 500
_VOCABULARY = 60_000
_HEAD = 15.0

_CORE = """
service request response token session cache queue worker handler route schema table index migration tenant user
account invoice payment order cart webhook event stream topic consumer producer broker retry timeout backoff circuit
limit quota metric trace span log alert dashboard deploy release rollback branch commit build test fixture mock
coverage lint format package dependency version upgrade config flag secret key password hash salt signature
certificate permission role policy audit region replica shard partition backup restore snapshot volume bucket object
upload download stream chunk buffer socket connection pool thread process lock mutex semaphore deadlock race
transaction isolation commit latency throughput bandwidth memory leak garbage collector heap stack pointer type
generic interface protocol contract client server gateway proxy balancer cluster node container image registry
pipeline stage artifact report exporter importer parser lexer compiler runtime module plugin extension hook callback
promise future coroutine channel signal state store reducer action component view layout style theme button form
field validation error exception warning failure crash fix patch hotfix regression benchmark profile sample search
query filter sort rank score term document vector embedding model training inference feature label batch epoch
database driver engine adapter repository factory strategy observer visitor iterator decorator middleware pattern
architecture boundary layer domain entity value aggregate command projection saga outbox inbox ledger balance
currency rounding locale translation timezone calendar schedule job cron trigger notification email template
attachment thumbnail preview editor cursor selection document paragraph heading section footnote citation
"""

_GLUE = """
the a of to and in for with on is are we by not from because when so that it be as at this should must never
always only after before instead rather than use keep avoid prefer move add remove change
"""

_ONSETS = "b bl br c cl cr d dr f fl fr g gl gr h j k l m n p pl pr qu r s sc sh sk sl sm sn sp st str t th tr v w z"
_NUCLEI = "a e i o u ai ea ie oa ou"
_CODAS = "b ck d ft g l ll lm ln m mp n nd ng nt p r rd rk rm rn rt s sh sk st t th x"


class Asked(NamedTuple):
    """A question and the memory it was made from; `sort` is words, title, identifier, typo or unknown."""

    text: str
    id: str
    sort: str


def memories(n: int, *, seed: int = 7) -> list[Memory]:
    """`n` memories of 40 to 90 words each, with titles, tags, anchors, dates and a few links between them."""
    words = _vocabulary(seed)
    made: list[Memory] = []
    for block in range(-(-n // _BLOCK)):
        made += _block(block, words, np.random.default_rng([seed, block]))
    return made[:n]


def queries(n: int, *, size: int, seed: int = 7) -> list[Asked]:
    """`n` questions about `memories(size, seed=seed)`, two to eight words each, of every sort."""
    rng = np.random.default_rng([seed, 1_000_003])
    store = memories(size, seed=seed)
    asked: list[Asked] = []
    sorts = ("words", "words", "words", "title", "title", "identifier", "typo", "unknown")
    for number in range(n):
        memory = store[int(rng.integers(size))]
        sort = sorts[number % len(sorts)]
        asked.append(Asked(text=_question(memory, sort, rng), id=memory.id, sort=sort))
    return asked


def _vocabulary(seed: int) -> list[str]:
    rng = np.random.default_rng([seed, 999_983])
    onsets, nuclei, codas = _ONSETS.split(), _NUCLEI.split(), _CODAS.split()
    core = list(dict.fromkeys(_CORE.split()))
    order: list[int] = rng.permutation(len(core)).tolist()
    words = [core[i] for i in order]
    seen = set(words)
    while len(words) < _VOCABULARY:
        syllables = int(rng.integers(2, 5))
        picks: list[int] = rng.integers(0, 10_000, size=3 * syllables).tolist()
        word = "".join(
            onsets[picks[3 * i] % len(onsets)]
            + nuclei[picks[3 * i + 1] % len(nuclei)]
            + (codas[picks[3 * i + 2] % len(codas)] if i == syllables - 1 else "")
            for i in range(syllables)
        )
        if word not in seen:
            seen.add(word)
            words.append(word)
    return words


def _block(block: int, words: list[str], rng: np.random.Generator) -> list[Memory]:
    # Zipf-Mandelbrot with exponent 1, p(rank) ~ 1/(rank + head), is the exponential of a uniform draw.
    lengths = rng.integers(40, 91, size=_BLOCK)
    titles = rng.integers(3, 8, size=_BLOCK)
    total = int(lengths.sum() + titles.sum())
    ranks: list[int] = (_HEAD * (len(words) / _HEAD + 1.0) ** rng.random(total) - _HEAD).astype(np.int64).tolist()
    glue = rng.random(total) < 0.35
    shape = rng.random(total)
    small = _GLUE.split()
    drawn = [
        small[rank % len(small)] if is_glue else _shaped(words, rank, how)
        for rank, is_glue, how in zip(ranks, glue.tolist(), shape.tolist(), strict=True)
    ]
    made: list[Memory] = []
    at = 0
    for row in range(_BLOCK):
        number = block * _BLOCK + row
        title = " ".join(drawn[at : at + int(titles[row])]).capitalize()
        at += int(titles[row])
        body = _prose(drawn[at : at + int(lengths[row])])
        at += int(lengths[row])
        made.append(_memory(number, title, body, words, rng))
    return made


def _shaped(words: list[str], rank: int, how: float) -> str:
    word = words[rank]
    if how > 0.04:
        return word
    other = words[(rank * 7 + 3) % 2_000]
    if how > 0.025:
        return word + other.capitalize()
    if how > 0.012:
        return f"{word}_{other}"
    if how > 0.005:
        return f"{word}.{other}()"
    return f"E{1_000 + rank % 9_000}"


def _prose(drawn: list[str]) -> str:
    sentences: list[str] = []
    for start in range(0, len(drawn), 13):
        sentence = " ".join(drawn[start : start + 13])
        sentences.append(sentence[:1].upper() + sentence[1:] + ".")
    return "\n".join(" ".join(sentences[i : i + 3]) for i in range(0, len(sentences), 3)) + "\n"


def _memory(number: int, title: str, body: str, words: list[str], rng: np.random.Generator) -> Memory:
    draws: list[float] = rng.random(8).tolist()
    picks: list[int] = rng.integers(0, 400, size=6).tolist()
    created = NOW_MS - int(draws[0] ** 2 * 900 * _DAY_MS)
    verified = min(NOW_MS, created + int(draws[1] * 200 * _DAY_MS)) if draws[2] < 0.3 else None
    anchors: tuple[Anchor, ...] = ()
    if draws[3] < 0.4:
        first = 1 + picks[0]
        anchors = (
            Anchor(
                path=f"src/{words[picks[1]]}/{words[picks[2]]}_{words[picks[3]]}.py",
                symbol=f"{words[picks[1]].capitalize()}{words[picks[4]].capitalize()}.{words[picks[5]]}",
                lines=Lines(first=first, last=first + picks[5] % 40),
            ),
        )
    return Memory(
        id=f"mem_{number:012x}",
        kind=KINDS[int(draws[4] ** 1.5 * len(KINDS))],
        title=title,
        body=body,
        path=f".memofs/memory/{words[picks[1]]}-{number:06x}.md",
        digest=hashlib.sha256(f"{title}\n{body}".encode()).hexdigest(),
        confidence=round(0.3 + 0.7 * draws[5], 2) if draws[5] < 0.7 else None,
        tags=tuple(words[p] for p in picks[: int(draws[6] * 4)]),
        created_ms=created,
        updated_ms=created,
        verified_ms=verified,
        supersedes=(f"mem_{picks[4] % number:012x}",) if number > 100 and draws[7] < 0.02 else (),
        anchors=anchors,
    )


def _question(memory: Memory, sort: str, rng: np.random.Generator) -> str:
    plain = [w.strip(".") for w in memory.body.split()]
    long = [w for w in plain if len(w) > 4 and w.isalpha()] or plain
    count = int(rng.integers(2, 6))
    picked = [long[int(i)] for i in rng.integers(0, len(long), size=count)]
    if sort == "title":
        return memory.title
    if sort == "identifier":
        names = [w for w in plain if "_" in w or "." in w or any(c.isupper() for c in w[1:])]
        return " ".join([*names[:1], *picked[:2]])
    if sort == "typo":
        word = max(picked, key=len).lower()
        at = len(word) // 2
        return " ".join([word[:at] + word[at + 1 :], *picked[:2]])
    if sort == "unknown":
        return " ".join([*picked[:2], "zyx" + picked[0].lower()])
    return "how do we " + " ".join(picked)
