"""memofs/lexicon: the project's own expansions of words, and what its memories and code offer to add."""

from memofs.engine.engine import Engine
from memofs.engine.lexicon import suggest
from memofs.server.call import Call
from memofs.wire.admin import LexiconParams, LexiconResult, SuggestionView

__all__ = ["lexicon"]


def lexicon(engine: Engine, params: LexiconParams, call: Call) -> LexiconResult:
    """What there is, and suggestions, surest first."""
    view = engine.view()
    found = suggest(view, cancel=call.cancel) if params.limit else ()
    return LexiconResult(
        revision=view.world.revision,
        lexicon=dict(view.world.config.lexicon),
        suggestions=tuple(
            SuggestionView(
                word=each.word,
                expansions=each.expansions,
                source=each.source,
                why=each.why,
                memories=each.memories,
                count=each.count,
            )
            for each in found[: params.limit]
        ),
        more=max(0, len(found) - params.limit) if params.limit else 0,
    )
