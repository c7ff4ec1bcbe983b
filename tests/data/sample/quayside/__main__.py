"""The command line. `python -m quayside demo` shows a booking from search to confirmation; `--help` lists the rest.

The parser builds a command, `_run` carries it out, and this is the only file that reads the clock.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import cast

from quayside import api, bookings, jobs, tokens
from quayside.limiter import Limiter
from quayside.server import make_server
from quayside.stay import local_date, zone_of
from quayside.tariff import Season, Tariff
from quayside.tenants import Harbour, Harbours, UnknownHarbour

DEFAULT_TARIFF = Tariff(cents_per_metre=350, minimum_cents=1_500, seasons=(Season("summer", (6, 15), (8, 20), 140),))


def main(argv: Sequence[str] | None = None, now: Callable[[], int] = lambda: int(time.time())) -> int:
    """Run one command and return its exit code: 0, or 1 with a message, or argparse's 2 for a usage error."""
    options = _parser().parse_args(argv)
    if options.command == "demo":
        with tempfile.TemporaryDirectory(prefix="quayside-") as folder:
            return _with_data(Path(folder), lambda harbours: demo(harbours, Path(folder), now()))
    try:
        return _with_data(options.data, lambda harbours: _run(options, harbours, now))
    except (ValueError, UnknownHarbour) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1


def sweep(harbours: Harbours, data: Path, now: int) -> dict[str, int]:
    """What a timer runs every minute, for all harbours: ends holds, forgets guests, drops old replies, runs jobs."""
    counts = {"holds": 0, "guests": 0, "replies": 0, "jobs": 0}
    for slug in harbours.slugs():
        pool = harbours.pool(slug)
        today = local_date(now, zone_of(harbours.get(slug).zone))
        with pool.writing() as connection:
            counts["holds"] += bookings.expire_holds(connection, now)
            counts["guests"] += bookings.forget_guests(connection, today, now)
            counts["replies"] += connection.execute(
                "DELETE FROM replies WHERE created_at <= ?", (now - api.REPLY_SECONDS,)
            ).rowcount
        outbox = data / "outbox" / slug
        outbox.mkdir(parents=True, exist_ok=True)

        def confirmation(job: jobs.Job, outbox: Path = outbox) -> None:
            # Named by the booking: running the job again overwrites the mail instead of sending a second one.
            name = f"{job.payload['booking']}.txt"
            (outbox / name).write_text(f"Your booking {job.payload['booking']} is confirmed.\n", encoding="utf-8")

        counts["jobs"] += jobs.run_due(pool, {"confirmation": confirmation}, now)
    return counts


def demo(harbours: Harbours, data: Path, now: int) -> int:
    """Two guests want one berth: one gets it, the other is told so, and the first one's retry books nothing twice."""
    harbours.put(Harbour("lillevik", "Lillevik gjestehavn", "UTC", DEFAULT_TARIFF))
    with harbours.pool("lillevik").writing() as connection:
        for name, length_cm in (("A1", 900), ("A2", 1200)):
            bookings.add_berth(connection, name, length_cm, depth_cm=250)
    keys = tokens.rotate((), now)
    app = api.App(harbours, keys, Limiter(), lambda: now)
    today = local_date(now, zone_of("UTC"))
    stay = {"arrive": str(today + timedelta(days=7)), "depart": str(today + timedelta(days=10))}

    def ask(who: str, method: str, path: str, form: Mapping[str, object], key: str = "") -> Mapping[str, object]:
        token = tokens.issue(keys, who, "lillevik", "guest", now)
        headers = {"authorization": f"Bearer {token}", "x-harbour": "lillevik", "idempotency-key": key}
        query = {name: str(value) for name, value in form.items()} if method == "GET" else {}
        response = api.handle(app, api.Request(method, path, query, headers, json.dumps(form).encode()))
        print(f"{who:>5}: {method} {path} -> {response.status} {json.dumps(response.body)}")
        return response.body

    found = ask("mara", "GET", "/v1/berths", {**stay, "lengthCm": 830, "draughtCm": 140})
    berths = cast("list[dict[str, str]]", found["berths"])
    wanted = {**stay, "lengthCm": 830, "berthId": berths[0]["berthId"]}
    booking = ask("mara", "POST", "/v1/bookings", wanted, key="one")
    ask("odd", "POST", "/v1/bookings", wanted, key="two")
    ask("mara", "POST", "/v1/bookings", wanted, key="one")
    ask("mara", "POST", f"/v1/bookings/{booking['id']}/confirm", {"name": "Mara", "mail": "mara@example.org"})
    print(f"sweep: {sweep(harbours, data, now)}")
    return 0


