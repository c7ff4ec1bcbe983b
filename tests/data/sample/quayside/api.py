"""The HTTP API as one function from a request to a response; `server` connects it to a socket.

The order of the checks is the contract: health, harbour, token, rate, route. A caller without a valid token learns
nothing about what exists, and the rate is counted against a subject that is known to be real.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from quayside import bookings, tokens
from quayside.bookings import Booking
from quayside.limiter import Limiter
from quayside.stay import Stay, StayError, iso_instant, local_date, parse_stay, zone_of
from quayside.store import Busy
from quayside.tenants import Harbour, Harbours, UnknownHarbour

HARBOUR_HEADER = "x-harbour"
"""Set by the edge, which drops what the outside world sent under this name (edge/worker.ts)."""

REPLY_SECONDS = 48 * 60 * 60
"""How long the answer to an idempotency key is kept: a phone that was off over a night at sea may still ask again."""

log = logging.getLogger("quayside.api")


@dataclass(frozen=True)
class Request:
    """`headers` with lower-case names."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True)
class Response:
    status: int
    body: Mapping[str, object]
    headers: Mapping[str, str]


@dataclass(frozen=True)
class App:
    """What every request needs. `clock` gives seconds since the epoch; nothing below reads the time by itself."""

    harbours: Harbours
    keys: tuple[tokens.Key, ...]
    limiter: Limiter
    clock: Callable[[], int]


