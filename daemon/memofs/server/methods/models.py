"""idle, models, useModel, allowModel, pullModel: what makes the vectors, and waiting for it."""

from pathlib import Path

import msgspec

from memofs.embed.choose import embedding_service, reranking_service
from memofs.embed.models import BUILT_IN, KnownModel, known_model, known_models, read_folder
from memofs.embed.pull import pull as pull_model
from memofs.engine.engine import Engine
from memofs.engine.places import models_folder
from memofs.engine.settings import PEOPLE, change_setting
from memofs.model.errors import InvalidRequest, NotFound, Refused
from memofs.server.call import Call
from memofs.server.convert import embedder_view
from memofs.wire.admin import (
    AllowModelParams,
    AllowModelResult,
    IdleParams,
    IdleResult,
    ModelsResult,
    ModelView,
    PullModelParams,
    PullModelResult,
    UseModelParams,
)
from memofs.wire.values import Empty, Progress

__all__ = ["allow", "idle", "list_models", "pull", "use"]

BYTES_PER_STEP = 1 << 20
_RERANKING = 'it can take a second look: memofs config set reranking \'{"provider": "local", "model": …}\''


def idle(engine: Engine, params: IdleParams, call: Call) -> IdleResult:
    """Answered when every write that came before is done, every memory embedded that can be, every anchor looked at."""
    del params
    if not engine.initialized:
        return IdleResult()
    engine.lanes.settle()

    def report(done: int, total: int, shared: int) -> None:
        message = f"{shared:,} by another process" if shared else None
        call.report(Progress(kind="report", title="indexing", message=message, done=done, total=total))

    told: tuple[str, ...] = ()
    if engine.meaning is not None:
        engine.meaning.probe()
        engine.meaning.index_pending(cancel=call.cancel, report=report)
        told = engine.meaning.tell()
        engine.lanes.settle()
    view = engine.view().following(patience_s=None, again=True, cancel=call.cancel)
    return IdleResult(revision=view.world.revision, degraded=(*view.degraded, *told), embedder=embedder_view(view))


def list_models(engine: Engine, params: Empty, call: Call) -> ModelsResult:
    """The local models there are, each tried once."""
    del params
    view = engine.view()
    settings = view.world.config.embedding
    used = (settings.model or BUILT_IN) if settings.provider == "local" else None
    folder = models_folder()
    known = known_models(folder)
    if used is not None and all(used not in (each.name, each.folder) for each in known):
        known = (*known, known_model(Path(used)))
    models: list[ModelView] = []
    for each in known:
        call.cancel.check()
        models.append(_view(_tried(engine, each), used))
    return ModelsResult(
        revision=view.world.revision, models=tuple(models), folder=str(folder), embedder=embedder_view(view)
    )


def use(engine: Engine, params: UseModelParams, call: Call) -> ModelsResult:
    """Make vectors with another model from now on; those of the old one are kept apart and made anew when needed."""
    name = params.name
    if name in (None, BUILT_IN):
        change_setting(engine, "embedding", None, remove=True, actor=call.session.role)
    else:
        folder = models_folder() / name
        path = folder if folder.is_dir() else Path(name).expanduser()
        if not path.is_dir():
            raise NotFound("model", f"there is no model {name!r}", "memofs model list shows what there is")
        files = read_folder(path)
        if files.role != "embedder":
            raise InvalidRequest("model", f"{name} is a {files.role} and makes no vectors", _RERANKING)
        if (fault := engine.model_checks.fault(files)) is not None:
            raise fault
        said = name if folder.is_dir() else str(path)
        settings = {"provider": "local", "model": said}
        change_setting(engine, "embedding", settings, remove=False, actor=call.session.role)
    return list_models(engine, Empty(), call)


def allow(engine: Engine, params: AllowModelParams, call: Call) -> AllowModelResult:
    """Let the services that the settings name have this project's texts, or no service any more."""
    if call.session.role not in PEOPLE:
        raise Refused("allow", "only a person can allow a service", "memofs model allow, in a terminal")
    config = engine.world.config
    named = (embedding_service(config.embedding), reranking_service(config.reranking))
    services = tuple(dict.fromkeys(each for each in named if each is not None))
    if params.revoke:
        engine.consent.revoke()
    else:
        engine.consent.allow(services)
    engine.reopen_models()
    return AllowModelResult(
        revision=engine.world.revision,
        services=services,
        allowed=all(engine.consent.allows(each) for each in services),
        path=str(engine.consent.path),
    )


def pull(engine: Engine, params: PullModelParams, call: Call) -> PullModelResult:
    """Fetch a model into the person's folder of models; needs a network."""

    def report(name: str, done: int, total: int) -> None:
        call.cancel.check()
        steps = done // BYTES_PER_STEP, total // BYTES_PER_STEP
        call.report(Progress(kind="report", title="fetching", message=name, done=steps[0], total=steps[1]))

    files = pull_model(
        params.repository,
        models_folder(),
        revision=params.revision,
        sha256=params.sha256,
        progress=report,
    )
    found = KnownModel(name=files.name, folder=str(models_folder() / files.name), files=files)
    revision = engine.world.revision if engine.initialized else 0
    return PullModelResult(revision=revision, model=_view(_tried(engine, found), None))


def _tried(engine: Engine, model: KnownModel) -> KnownModel:
    """The model, with what keeps it from being used, if that shows when it is tried."""
    fault = engine.model_checks.fault(model.files) if model.files is not None else None
    return model if fault is None else msgspec.structs.replace(model, problem=fault.message)


def _view(model: KnownModel, used: str | None) -> ModelView:
    return ModelView(
        name=model.name,
        role=model.files.role if model.files else None,
        dimension=(model.files.dimension or None) if model.files else None,
        path=model.folder,
        used=used is not None and used in (model.name, model.folder),
        problem=model.problem,
    )
