"""What a client is told of params that are wrong."""

import json

import pytest

from memofs.model.errors import InvalidRequest
from memofs.server.params import params_of
from memofs.wire.context import ContextParams
from memofs.wire.methods import METHODS
from memofs.wire.read import RecallParams
from memofs.wire.values import Params

TASKS = "one of coding, debug, docs, general, refactor"


@pytest.mark.parametrize(
    ("kind", "params", "says", "hint"),
    [
        (ContextParams, {"taskType": "cooking"}, "taskType", TASKS),
        (RecallParams, {"query": "x", "taskType": "Debug"}, "taskType", TASKS),
        (RecallParams, {"query": "x", "flags": ["stale", "y"]}, "flags[1]", "one of byLexicon, byMeaning, "),
        (ContextParams, {"sections": ["nothing"]}, "sections[0]", "one of constraints, core, "),
        (ContextParams, {"maxBytes": 1_023}, ">= 1024", ""),
        (ContextParams, {"maxBytes": 262_145}, "<= 262144", ""),
        (ContextParams, {"maxBytes": "8192"}, "maxBytes", ""),
        (ContextParams, {"here": {"file": "a.py"}}, "here", "fields: path, uri, range"),
        (ContextParams, {"here": {"range": {"start": 1}}}, "here.range.start", ""),
        (ContextParams, {"tasktype": "debug"}, "tasktype", "fields: query, taskType, maxBytes, "),
        (ContextParams, [], "object", ""),
    ],
)
def test_the_field_the_fault_and_what_there_is(kind: type[Params], params: object, says: str, hint: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        params_of(kind, json.dumps(params).encode())
    assert says in caught.value.message
    assert (caught.value.hint or "").startswith(hint)
    assert bool(caught.value.hint) == bool(hint)


@pytest.mark.parametrize("name", sorted(METHODS))
@pytest.mark.parametrize("raw", [b'{"\xff": 1}', b'{"noSuchField": 1}', b"[]", b"1e999", b'"text"'])
def test_no_params_are_a_fault_of_ours(name: str, raw: bytes) -> None:
    with pytest.raises(InvalidRequest):
        params_of(METHODS[name].params, raw)


@pytest.mark.parametrize("raw", [b"", b"null", b"{}"])
def test_nothing_is_no_params(raw: bytes) -> None:
    assert params_of(ContextParams, raw) == ContextParams()