def _run(options: argparse.Namespace, harbours: Harbours, now: Callable[[], int]) -> int:
    keys_path: Path = options.data / "keys.json"
    match options.command:
        case "harbour":
            tariff = replace(DEFAULT_TARIFF, cents_per_metre=options.cents_per_metre)
            harbours.put(Harbour(options.slug, options.name, options.zone, tariff))
        case "berth":
            with harbours.pool(options.slug).writing() as connection:
                print(bookings.add_berth(connection, options.name, options.length_cm, options.depth_cm))
        case "token":
            harbours.get(options.slug)
            print(tokens.issue(_keys(keys_path, now), options.subject, options.slug, options.role, now()))
        case "rotate-keys":
            tokens.save_keys(keys_path, tokens.rotate(tokens.load_keys(keys_path), now()))
        case "sign-out":
            harbours.sign_everybody_out(options.slug, now())
        case "sweep":
            print(json.dumps(sweep(harbours, options.data, now())))
        case "serve":
            app = api.App(harbours, _keys(keys_path, now), Limiter(), now)
            server = make_server(app, "127.0.0.1", options.port)
            print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                server.server_close()
        case command:
            raise AssertionError(f"argparse let {command!r} through")
    return 0


def _keys(path: Path, now: Callable[[], int]) -> tuple[tokens.Key, ...]:
    """The signing keys; the first use of a data folder makes the first one."""
    keys = tokens.load_keys(path)
    if not keys:
        keys = tokens.rotate((), now())
        tokens.save_keys(path, keys)
    return keys


def _with_data(folder: Path, work: Callable[[Harbours], int]) -> int:
    harbours = Harbours(folder)
    try:
        return work(harbours)
    finally:
        harbours.close()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="quayside", description="Berth booking for small harbours.")
    parser.add_argument("--data", type=Path, default=Path("data"), help="the data folder (default: data)")
    commands = parser.add_subparsers(dest="command", required=True)
    harbour = commands.add_parser("harbour", help="add a harbour or change it")
    harbour.add_argument("slug")
    harbour.add_argument("--name", required=True)
    harbour.add_argument("--zone", default="UTC")
    harbour.add_argument("--cents-per-metre", type=int, default=DEFAULT_TARIFF.cents_per_metre)
    berth = commands.add_parser("berth", help="add a berth")
    berth.add_argument("slug")
    berth.add_argument("name")
    berth.add_argument("length_cm", type=int)
    berth.add_argument("depth_cm", type=int)
    token = commands.add_parser("token", help="print a token for somebody")
    token.add_argument("slug")
    token.add_argument("subject")
    token.add_argument("--role", choices=("guest", "staff"), default="guest")
    commands.add_parser("rotate-keys", help="sign with a new key from now on")
    sign_out = commands.add_parser("sign-out", help="refuse all tokens issued so far")
    sign_out.add_argument("slug")
    commands.add_parser("sweep", help="run the background work that is due")
    serve = commands.add_parser("serve", help="serve the API on this machine")
    serve.add_argument("--port", type=int, default=8700)
    commands.add_parser("demo", help="show a booking from search to confirmation")
    return parser


if __name__ == "__main__":
    sys.exit(main())
