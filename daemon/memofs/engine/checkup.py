"""What `doctor` finds and mends: faults of files, links that lead nowhere, and the set-up itself."""

import importlib.metadata
import platform
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from memofs.anchors.grammar import NoGrammar, grammar
from memofs.anchors.language import LANGUAGES
from memofs.engine.engine import Engine
from memofs.engine.places import vectors_aside
from memofs.graph.curated import EDGES_PATH
from memofs.model.errors import MemoError
from memofs.model.memory import Memory
from memofs.model.problem import Problem
from memofs.store.edit import Edit
from memofs.store.events import check_events
from memofs.text.identity import is_id
from memofs.text.memory_file import rewrite
from memofs.world.state import World

__all__ = ["Checkup", "Finding", "checkup"]

SEVERITIES = ("error", "warning", "info")
GIVEN_NEW_ID = frozenset({"duplicateId", "badId", "missingId"})
PRIVATE = (".memofs/events", ".memofs/indexes", ".memofs/logs", ".memofs/snapshots", ".memofs/tmp")
LIBRARIES = ("click", "msgspec", "numpy", "onnxruntime", "PyYAML", "rapidfuzz", "tokenizers", "watchfiles")


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One fault, whether it can be mended without loss, and whether it just was."""

    problem: Problem
    fixable: bool = False
    fixed: bool = False


class Checkup(msgspec.Struct, frozen=True, kw_only=True):
    """Findings, worst first, and facts to paste into a bug report."""

    findings: tuple[Finding, ...]
    facts: Mapping[str, str]


def checkup(engine: Engine, *, fix: bool, actor: str, version: str) -> Checkup:
    """Look at everything again from disk; with `fix`, mend what can be mended without loss."""
    engine.refresh()
    engine.reconfigure()
    found = list(_findings(engine))
    if fix and any(each.fixable for each in found):
        mended = _mend(engine, found, actor=actor)
        left = [each.problem for each in _findings(engine)]
        found = [
            msgspec.structs.replace(each, fixed=True) for each in found if each.fixable and each.problem not in left
        ] + [Finding(problem=problem, fixable=_is_fixable(problem)) for problem in (*left, *mended)]
    order = {severity: place for place, severity in enumerate(SEVERITIES)}
    found.sort(key=lambda each: (order[each.problem.severity], each.problem.path, each.problem.line, each.problem.code))
    return Checkup(findings=tuple(found), facts=_facts(engine, version))


def _findings(engine: Engine) -> Iterator[Finding]:
    store = engine.store
    problems: list[Problem] = [
        *(problem for path in sorted(engine.world.problems) for problem in engine.world.problems[path]),
        *store.config.problems,
        *check_events(store.layout),
        *_dangling(engine.world.memories.values(), engine.world.memories),
        *_unrelated(engine.world),
        *_tracked(engine),
        *_missing(engine),
        *store.faults(),
        *_models(engine),
        *_aside(engine),
    ]
    for problem in problems:
        yield Finding(problem=problem, fixable=_is_fixable(problem))


def _is_fixable(problem: Problem) -> bool:
    is_log = problem.path.endswith("/notes.md")
    return problem.code == "missingFile" or (problem.code in GIVEN_NEW_ID and not is_log)


def _mend(engine: Engine, findings: Iterable[Finding], *, actor: str) -> list[Problem]:
    """Mend, and answer what could not be."""
    problems = [each.problem for each in findings if each.fixable]
    if any(problem.code == "missingFile" for problem in problems):
        engine.initialize(project_name=engine.world.config.project_name)
    paths = {problem.path for problem in problems if problem.code in GIVEN_NEW_ID}
    edits = [
        _with_own_id(engine, memory)
        for memory in engine.world.memories.values()
        if memory.path in paths and memory.origin == "file"
    ]
    if edits:
        try:
            engine.commit(edits, kind="doctor", actor=actor, summary=f"new ids for {len(edits)} files")
        except MemoError as error:
            return [Problem(path=".memofs", code=error.code, message=error.message, hint=error.hint)]
    return []


def _with_own_id(engine: Engine, memory: Memory) -> Edit:
    """The id under which the memory is known already goes into its file, so that links to it hold."""
    return Edit(
        path=memory.path,
        before_digest=memory.digest,
        after=rewrite(memory, engine.store.read_bytes(memory.path), {"id": memory.id}),
        memory_id=memory.id,
        summary=memory.title,
    )


def _dangling(memories: Iterable[Memory], known: Mapping[str, Memory]) -> Iterator[Problem]:
    for memory in memories:
        for id_ in memory.supersedes:
            if id_ not in known:
                yield Problem(
                    path=memory.path,
                    code="danglingLink",
                    message=f"supersedes {id_}, and there is no such memory",
                    line=memory.line,
                    hint="it was forgotten, or lives on another branch; remove the id if it is gone for good",
                    severity="warning",
                )


def _unrelated(world: World) -> Iterator[Problem]:
    """Statements that persons wrote down of a memory that is not there."""
    for edge in world.graph.curated.edges:
        lost = [end for end in (edge.source, edge.target) if is_id(end) and end not in world.memories]
        if lost and not edge.ended:
            yield Problem(
                path=EDGES_PATH,
                code="danglingLink",
                message=f"{edge.source} {edge.relation} {edge.target}: there is no {' and no '.join(lost)}",
                line=edge.line,
                hint="it was forgotten, or lives on another branch; remove the line if it is gone for good",
                severity="warning",
            )


def _tracked(engine: Engine) -> Iterator[Problem]:
    for path in sorted(engine.store.git.tracked(PRIVATE)):
        yield Problem(
            path=path,
            code="privateTracked",
            message="git tracks this file, which is private to one machine",
            hint=f"git rm --cached {path}",
            severity="warning",
        )


def _models(engine: Engine) -> Iterator[Problem]:
    """What keeps the models that the settings name from answering."""
    if engine.meaning is not None:
        engine.meaning.rehydrate()
        if engine.meaning.damage is not None:
            yield engine.meaning.damage
        engine.meaning.probe()
        told = engine.meaning.progress()
        if told.problem is not None:
            yield Problem(
                path=".memofs/config.json",
                code="embedder",
                message=f"recall goes by words alone: {told.problem}",
                hint=told.hint or "memofs model list shows what there is",
                severity="warning",
            )
    if (why := engine.view().reranking_failure) is not None:
        yield Problem(path=".memofs/config.json", code="reranker", message=why, severity="warning")


def _aside(engine: Engine) -> Iterator[Problem]:
    """A file of vectors that was set aside because of lines that could not be read."""
    if (path := vectors_aside(engine.store.layout)) is not None:
        yield Problem(
            path=path,
            code="setAside",
            message="stored vectors that could not be read; those that could be were taken out of it",
            hint="what was lost is made again: the file can be deleted",
            severity="info",
        )


def _missing(engine: Engine) -> Iterator[Problem]:
    for path in (".memofs/config.json", ".memofs/.gitignore", ".memofs/.gitattributes", ".memofs/memory/core.md"):
        if not (engine.root / path).exists():
            yield Problem(
                path=path,
                code="missingFile",
                message="is missing",
                hint="memofs doctor --fix puts it back",
                severity="info" if path.endswith("core.md") else "warning",
            )


def _facts(engine: Engine, version: str) -> dict[str, str]:
    view = engine.view()
    libraries = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in LIBRARIES)
    return {
        "memofs": version,
        "python": f"{platform.python_version()} ({platform.python_implementation()})",
        "platform": platform.platform(),
        "libraries": libraries,
        "git": engine.store.git.version() or "not found",
        "grammars": _grammars(),
        "root": str(engine.root),
        "memories": str(len(view.world.memories)),
        "terms": str(view.world.terms),
        "opened": f"{view.opening.ms:.0f} ms, cache {view.opening.cache}",
        "meaning": f"{view.meaning.progress().name}, {view.meaning.progress().state}" if view.meaning else "off",
        "writable": "yes" if engine.store.is_writable() else "no",
        "settings": msgspec.json.encode(engine.store.config.config).decode(),
    }


def _grammars() -> str:
    """How many languages can be parsed, and why the others cannot."""
    found = {language: grammar(language) for language in LANGUAGES}
    lacking = [f"{language}: {each.message}" for language, each in found.items() if isinstance(each, NoGrammar)]
    told = f"{len(found) - len(lacking)} of {len(found)}"
    return f"{told} ({'; '.join(lacking)})" if lacking else told
