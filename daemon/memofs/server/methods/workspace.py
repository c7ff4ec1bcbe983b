"""init, import, migrate, doctor, config: requests about the workspace as a whole."""

from collections.abc import Callable

from memofs import __version__
from memofs.engine import bring
from memofs.engine.checkup import checkup
from memofs.engine.engine import Engine
from memofs.engine.settings import change_setting, read_setting
from memofs.model.errors import InvalidRequest, Refused
from memofs.server.call import Call
from memofs.server.convert import problem_view
from memofs.wire.admin import (
    ConfigParams,
    ConfigResult,
    DoctorParams,
    DoctorResult,
    Imported,
    ImportParams,
    ImportResult,
    InitParams,
    InitResult,
    MigrateParams,
    MigrateResult,
    Skipped,
)
from memofs.wire.values import Progress

__all__ = ["config", "doctor", "import_records", "init", "migrate"]


def init(engine: Engine, params: InitParams, call: Call) -> InitResult:
    """Set up `.memofs/`; what is there stays."""
    del call
    created = engine.initialize(project_name=params.project_name)
    return InitResult(revision=engine.world.revision, root=str(engine.root), created=created)


def import_records(engine: Engine, params: ImportParams, call: Call) -> ImportResult:
    """Bring in decision records or markdown files, as one write."""
    if params.allow_secrets and call.session.role == "mcp":
        raise Refused("allowSecrets", "only a person can allow a secret", "leave the value out")
    request = bring.Request(
        what=params.what,
        path=params.path,
        kind=params.kind,
        tags=params.tags,
        dry_run=params.dry_run,
        force=params.force,
        allow_secrets=params.allow_secrets,
    )
    done = bring.import_records(
        engine, request, actor=call.session.role, cancel=call.cancel, report=_reporter(call, "importing")
    )
    return ImportResult(
        revision=engine.world.revision,
        imported=tuple(_imported(each) for each in done.plan.new),
        updated=tuple(_imported(each) for each in done.plan.updates),
        unchanged=len(done.plan.unchanged),
        skipped=tuple(Skipped(path=each.path, reason=each.reason) for each in done.skipped),
        links=done.plan.links,
        warnings=done.plan.warnings,
        dry_run=params.dry_run,
    )


def migrate(engine: Engine, params: MigrateParams, call: Call) -> MigrateResult:
    """Turn the entries of notes.md into files, as one write."""
    done = bring.migrate(engine, dry_run=params.dry_run, actor=call.session.role, report=_reporter(call, "migrating"))
    return MigrateResult(
        revision=engine.world.revision,
        migrated=tuple(
            Imported(path=memory.path, id=memory.id, title=memory.title, status=memory.status)
            for memory in done.memories
        ),
        kept=done.kept,
        dry_run=params.dry_run,
    )


def doctor(engine: Engine, params: DoctorParams, call: Call) -> DoctorResult:
    """Look for faults; mend what can be mended without loss."""
    report = checkup(engine, fix=params.fix, actor=call.session.role, version=__version__)
    return DoctorResult(
        revision=engine.world.revision,
        findings=tuple(problem_view(each.problem, fixable=each.fixable, fixed=each.fixed) for each in report.findings),
        facts={**report.facts, "watching": call.session.host.watching if call.session.host is not None else "no"},
    )


def config(engine: Engine, params: ConfigParams, call: Call) -> ConfigResult:
    """Read, set or remove a setting."""
    if params.action != "get":
        if params.key is None:
            raise InvalidRequest("noKey", "which setting? give its key")
        value = params.value if params.action == "set" else None
        change_setting(engine, params.key, value, remove=params.action == "unset", actor=call.session.role)
    value, is_default = read_setting(engine, params.key)
    return ConfigResult(
        revision=engine.world.revision,
        path=".memofs/config.json",
        key=params.key,
        value=value,
        is_default=is_default,
    )


def _imported(planned: bring.Planned) -> Imported:
    return Imported(
        path=planned.path,
        id=planned.memory.id,
        title=planned.memory.title,
        status=planned.state or planned.memory.status,
    )


def _reporter(call: Call, title: str) -> Callable[[str, int, int], None]:
    def report(message: str, done: int, total: int) -> None:
        call.report(Progress(kind="report", title=title, message=message, done=done, total=total or None))

    return report
