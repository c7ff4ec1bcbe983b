"""What a memory states of entities, and above all what it does not."""

import pytest

from memofs.graph.extract import MOST_STATEMENTS, extract
from memofs.graph.fact import SELF, Statement
from stores import memory
from unit.graph.graphs import stated


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("OAuth supersedes JWT.", ["OAuth supersedes JWT"]),
        ("The API depends on Postgres.", ["API depends_on Postgres"]),
        ("Authentication uses OAuth", ["Authentication uses OAuth"]),
        ("- Celery requires Redis and RabbitMQ.", ["Celery depends_on Redis", "Celery depends_on RabbitMQ"]),
        ("1. `worker` relies on the `Journal` class.", ["worker depends_on Journal"]),
        ("## Team Red owns Billing", ["Team Red owns Billing"]),
        ("The Publishing API and Content Store use PostgreSQL.",
         ["Publishing API uses PostgreSQL", "Content Store uses PostgreSQL"]),
        ("gRPC replaces REST, and the Gateway blocks SOAP.", ["gRPC supersedes REST", "Gateway blocks SOAP"]),
        ("@ada maintains edge/worker.ts.", ["@ada owns edge/worker.ts"]),
        ("Billing is owned by Team Red.", ["Team Red owns Billing"]),
        ("JWT is superseded by OAuth.", ["OAuth supersedes JWT"]),
        ("MySQL is deprecated in favour of PostgreSQL.", ["PostgreSQL supersedes MySQL"]),
        ("The Dashboard is built with React and TypeScript.", ["Dashboard uses React", "Dashboard uses TypeScript"]),
        ("The Gateway uses Redis and depends on Kafka.", ["Gateway uses Redis", "Gateway depends_on Kafka"]),
        ("In production, the Gateway uses Envoy.", ["Gateway uses Envoy"]),
        ("The decision stands because Celery requires\nRedis for its results.", ["Celery depends_on Redis"]),
        ("We use **Redis** for [sessions](http://x).", ["we uses Redis"]),
        ("We have decided to use `pgbouncer` as a pooler.", ["we uses pgbouncer"]),
        ("After long talks in the whole team and some tests, we will use RabbitMQ.", ["we uses RabbitMQ"]),
        ("JWT tokens are used for stateless authentication.", ["we uses JWT"]),
        ("Use D1 for tenant metadata.", ["we uses D1"]),
        ("We prefer msgspec over Pydantic.", ["we prefers msgspec"]),
    ],
)  # fmt: skip
def test_statements(text: str, found: list[str]) -> None:
    assert stated(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The Gateway no longer uses Mongo.", ["no longer: Gateway uses Mongo"]),
        ("We stopped using Jenkins.", ["no longer: we uses Jenkins"]),
        ("We use Postgres instead of MySQL.", ["we uses Postgres", "no longer: we uses MySQL"]),
        ("The Gateway uses Envoy rather than HAProxy.", ["Gateway uses Envoy", "no longer: Gateway uses HAProxy"]),
        ("We replaced Mongo with Postgres.", ["we uses Postgres", "no longer: we uses Mongo"]),
        ("We moved from Jenkins to GitHub Actions.", ["we uses GitHub Actions", "no longer: we uses Jenkins"]),
        ("We dropped Viper in favour of msgspec.", ["no longer: we uses Viper", "we uses msgspec"]),
    ],
)
def test_what_is_over(text: str, found: list[str]) -> None:
    assert stated(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "We never use Redis.",
        "We do not use Redis, and the Gateway doesn't use Kafka.",
        "Neither the Gateway nor Celery uses Redis.",
        "The Gateway cannot use Redis.",
        "Avoid Redis.",
        "Should we use Redis?",
        "Does the Gateway use Redis?",
        "We use Redis, right?",
        "If the Gateway uses Redis, Celery requires Kafka.",
        "The Gateway uses Redis if Kafka is down.",
        "We could use Redis. We might use Kafka. We would prefer Postgres.",
        "We considered Redis; it was considered to use Kafka.",
        "We want to use Redis, and we plan to use Kafka.",
        "Previously, the Gateway used Redis.",
        "Nobody uses Redis.",
        "The Gateway uses Redis or Kafka.",
        "The Gateway uses either Redis or Kafka.",
        "The service that uses Redis is slow.",
        "The API requires API keys.",
        "It uses Redis. This approach uses Kafka. They depend on Postgres. The code uses SQLite.",
        "Everything uses UTC.",
        "The Gateway needs to restart.",
        "Optimizing block proposals requires Redis-backed stores.",
        "Exceptions like KeyError, ValueError are caught.",
        "The Gateway uses Envoy's filters.",
        "Redis uses Redis.",
        "> We use Redis.",
        "| We use Redis | The Gateway uses Kafka |",
        "<!-- We use Redis. -->",
        "```\nThe Gateway uses Redis.\nA1 -> B1\n```",
        "text\n\n    The Gateway uses Redis.",
    ],
)
def test_what_states_nothing(text: str) -> None:
    assert stated(text) == []


