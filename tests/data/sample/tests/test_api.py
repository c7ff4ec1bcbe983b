"""The API as a guest's phone sees it, without a socket but for one test."""

import contextlib
import http.client
import io
import json
import tempfile
import threading
import unittest
from dataclasses import replace
from pathlib import Path
from typing import cast

from quayside import api, bookings, tokens
from quayside.__main__ import DEFAULT_TARIFF, main
from quayside.limiter import BURST, Limiter
from quayside.server import MAX_BODY_BYTES, make_server
from quayside.tenants import Harbour, Harbours

NOW = 1_780_000_000  # 2026-05-28T20:26:40Z
FORM = {"arrive": "2026-06-10", "depart": "2026-06-13", "lengthCm": 830}


class ApiCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = Path(folder.name)
        self.harbours = Harbours(self.data)
        self.addCleanup(self.harbours.close)
        for slug in ("lillevik", "storvik"):
            self.harbours.put(Harbour(slug, slug.title(), "UTC", DEFAULT_TARIFF))
        with self.harbours.pool("lillevik").writing() as connection:
            self.berth = bookings.add_berth(connection, "A1", 900, 250)
        self.now = NOW
        self.keys = tokens.rotate((), NOW)
        self.app = api.App(self.harbours, self.keys, Limiter(), lambda: self.now)
        self.token = tokens.issue(self.keys, "mara", "lillevik", "guest", NOW)

    def ask(self, method: str, path: str, form: object = None, **headers: str) -> api.Response:
        sent = {"authorization": f"Bearer {self.token}", "x-harbour": "lillevik"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        body = b"" if form is None else json.dumps(form).encode()
        query = {"lengthCm": "830", "draughtCm": "140", "arrive": "2026-06-10", "depart": "2026-06-13"}
        return api.handle(self.app, api.Request(method, path, query, sent, body))

    def code(self, response: api.Response) -> tuple[int, object]:
        error = cast("dict[str, object]", response.body["error"])
        return response.status, error["code"]


class Tokens(ApiCase):
    def test_everything_wrong_with_a_token_is_the_same_401(self) -> None:
        foreign = tokens.issue(self.keys, "mara", "storvik", "guest", NOW)
        forged = tokens.issue(tokens.rotate((), NOW), "mara", "lillevik", "staff", NOW)
        header, payload, signature = self.token.split(".")
        early = tokens.issue(self.keys, "mara", "lillevik", "guest", NOW + 3_600)
        wrong = ["", "x", "a.b.c", foreign, forged, early, f"{header}.{payload}.", f"{header}.é.{signature}"]
        wrong.append(f"{'W' * 40_000}.{payload}.{signature}")
        answers = {json.dumps(self.ask("GET", "/v1/berths", authorization=f"Bearer {t}").body) for t in wrong}
        answers.add(json.dumps(self.ask("GET", "/v1/berths", authorization="Basic eA==").body))
        self.assertEqual(len(answers), 1)
        self.assertEqual(self.code(self.ask("GET", "/v1/berths", authorization="Bearer x")), (401, "signInAgain"))

    def test_a_day_and_the_leeway(self) -> None:
        self.now = NOW + tokens.EXPIRY_SECONDS + tokens.LEEWAY_SECONDS - 1
        self.assertEqual(self.ask("GET", "/v1/berths").status, 200)
        self.now += 1
        self.assertEqual(self.ask("GET", "/v1/berths").status, 401)

    def test_one_rotation_signs_nobody_out_two_do(self) -> None:
        once = tokens.rotate(self.keys, NOW + 1)
        self.assertEqual(tokens.verify(once, self.token, NOW).subject, "mara")
        with self.assertRaises(tokens.TokenError):
            tokens.verify(tokens.rotate(once, NOW + 2), self.token, NOW)

    def test_signing_everybody_out(self) -> None:
        self.harbours.sign_everybody_out("lillevik", NOW + 1)
        self.assertEqual(self.ask("GET", "/v1/berths").status, 401)

    def test_keys_survive_and_are_private(self) -> None:
        path = self.data / "keys.json"
        self.assertEqual(tokens.load_keys(path), ())
        tokens.save_keys(path, self.keys)
        self.assertEqual(tokens.load_keys(path), self.keys)
        self.assertEqual(path.stat().st_mode & 0o077, 0)


class Routes(ApiCase):
    def test_search_hold_confirm(self) -> None:
        found = self.ask("GET", "/v1/berths").body["berths"]
        self.assertEqual(found, [{"berthId": self.berth, "name": "A1", "lengthCm": 900, "priceCents": 8_715}])
        held = self.ask("POST", "/v1/bookings", {**FORM, "berthId": self.berth}, idempotency_key="k1")
        self.assertEqual((held.status, held.body["expiresAt"]), (201, "2026-05-28T20:41:40Z"))
        guest = {"name": "Mara", "mail": "mara@example.org"}
        path = f"/v1/bookings/{held.body['id']}/confirm"
        self.assertEqual(self.ask("POST", path, guest).body["status"], "confirmed")
        self.assertEqual(self.ask("POST", path, guest).body["status"], "confirmed")
        with self.harbours.pool("lillevik").reading() as connection:
            self.assertEqual(connection.execute("SELECT count(*) FROM jobs").fetchone()[0], 1)

    def test_an_idempotency_key_books_once(self) -> None:
        form = {**FORM, "berthId": self.berth}
        first = self.ask("POST", "/v1/bookings", form, idempotency_key="k1")
        again = self.ask("POST", "/v1/bookings", form, idempotency_key="k1")
        self.assertEqual((again.status, again.body), (first.status, first.body))
        other = self.ask("POST", "/v1/bookings", {**form, "lengthCm": 800}, idempotency_key="k1")
        self.assertEqual(self.code(other), (422, "idempotencyKeyReused"))
        taken = self.ask("POST", "/v1/bookings", form, idempotency_key="k2")
        self.assertEqual(self.code(taken), (409, "berthTaken"))

    def test_only_staff_cancel(self) -> None:
        held = self.ask("POST", "/v1/bookings", {**FORM, "berthId": self.berth}, idempotency_key="k1")
        path = f"/v1/bookings/{held.body['id']}"
        self.assertEqual(self.code(self.ask("DELETE", path)), (403, "staffOnly"))
        self.token = tokens.issue(self.keys, "desk", "lillevik", "staff", NOW)
        self.assertEqual(self.ask("DELETE", path).body["status"], "cancelled")

    def test_errors_have_codes(self) -> None:
        key = {"idempotency_key": "k1"}
        self.assertEqual(self.code(self.ask("GET", "/v1/berths", x_harbour="nowhere")), (404, "unknownHarbour"))
        self.assertEqual(self.code(self.ask("GET", "/v2/berths")), (404, "unknownRoute"))
        self.assertEqual(self.code(self.ask("POST", "/v1/bookings", [])), (400, "invalidJson"))
        self.assertEqual(self.code(self.ask("POST", "/v1/bookings", FORM)), (422, "idempotencyKeyMissing"))
        self.assertEqual(self.code(self.ask("POST", "/v1/bookings", FORM, **key)), (422, "missingField"))
        long = {**FORM, "berthId": self.berth, "lengthCm": True}
        self.assertEqual(self.code(self.ask("POST", "/v1/bookings", long, **key)), (422, "invalidNumber"))

    def test_the_rate_is_per_harbour_and_subject(self) -> None:
        for _ in range(BURST):
            self.assertEqual(self.ask("GET", "/v1/berths").status, 200)
        refused = self.ask("GET", "/v1/berths")
        self.assertEqual((refused.status, refused.headers["retry-after"]), (429, "1"))
        self.token = tokens.issue(self.keys, "odd", "lillevik", "guest", NOW)
        self.assertEqual(self.ask("GET", "/v1/berths").status, 200)


class Buckets(unittest.TestCase):
    def test_fills_up_again(self) -> None:
        limiter = Limiter(burst=1, max_buckets=1)
        self.assertEqual(limiter.wait_seconds(("h", "a"), 60, 0.0), 0.0)
        self.assertEqual(limiter.wait_seconds(("h", "a"), 60, 0.25), 0.75)
        self.assertEqual(limiter.wait_seconds(("h", "b"), 60, 9.0), 0.0)
        self.assertEqual(len(limiter), 1)


class Tenants(ApiCase):
    def test_names_and_rates_that_cannot_be(self) -> None:
        good = self.harbours.get("lillevik")
        for bad in (replace(good, slug="../x"), replace(good, zone="Mars/Base"), replace(good, requests_per_minute=0)):
            with self.subTest(bad=bad), self.assertRaises(ValueError):
                self.harbours.put(bad)

    def test_harbours_share_no_file(self) -> None:
        self.harbours.pool("storvik")
        names = sorted(path.name for path in (self.data / "harbours").glob("*.db"))
        self.assertEqual(names, ["lillevik.db", "storvik.db"])


class Socket(ApiCase):
    def test_over_http(self) -> None:
        server = make_server(self.app, "127.0.0.1", 0)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=10)
            headers = {"Authorization": f"Bearer {self.token}", "X-Harbour": "lillevik"}
            path = "/v1/berths?arrive=2026-06-10&depart=2026-06-13&lengthCm=830&draughtCm=140"
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            self.assertEqual((answer.status, len(json.load(answer)["berths"])), (200, 1))
            connection.putrequest("POST", "/v1/bookings")
            connection.putheader("Content-Length", str(MAX_BODY_BYTES + 1))
            connection.endheaders()
            answer = connection.getresponse()
            self.assertEqual((answer.status, json.load(answer)["error"]["code"]), (413, "bodyTooLarge"))
            connection.close()
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


class CommandLine(unittest.TestCase):
    def test_an_unknown_harbour_is_an_error_with_a_name(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(main(["--data", folder, "harbour", "lillevik", "--name", "Lillevik"], lambda: NOW), 0)
            with contextlib.redirect_stderr(io.StringIO()) as said:
                self.assertEqual(main(["--data", folder, "sign-out", "nowhere"], lambda: NOW), 1)
        self.assertEqual(said.getvalue(), "error: there is no harbour 'nowhere'\n")


if __name__ == "__main__":
    unittest.main()
