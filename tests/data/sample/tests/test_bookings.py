"""Booking rules on real files: nights, holds, prices, the schema and the background jobs."""

import sqlite3
import tempfile
import threading
import unittest
from datetime import UTC, date, timedelta, timezone
from pathlib import Path

from quayside import bookings, jobs
from quayside.migrations import LATEST, SchemaTooNew, migrate, schema_version
from quayside.stay import Stay, StayError, local_date, parse_stay
from quayside.store import Busy, Pool, connect
from quayside.tariff import Season, Tariff, price_cents, tariff_from_json, tariff_to_json

NOW = 1_780_000_000  # 2026-05-28T20:26:40Z
TARIFF = Tariff(350, 1_500, (Season("summer", (6, 15), (8, 20), 140), Season("winter", (11, 1), (3, 31), 50)))
STAY = Stay(date(2026, 6, 10), date(2026, 6, 13))


class StoreCase(unittest.TestCase):
    """A harbour's file with one berth of 9 metres."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "harbour.db"
        self.pool = Pool(self.path)
        self.addCleanup(self.pool.close)
        with self.pool.reading() as connection:
            migrate(connection)
        with self.pool.writing() as connection:
            self.berth = bookings.add_berth(connection, "A1", 900, 250)

    def hold(self, stay: Stay = STAY, now: int = NOW) -> bookings.Booking:
        with self.pool.writing() as connection:
            return bookings.hold(connection, TARIFF, self.berth, stay, 830, now)


class Nights(StoreCase):
    def test_a_boat_arrives_on_the_day_another_leaves(self) -> None:
        self.hold()
        self.hold(Stay(STAY.depart, STAY.depart + timedelta(days=1)))
        with self.assertRaises(bookings.BerthTaken):
            self.hold(Stay(STAY.arrive - timedelta(days=2), STAY.arrive + timedelta(days=1)))

    def test_of_many_at_once_one_gets_the_berth(self) -> None:
        taken: list[bool] = []

        def guest() -> None:
            try:
                self.hold()
                taken.append(True)
            except bookings.BerthTaken:
                taken.append(False)

        guests = [threading.Thread(target=guest) for _ in range(8)]
        for thread in guests:
            thread.start()
        for thread in guests:
            thread.join()
        self.assertEqual(sorted(taken), [False] * 7 + [True])

    def test_a_refused_hold_leaves_nothing_behind(self) -> None:
        self.hold()
        with self.assertRaises(bookings.BerthTaken):
            self.hold()
        with self.pool.reading() as connection:
            self.assertEqual(connection.execute("SELECT count(*) FROM bookings").fetchone()[0], 1)

    def test_a_hold_runs_out(self) -> None:
        booking = self.hold()
        later = NOW + bookings.HOLD_MINUTES * 60
        with self.pool.writing() as connection:
            with self.assertRaises(bookings.UnknownBooking):
                bookings.confirm(connection, booking.id, "Mara", "mara@example.org", later)
            self.assertEqual(bookings.expire_holds(connection, later), 1)
            free = bookings.free_berths(connection, TARIFF, STAY, 830, 140)
        self.assertEqual([offer.berth_id for offer in free], [self.berth])

    def test_a_boat_needs_its_margin(self) -> None:
        with self.pool.writing() as connection:
            self.assertEqual(len(bookings.free_berths(connection, TARIFF, STAY, 850, 140)), 1)
            self.assertEqual(bookings.free_berths(connection, TARIFF, STAY, 851, 140), [])
            with self.assertRaises(bookings.UnsuitableBerth):
                bookings.hold(connection, TARIFF, self.berth, STAY, 851, NOW)

    def test_guests_are_forgotten_in_time(self) -> None:
        booking = self.hold()
        last_day = STAY.depart + timedelta(days=bookings.GUEST_DAYS)
        with self.pool.writing() as connection:
            bookings.confirm(connection, booking.id, "Mara", "mara@example.org", NOW)
            self.assertEqual(bookings.forget_guests(connection, last_day, NOW), 0)
            self.assertEqual(bookings.forget_guests(connection, last_day + timedelta(days=1), NOW), 1)
            self.assertIsNone(bookings.find(connection, booking.id).guest_mail)


class Dates(unittest.TestCase):
    def test_today_is_the_harbours(self) -> None:
        self.assertEqual(local_date(NOW, UTC), date(2026, 5, 28))
        self.assertEqual(local_date(NOW, timezone(timedelta(hours=9))), date(2026, 5, 29))

    def test_what_cannot_be_booked(self) -> None:
        today = date(2026, 5, 28)
        for arrive, depart in (
            ("2026-05-27", "2026-05-29"),
            ("2026-06-01", "2026-06-01"),
            ("2026-06-01", "2026-06-30"),
            ("2028-06-01", "2028-06-02"),
            ("1 June", "2026-06-02"),
        ):
            with self.subTest(arrive=arrive), self.assertRaises(StayError):
                parse_stay(arrive, depart, today)
        self.assertEqual(len(parse_stay("2026-06-01", "2026-06-29", today)), 28)


class Prices(unittest.TestCase):
    def test_rounded_once_for_the_stay(self) -> None:
        # 3.5 times 8.33 m = 29.155 a night: three nights are 87.47, three rounded nights would be 87.48.
        self.assertEqual(price_cents(TARIFF, STAY, 833), 8_747)

    def test_seasons_and_minimum(self) -> None:
        self.assertEqual(price_cents(TARIFF, Stay(date(2026, 6, 14), date(2026, 6, 16)), 1_000), 3_500 + 4_900)
        self.assertEqual(price_cents(TARIFF, Stay(date(2026, 12, 31), date(2027, 1, 1)), 800), 1_500)

    def test_json_round_trip(self) -> None:
        self.assertEqual(tariff_from_json(tariff_to_json(TARIFF)), TARIFF)
        with self.assertRaises(ValueError):
            tariff_from_json('{"cents_per_metre": 1}')


class Store(StoreCase):
    def test_migrating_again_does_nothing(self) -> None:
        with self.pool.reading() as connection:
            self.assertEqual(schema_version(connection), LATEST)
            self.assertEqual(migrate(connection), ())
            connection.execute(f"PRAGMA user_version = {LATEST + 1}")
            with self.assertRaises(SchemaTooNew):
                migrate(connection)

    def test_a_stuck_writer_is_busy_and_not_a_crash(self) -> None:
        other = connect(self.path)
        self.addCleanup(other.close)
        other.execute("BEGIN IMMEDIATE")
        with self.pool.reading() as connection:
            connection.execute("PRAGMA busy_timeout = 1")
        with self.assertRaises(Busy), self.pool.writing():
            self.fail("two writers at once")

    def test_an_empty_pool_is_busy(self) -> None:
        pool = Pool(self.path, size=1, timeout_ms=1)
        self.addCleanup(pool.close)
        with pool.reading(), self.assertRaises(Busy), pool.reading():
            self.fail("lent out twice")

    def test_nights_are_unique_in_the_schema(self) -> None:
        booking = self.hold()
        with self.assertRaises(sqlite3.IntegrityError), self.pool.writing() as connection:
            connection.execute("INSERT INTO nights VALUES (?, ?, ?)", (self.berth, "2026-06-10", booking.id))


class Jobs(StoreCase):
    def run_at(self, now: int, *, fails: bool = False) -> list[jobs.Job]:
        seen: list[jobs.Job] = []

        def mail(job: jobs.Job) -> None:
            seen.append(job)
            if fails:
                raise ConnectionError("mail server away")

        jobs.run_due(self.pool, {"mail": mail}, now)
        return seen

    def add(self) -> None:
        with self.pool.writing() as connection:
            jobs.enqueue(connection, "mail", {"booking": "b1"}, NOW)

    def test_runs_once_and_is_done(self) -> None:
        self.add()
        self.assertEqual([job.payload["booking"] for job in self.run_at(NOW)], ["b1"])
        self.assertEqual(self.run_at(NOW + 10_000), [])

    def test_fails_waits_and_is_given_up(self) -> None:
        self.add()
        now = NOW
        for attempt in range(1, jobs.MAX_ATTEMPTS + 1):
            self.assertEqual(len(self.run_at(now, fails=True)), 1)
            self.assertEqual(self.run_at(now + jobs.delay_seconds(attempt) - 1), [])
            now += jobs.delay_seconds(attempt)
        with self.pool.reading() as connection:
            [(_, kind, error)] = jobs.dead_jobs(connection)
        self.assertEqual((kind, error), ("mail", "ConnectionError: mail server away"))

    def test_comes_due_again_when_the_worker_dies(self) -> None:
        self.add()
        with self.assertRaises(KeyboardInterrupt):
            jobs.run_due(self.pool, {"mail": interrupted}, NOW)
        self.assertEqual(self.run_at(NOW + jobs.LEASE_SECONDS - 1), [])
        self.assertEqual([job.attempts for job in self.run_at(NOW + jobs.LEASE_SECONDS)], [2])


def interrupted(job: jobs.Job) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    unittest.main()