@pytest.mark.parametrize(
    "heading", ["Context", "Considered Options", "Alternatives", "Rejected", "Status", "Background", "Open questions"]
)
def test_parts_that_weigh_or_look_back_state_nothing(heading: str) -> None:
    text = f"## {heading}\n\nWe use Redis.\n\n### Option 1\n\nUse Kafka.\n\n## Decision\n\nWe use Postgres.\n"
    assert stated(text) == ["we uses Postgres"]


def test_pros_and_cons_state_nothing() -> None:
    assert stated("* Good, because we use Redis.\n* Bad, because Celery requires Kafka.\n* Option: use Go.") == []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Gateway -> Redis", ["Gateway related_to Redis"]),
        ("- Gateway → uses → Redis", ["Gateway uses Redis"]),
        ("Gateway => depends_on => Redis", ["Gateway depends_on Redis"]),
        ("Gateway -> feeds -> Redis", ["Gateway related_to Redis"]),
        ("Gateway -> Kafka -> Redis", ["Gateway related_to Kafka", "Kafka related_to Redis"]),
        ("A -> uses -> B", ["A uses B"]),
        ("`old_name` -> 42", []),
        ("the thing we had -> Redis", []),
        ("A call f() -> Redis for a while, see below. And more.", []),
    ],
)
def test_arrows(line: str, found: list[str]) -> None:
    assert stated(line) == found


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("Use D1 for tenant metadata", ["we uses D1"]),
        ("14. Replace Terraform Cloud with S3", ["we uses S3", "no longer: we uses Terraform Cloud"]),
        ("ADR-0006: Adopt ZIO HTTP", ["we uses ZIO HTTP"]),
        ("Use Picocli instead of Apache Commons CLI", ["we uses Picocli", "no longer: we uses Apache Commons CLI"]),
        ("ADR 077: Configurable Block Retention", []),
        ("Use of Redis", []),
        ("Should we use Redis?", []),
    ],
)
def test_titles(title: str, found: list[str]) -> None:
    assert stated("", title) == found


def test_only_decisions_tell_what_is_used_by_telling_to_use_it() -> None:
    assert stated("Use Docker to run the tests.", kind="note") == []
    assert stated("Use Docker to run the tests.", kind="constraint") == ["we uses Docker"]


def test_plain_words_are_ends_that_others_have_to_know() -> None:
    found = extract(memory("000001", "", "The booking service uses the rate limiter.")).statements
    assert found == (Statement("booking service", "uses", "rate limiter", 0, False, "known", "known"),)


def test_lines_are_those_of_the_body() -> None:
    text = "# Head\n\nOne paragraph that\nis wrapped. OAuth supersedes\nJWT.\n\n- We use Redis.\n"
    found = extract(memory("000001", "", text)).statements
    assert [(each.source, each.target, each.line) for each in found] == [("OAuth", "JWT", 3), (SELF, "Redis", 6)]


def test_front_matter_names_entities() -> None:
    made = memory("000001", "Use Postgres for PgBouncer's sake", tags=("db", "→"), aliases=("Cloudflare D1",))
    facts = extract(made)
    assert facts.names == ("db", "Cloudflare D1", "Postgres")
    anchored = extract(memory("000002", "The Journal of HMAC", paths=("src/a.py",)))
    assert anchored.mentions == ("Journal", "HMAC", "src/a.py")
    assert anchored.names == ("HMAC",)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A JSON Web Token (JWT) is signed.", [("JWT", "JSON Web Token")]),
        ("JWT (JSON Web Token)", [("JWT", "JSON Web Token")]),
        ("continuous integration and continuous delivery (CI/CD)",
         [("CI/CD", "continuous integration and continuous delivery")]),
        ("We inspect the code structure. We focus on the tree (IOperation).", []),
        ("an ENV value (eg. `x`) allows", []),
        ("nothing (at all)", []),
    ],
)  # fmt: skip
def test_parentheses_name_what_is_short(text: str, found: list[tuple[str, str]]) -> None:
    assert list(extract(memory("000001", "", text)).aliases) == found


def test_a_memory_states_no_more_than_so_much() -> None:
    text = "\n\n".join(f"Gateway{number} uses Redis{number}." for number in range(MOST_STATEMENTS + 50))
    assert len(extract(memory("000001", "", text)).statements) == MOST_STATEMENTS
