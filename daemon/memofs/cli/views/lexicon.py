"""What else the words of a project are called, as people read it."""

import shlex
from collections.abc import Mapping, Sequence

from memofs.cli.style import Cell, Style, count, paint, table
from memofs.cli.terminal_text import neutral_line
from memofs.cli.views.words import page
from memofs.wire.admin import LexiconResult, SuggestionView

__all__ = ["render_lexicon", "render_suggestions", "render_taught"]


def render_lexicon(result: LexiconResult, style: Style) -> str:
    """One word of the project's own a line, with what is looked for beside it."""
    if not result.lexicon:
        return page("No words of its own yet: `memofs lexicon suggest` looks for some, `memofs lexicon add` adds one.")
    return page(*table(_rows(result.lexicon), style))


def render_suggestions(result: LexiconResult, style: Style) -> str:
    """A word and its expansions, who says so, and the command that adds it."""
    if not result.suggestions:
        return page("Nothing to suggest: no short name is explained that is not known already.")
    lines: list[str] = []
    for each in result.suggestions:
        lines += [
            f"{paint(style, 'title', neutral_line(each.word))}: {neutral_line(', '.join(each.expansions))}",
            f"  {paint(style, 'dim', neutral_line(each.why))}{_others(each, style)}",
            f"  memofs lexicon add {_arguments(each)}",
            "",
        ]
    if result.more:
        more = count(result.more, "more suggestion")
        lines.append(paint(style, "dim", f"{more} (--limit {len(result.suggestions) + result.more} shows all)"))
    return page(*lines).rstrip("\n") + "\n"


def render_taught(word: str, expansions: Sequence[str], style: Style) -> str:
    """What a question with the word looks for from now on."""
    name = paint(style, "title", neutral_line(word))
    if not expansions:
        return page(f"{name} has no expansions of this project's any more.")
    return page(f"{name}: a question that has it also looks for {neutral_line(', '.join(expansions))}")


def _rows(lexicon: Mapping[str, Sequence[str]]) -> list[list[Cell]]:
    return [[(neutral_line(word), "title"), neutral_line(", ".join(lexicon[word]))] for word in sorted(lexicon)]


def _others(suggestion: SuggestionView, style: Style) -> str:
    others = suggestion.count - 1
    return paint(style, "dim", f" and {count(others, 'more memory', 'more memories')}") if others > 0 else ""


def _arguments(suggestion: SuggestionView) -> str:
    return neutral_line(shlex.join((suggestion.word, *suggestion.expansions)))
