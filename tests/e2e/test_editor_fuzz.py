"""Edits through the real pump and daemon: after each of them the daemon's text is the client's."""

import random

import pytest

from e2e.daemon_program import Daemons
from e2e.editor_client import EditorClient, editor
from e2e.tenants import CODE, PATH
from memofs.text.lines import line_index
from memofs.text.positions import Encoding, from_units, to_units

PIECES = ("x", "é", "😀", "e\u0301", "\n", "\n\n    ", "\t", "return", "", "", "def f():\n    pass\n", "# end")
ROUNDS = 60


class Typist:
    """A client's own copy of a document, edited with the daemon's."""

    def __init__(self, client: EditorClient, drawn: random.Random, encoding: Encoding) -> None:
        self.client = client
        self.text = CODE
        self._drawn = drawn
        self._encoding: Encoding = encoding

    def step(self) -> None:
        """One edit at a place drawn by lot."""
        start = self._drawn.randrange(len(self.text) + 1)
        end = min(len(self.text), start + self._drawn.choice([0, 0, 0, 1, 2, 5, 20]))
        piece = self._drawn.choice(PIECES)
        self.client.edit(PATH, self._place(start), self._place(end), piece)
        self.text = self.text[:start] + piece + self.text[end:]

    def _place(self, offset: int) -> tuple[int, int]:
        index = line_index(self.text)
        line = max(number for number, start in enumerate(index.starts) if start <= offset)
        content = self.text[index.starts[line] : index.ends[line]]
        return line, to_units(content, offset - index.starts[line], self._encoding)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_the_daemons_text_is_the_clients_after_every_edit(user: Daemons, encoding: Encoding) -> None:
    user.ok("remember", "All of this file is about tenants", "--anchor", PATH)
    [whole] = [each["memory"] for each in user.json("anchors", PATH)["anchors"] if each["range"] is None]
    with editor(user) as client:
        agreed = client.initialize({"general": {"positionEncodings": [encoding]}})
        assert agreed["capabilities"]["positionEncoding"] == encoding
        client.open(PATH)
        typist = Typist(client, random.Random(7), encoding)
        for _ in range(ROUNDS):
            typist.step()
            told = client.result("memofs/changes", {"id": whole, "anchorIndex": 0})["after"]
            assert told.rstrip("\n") == typist.text.rstrip("\n")
        for row in client.result("memofs/anchors", {"textDocument": {"uri": client.uri(PATH)}})["anchors"]:
            if row["range"] is not None and row["verdict"] != "missing":
                lines = typist.text.split("\n")
                for end in (row["range"]["start"], row["range"]["end"]):
                    content: str = lines[int(end["line"])]
                    assert from_units(content, end["character"], encoding) <= len(content)
                    assert to_units(content, len(content), encoding) >= end["character"]
