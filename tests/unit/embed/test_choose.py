from collections.abc import Generator
from pathlib import Path

import msgspec
import pytest

from memofs.embed.choose import embedding_service, open_embedder, open_reranker, reranking_service, services_in
from memofs.embed.client import WorkerClient
from memofs.embed.protocol import EmbedderError
from memofs.model.config import EmbedSettings, RerankSettings
from unit.embed.plain_folder import folder_of


@pytest.fixture
def client() -> Generator[WorkerClient]:
    client = WorkerClient()
    yield client
    assert client.pid is None, "opening starts no process"
    client.close()


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "VOYAGE_API_KEY", "CLOUDFLARE_API_TOKEN", "CLOUDFLARE_ACCOUNT_ID", "COHERE_API_KEY"):
        monkeypatch.setenv(name, "set")


def test_without_settings_the_model_is_local_though_keys_are_set(client: WorkerClient, tmp_path: Path) -> None:
    assert open_embedder(EmbedSettings(), tmp_path, client).identity.startswith("all-MiniLM-L6-v2:8199be6f")
    assert open_reranker(RerankSettings(), tmp_path, client) is None


@pytest.mark.parametrize(
    ("settings", "identity"),
    [
        (EmbedSettings(provider="none"), "none"),
        (EmbedSettings(provider="openai"), "openai:text-embedding-3-small"),
        (EmbedSettings(provider="openai", model="x", dimension=8), "openai:x:8"),
        (EmbedSettings(provider="voyage"), "voyage:voyage-code-3"),
        (EmbedSettings(provider="workersAi"), "workersAi:@cf/baai/bge-small-en-v1.5"),
        (
            EmbedSettings(provider="compatible", endpoint="http://localhost:11434/v1", model="nomic"),
            "compatible:localhost:11434:nomic",
        ),
    ],
)
def test_a_provider_is_used_when_named(
    client: WorkerClient, tmp_path: Path, settings: EmbedSettings, identity: str
) -> None:
    embedder = open_embedder(settings, tmp_path, client)
    assert embedder.identity == identity
    embedder.warm_up()
    assert embedder.warm
    embedder.close()


def test_a_local_model_is_named_by_its_folder_or_its_path(client: WorkerClient, tmp_path: Path) -> None:
    folder_of(tmp_path / "models" / "mine")
    elsewhere = folder_of(tmp_path / "elsewhere")
    for model in ("mine", str(elsewhere)):
        embedder = open_embedder(EmbedSettings(model=model), tmp_path / "models", client)
        assert embedder.identity.startswith(("mine:", "elsewhere:"))
    with pytest.raises(EmbedderError) as caught:
        open_embedder(EmbedSettings(model="other"), tmp_path / "models", client)
    assert caught.value.reason == "modelMissing"


@pytest.mark.parametrize(("role", "provider"), [("crossEncoder", "local"), ("lateInteraction", "local")])
def test_a_local_reranker_is_a_folder(client: WorkerClient, tmp_path: Path, role: str, provider: str) -> None:
    folder_of(tmp_path / "ranks", role=role)
    settings = msgspec.convert({"provider": provider, "model": "ranks"}, RerankSettings)
    reranker = open_reranker(settings, tmp_path, client)
    assert reranker is not None
    assert reranker.identity.startswith("ranks:")


@pytest.mark.parametrize(
    ("settings", "identity"),
    [
        (RerankSettings(provider="voyage"), "voyage:rerank-2.5"),
        (RerankSettings(provider="cohere", model="rerank-v4.0-fast"), "cohere:rerank-v4.0-fast"),
    ],
)
def test_a_providers_reranker(client: WorkerClient, tmp_path: Path, settings: RerankSettings, identity: str) -> None:
    reranker = open_reranker(settings, tmp_path, client)
    assert reranker is not None
    assert reranker.identity == identity
    reranker.close()


@pytest.mark.parametrize(
    "settings",
    [
        EmbedSettings(provider="compatible"),
        EmbedSettings(provider="compatible", endpoint="http://localhost:1"),
        EmbedSettings(provider="compatible", model="m", endpoint="localhost"),
    ],
)
def test_settings_that_cannot_be_met_are_named(client: WorkerClient, tmp_path: Path, settings: EmbedSettings) -> None:
    with pytest.raises(EmbedderError) as caught:
        open_embedder(settings, tmp_path, client)
    assert caught.value.reason == "settings"
    with pytest.raises(EmbedderError):
        open_reranker(RerankSettings(provider="local"), tmp_path, client)


def test_no_embedder_says_so_each_time(client: WorkerClient, tmp_path: Path) -> None:
    embedder = open_embedder(EmbedSettings(provider="none"), tmp_path, client)
    with pytest.raises(EmbedderError) as caught:
        embedder.embed(["x"], kind="query", deadline_s=1)
    assert (caught.value.reason, caught.value.repeated) == ("disabled", True)
    assert not embedder.end_if_idle(0)
    embedder.close()


def test_settings_are_json_with_everything_optional() -> None:
    assert msgspec.json.decode(b"{}", type=EmbedSettings) == EmbedSettings()
    text = b'{"provider": "compatible", "queryPrefix": "q: ", "endpoint": "http://localhost:1"}'
    assert msgspec.json.decode(text, type=EmbedSettings).query_prefix == "q: "
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"provider": "mystery"}', type=EmbedSettings)


@pytest.mark.parametrize(
    ("key", "value", "services"),
    [
        ("embedding", {"provider": "openai"}, ("openai",)),
        ("embedding", {"provider": "local", "model": "x"}, ()),
        ("embedding", {"provider": "compatible", "endpoint": "http://a/v1/ "}, ("http://a/v1",)),
        ("embedding.provider", "voyage", ("voyage",)),
        ("embedding.provider", "none", ()),
        ("embedding.provider", "compatible", ()),
        ("embedding.endpoint", "http://a", ("http://a",)),
        ("embedding.model", "openai", ()),
        ("reranking.provider", "cohere", ("cohere",)),
        ("reranking.provider", "rules", ()),
        ("reranking", {"provider": "voyage", "model": "m"}, ("voyage",)),
        ("projectName", "openai", ()),
        ("embedding", None, ()),
    ],
)
def test_a_setting_names_the_services_that_are_written_in_it(
    key: str, value: object, services: tuple[str, ...]
) -> None:
    assert services_in(key, value) == services


def test_where_texts_go_is_a_providers_name_or_an_address() -> None:
    compatible = EmbedSettings(provider="compatible", model="m", endpoint="http://a/v1/")
    assert embedding_service(compatible) == "http://a/v1"
    assert embedding_service(EmbedSettings(provider="openai")) == "openai"
    assert embedding_service(EmbedSettings()) is None
    assert reranking_service(RerankSettings(provider="cohere")) == "cohere"
    assert reranking_service(RerankSettings(provider="local", model="m")) is None