class Refusal(Exception):
    """A request that is answered with an error. `code` is stable, `message` is shown to the guest."""

    def __init__(self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.response = Response(status, {"error": {"code": code, "message": message}}, headers or {})


def handle(app: App, request: Request) -> Response:
    """The answer to a request. Only a bug raises."""
    try:
        if request.path == "/healthz":
            return Response(200, {"status": "ok"}, {})
        now = app.clock()
        harbour = _harbour(app, request)
        claims = authenticate(app, harbour, request, now)
        wait = app.limiter.wait_seconds((harbour.slug, claims.subject), harbour.requests_per_minute, now)
        if wait > 0:
            retry_after = {"retry-after": str(int(wait) + 1)}
            raise Refusal(429, "tooManyRequests", "Too many requests, please wait a moment.", retry_after)
        return _route(app, harbour, claims, request, now)
    except Refusal as refusal:
        return refusal.response
    except StayError as problem:
        return Refusal(422, "invalidStay", str(problem)).response
    except bookings.BerthTaken:
        return Refusal(409, "berthTaken", "This berth has just been taken.").response
    except bookings.UnsuitableBerth:
        return Refusal(422, "unsuitableBerth", "The boat does not fit this berth.").response
    except bookings.UnknownBooking:
        return Refusal(404, "unknownBooking", "There is no such booking, or its time has run out.").response
    except Busy:
        return Refusal(503, "busy", "The harbour is busy, please try again.", {"retry-after": "5"}).response


def authenticate(app: App, harbour: Harbour, request: Request, now: int) -> tokens.Claims:
    """The claims of the request's token.

    Whatever is wrong with a token, the answer is one and the same 401: telling "expired" from "forged" or "for
    another harbour" would help only somebody who is guessing. The reason goes to the log.
    """
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    try:
        if scheme.lower() != "bearer":
            raise tokens.TokenError("no bearer token")
        claims = tokens.verify(app.keys, token, now)
        if claims.harbour != harbour.slug:
            raise tokens.TokenError("issued for another harbour")
        if claims.issued_at < harbour.tokens_valid_from:
            raise tokens.TokenError("issued before everybody was signed out")
    except tokens.TokenError as problem:
        log.info("token refused at %s: %s", harbour.slug, problem)
        challenge = {"www-authenticate": 'Bearer realm="quayside"'}
        raise Refusal(401, "signInAgain", "Please sign in again.", challenge) from None
    return claims


def _harbour(app: App, request: Request) -> Harbour:
    try:
        return app.harbours.get(request.headers.get(HARBOUR_HEADER, ""))
    except UnknownHarbour:
        raise Refusal(404, "unknownHarbour", "There is no harbour at this address.") from None


def _route(app: App, harbour: Harbour, claims: tokens.Claims, request: Request, now: int) -> Response:
    match (request.method, request.path.strip("/").split("/")):
        case ("POST", ["v1", "session"]):
            token = tokens.issue(app.keys, claims.subject, harbour.slug, claims.role, now)
            return Response(200, {"token": token}, {})
        case ("GET", ["v1", "berths"]):
            return _search(app, harbour, request, now)
        case ("POST", ["v1", "bookings"]):
            return _hold(app, harbour, claims, request, now)
        case ("POST", ["v1", "bookings", booking_id, "confirm"]):
            form = _json(request)
            with app.harbours.pool(harbour.slug).writing() as connection:
                booking = bookings.confirm(connection, booking_id, _text(form, "name"), _text(form, "mail"), now)
            return Response(200, _shown(booking), {})
        case ("DELETE", ["v1", "bookings", booking_id]):
            if claims.role != "staff":
                raise Refusal(403, "staffOnly", "Please ask the harbour office to cancel.")
            with app.harbours.pool(harbour.slug).writing() as connection:
                return Response(200, _shown(bookings.cancel(connection, booking_id)), {})
        case _:
            raise Refusal(404, "unknownRoute", f"There is nothing at {request.method} {request.path}.")


def _search(app: App, harbour: Harbour, request: Request, now: int) -> Response:
    stay = _stay(harbour, request.query, now)
    length_cm, draught_cm = _number(request.query, "lengthCm"), _number(request.query, "draughtCm")
    with app.harbours.pool(harbour.slug).reading() as connection:
        offers = bookings.free_berths(connection, harbour.tariff, stay, length_cm, draught_cm)
    shown = [
        {"berthId": o.berth_id, "name": o.name, "lengthCm": o.length_cm, "priceCents": o.price_cents} for o in offers
    ]
    return Response(200, {"berths": shown}, {})


def _hold(app: App, harbour: Harbour, claims: tokens.Claims, request: Request, now: int) -> Response:
    """Hold a berth once, however often the request arrives under one idempotency key."""
    form = _json(request)
    stay = _stay(harbour, form, now)
    key = request.headers.get("idempotency-key")
    if not key or len(key) > 64:
        raise Refusal(422, "idempotencyKeyMissing", "The request needs an Idempotency-Key of at most 64 characters.")
    key = f"{claims.subject}/{key}"
    fingerprint = hashlib.sha256(request.body).hexdigest()
    with app.harbours.pool(harbour.slug).writing() as connection:
        kept = connection.execute(
            "SELECT * FROM replies WHERE key = ? AND created_at > ?", (key, now - REPLY_SECONDS)
        ).fetchone()
        if kept is not None:
            if kept["request_hash"] != fingerprint:
                raise Refusal(422, "idempotencyKeyReused", "This Idempotency-Key belongs to another request.")
            return Response(kept["status"], json.loads(kept["body"]), {"idempotent-replay": "true"})
        # The sweep runs once a minute; a guest must not lose a berth to a hold that ran out since.
        bookings.expire_holds(connection, now)
        booking = bookings.hold(
            connection, harbour.tariff, _text(form, "berthId"), stay, _number(form, "lengthCm"), now
        )
        reply = Response(201, _shown(booking), {})
        connection.execute(
            "INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?)",
            (key, fingerprint, reply.status, json.dumps(reply.body), now),
        )
    return reply


def _shown(booking: Booking) -> dict[str, object]:
    """A booking as the API writes it: camelCase, cents, ISO dates, and nothing about the guest."""
    return {
        "id": booking.id,
        "berthId": booking.berth_id,
        "arrive": booking.arrive.isoformat(),
        "depart": booking.depart.isoformat(),
        "status": booking.status,
        "priceCents": booking.price_cents,
        "expiresAt": None if booking.expires_at is None else iso_instant(booking.expires_at),
    }


def _stay(harbour: Harbour, fields: Mapping[str, object], now: int) -> Stay:
    today = local_date(now, zone_of(harbour.zone))
    return parse_stay(_text(fields, "arrive"), _text(fields, "depart"), today)


def _json(request: Request) -> Mapping[str, object]:
    try:
        value = json.loads(request.body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise Refusal(400, "invalidJson", "The body must be a JSON object.")
    return cast("dict[str, object]", value)


def _text(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not value.strip():
        raise Refusal(422, "missingField", f"The field {name} is missing.")
    return value.strip()


def _number(fields: Mapping[str, object], name: str) -> int:
    """A whole number of centimetres, from JSON or from a query string."""
    value = fields.get(name)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 5:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 100_000:
        raise Refusal(422, "invalidNumber", f"The field {name} must be a whole number of centimetres.")
    return value
