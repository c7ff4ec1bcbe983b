"""Following anchors step by step gives what looking at all of them afresh gives, whatever happens to the code."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from memofs.engine.anchor_making import Spec, make_all
from memofs.engine.anchoring import Anchoring
from memofs.engine.draft import Draft
from memofs.engine.engine import Engine
from memofs.engine.remember import remember
from memofs.model.place import AnchorState
from memofs.store.layout import initialize

NAMES = ("a.py", "b.py", "lib/a.py")
FUNCTIONS = (
    "def first(value):\n    limit = 10\n    return value * limit\n",
    "def second(rows):\n    for row in rows:\n        yield row.name\n",
    "def third(path, mode):\n    with open(path, mode) as file:\n        return file.read()\n",
    "def second(rows):\n    for row in sorted(rows):\n        yield row.name, row.size\n",
)
START = ((0, 1), (1, 2), (2,))

Step = tuple[str, tuple[int, ...], int]
contents = st.lists(st.integers(0, len(FUNCTIONS) - 1), max_size=3, unique=True).map(tuple)
steps = st.lists(
    st.tuples(st.sampled_from([*NAMES, "c.py"]), contents, st.integers(-1, 2)),  # -1 deletes, else lines above
    min_size=1,
    max_size=5,
)


def text_of(functions: tuple[int, ...], above: int) -> str:
    return "# above\n" * above + "\n\n".join(FUNCTIONS[each] for each in functions)


def write(root: Path, step: Step) -> None:
    name, functions, above = step
    path = root / name
    if above < 0:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(exist_ok=True)
    path.write_text(text_of(functions, above))


def set_up(root: Path) -> Engine:
    initialize(root)
    (root / ".memofs/config.json").write_text('{"format": 1, "embedding": {"provider": "none"}}')
    for name, functions in zip(NAMES, START, strict=True):
        write(root, (name, functions, 0))
    engine = Engine(root)
    for number, specs in enumerate(
        (
            [Spec(path="a.py", symbol="first"), Spec(path="a.py", symbol="second")],
            [Spec(path="b.py", symbol="second"), Spec(path="b.py")],
            [Spec(path="lib/a.py", symbol="third")],
        )
    ):
        anchors = tuple(made.anchor for made in make_all(engine.anchoring, specs))
        remember(engine, Draft(body=f"Memory number {number} of them all", anchors=anchors), actor="test")
    return engine


def seen(anchoring: Anchoring) -> dict[str, tuple[AnchorState, ...]]:
    return dict(anchoring.follow(again=True).world.anchors)


@given(steps)
@settings(deadline=None, max_examples=25)
def test_step_by_step_is_as_good_as_afresh(edits: list[Step]) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        engine = set_up(root)
        for edit in edits:
            write(root, edit)
            engine.anchoring.follow(patience_s=60.0)
        stepwise = seen(engine.anchoring)
        engine.anchoring.close()
        from_cache = Engine(root)
        assert seen(from_cache.anchoring) == stepwise
        from_cache.anchoring.close()
        blobs = root / ".memofs/indexes/blobs"
        shutil.move(blobs, root / ".memofs/tmp/blobs")
        shutil.rmtree(root / ".memofs/indexes")
        (root / ".memofs/indexes").mkdir()
        shutil.move(root / ".memofs/tmp/blobs", blobs)
        afresh = Engine(root)
        assert seen(afresh.anchoring) == stepwise
        afresh.anchoring.close()


@given(steps)
@settings(deadline=None, max_examples=15)
def test_what_is_put_back_is_as_it_was(edits: list[Step]) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        engine = set_up(root)
        before = seen(engine.anchoring)
        for edit in edits:
            write(root, edit)
        engine.anchoring.follow()
        (root / "c.py").unlink(missing_ok=True)
        for name, functions in zip(NAMES, START, strict=True):
            write(root, (name, functions, 0))
        assert seen(engine.anchoring) == before
        assert {state.verdict for states in before.values() for state in states} == {"current"}
        engine.anchoring.close()


@given(steps)
@settings(deadline=None, max_examples=15)
def test_without_patience_nothing_is_lost_and_the_rest_is_for_next_time(edits: list[Step]) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        engine = set_up(root)
        known = seen(engine.anchoring)
        for edit in edits:
            write(root, edit)
        impatient = engine.anchoring.follow(patience_s=0.0)
        assert impatient.world.anchors.keys() == known.keys()
        assert bool(impatient.left) == bool(impatient.degraded)
        patient = engine.anchoring.follow()
        assert patient.left == 0
        if not impatient.left:
            assert patient.world.anchors == impatient.world.anchors
        engine.anchoring.close()
