#!/usr/bin/env python3
"""Adds subscriptions to a server's database: `PERENNIAL_DATABASE_URL=… scripts/fill-database.py SUBSCRIPTIONS`.

For `perennial bench ingest|read --database … --fill PROGRAM`: what is measured afterwards lies between what is added
here, in every index. Each added subscription is a copy of one that is there, with identifiers of its own: one
notification, a customer, and a purchase that has the facts of the one it is copied from. Nothing of it falls due.
PostgreSQL is filled with `psql`, SQLite with Python's own module.
"""

import os
import sqlite3
import subprocess
import sys
import time
import urllib.parse

FAR_FUTURE = 4_102_444_800_000  # 2100-01-01
COUNTED = ["evidence", "events"]

# Identifiers of what is added, from its number n; the numbers of purchases lie between those of the purchases that are
# there, those of customers and notifications anywhere.
DIALECTS = {
    "sqlite": {
        "scattered": "printf('%08x-{kind}-4000-8000-%012x', n * 2654435761 % 4294967296, n)",
        "purchase": "printf('%d%08d', :low + n * :span / :count, n)",
        "evidence": "evidence_key({id})",
        "order": "position",
        "series": "(WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < :count)"
        " SELECT n FROM series)",
    },
    "postgresql": {
        "scattered": "lpad(to_hex(n * 2654435761 % 4294967296), 8, '0') || '-{kind}-4000-8000-' ||"
        " lpad(to_hex(n), 12, '0')",
        "purchase": "(:low + n * :span / :count)::text || lpad(n::text, 8, '0')",
        "evidence": "{id}",
        "order": "sequence",
        "series": "(SELECT generate_series(1::bigint, :count) AS n)",
    },
}


def tables(dialect: dict[str, str]) -> dict[str, dict[str, str]]:
    """What is another in each copy, by table and column."""
    purchase = dialect["purchase"]
    evidence = dialect["scattered"].format(kind="0000")
    customer = dialect["scattered"].format(kind="1111")
    fact = {"original_transaction_id": purchase, "evidence_id": evidence}
    return {
        "evidence": {
            "evidence_id": dialect["evidence"].format(id=dialect["scattered"].format(kind="0000")),
            "original_transaction_id": purchase,
            dialect["order"]: ":last + n",
            "previous": "NULL",
        },
        "purchases": {
            "original_transaction_id": purchase,
            "customer_id": customer,
            "next_change_at": str(FAR_FUTURE),
            # The lower 40 bits of a position are the sequence number, the upper ones the number of the app.
            "last_evidence": "(:last + n) % 1099511627776",
        },
        "customers": {"customer_id": customer},
        "claims": fact | {"customer_id": customer},
        "events": {"customer_id": customer, "sequence": ":last + n"},
    }


def insertion(table: str, columns: list[str], other: dict[str, str], series: str) -> str:
    """The statement that copies a table's first row."""
    values = [other.get(column, f"pattern.{column}") for column in columns]
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)}"
        f" FROM (SELECT * FROM {table} LIMIT 1) AS pattern CROSS JOIN {series} AS series"
    )


def bounds(low: str | int, high: str | int) -> dict[str, int]:
    """Where the benchmark's purchases lie: it has made a third of them so far, unless it sells more months than six."""
    return {"low": int(low), "span": 4 * (int(high) - int(low))}


def evidence_key(uuid: str) -> bytes:
    """SQLite's key of a notification: one byte for the kind, one that says that a UUID follows, the UUID."""
    return bytes([1, 0]) + bytes.fromhex(uuid.replace("-", ""))


class SQLite:
    """A file, written by this process."""

    dialect = DIALECTS["sqlite"]

    def __init__(self, path: str) -> None:
        self.path = path
        self.connection = sqlite3.connect(path, isolation_level=None)
        # Quick rather than safe: whoever interrupts this makes the database anew.
        for pragma in ["journal_mode = OFF", "synchronous = OFF", "cache_size = -4000000", "foreign_keys = OFF"]:
            self.connection.execute(f"PRAGMA {pragma}")
        self.connection.create_function("evidence_key", 1, evidence_key, deterministic=True)
        self.known: dict[str, int] = {}

    def row(self, query: str) -> tuple:
        return self.connection.execute(query).fetchone()

    def columns(self, table: str) -> list[str]:
        return [row[1] for row in self.connection.execute(f"PRAGMA table_info({table})")]

    def run(self, statement: str) -> None:
        named = {name: value for name, value in self.known.items() if f":{name}" in statement}
        self.connection.execute(statement, named)

    def finish(self) -> None:
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.close()
        # Here, and not while something is measured.
        with open(self.path, "rb") as file:
            os.fsync(file.fileno())


class PostgreSQL:
    """A server's database, written through psql."""

    dialect = DIALECTS["postgresql"]

    def __init__(self, address: str) -> None:
        # An address may hold a password, so it is no argument.
        parts = urllib.parse.urlsplit(address)
        given = {
            "PGHOST": parts.hostname,
            "PGPORT": parts.port and str(parts.port),
            "PGUSER": parts.username,
            "PGPASSWORD": parts.password and urllib.parse.unquote(parts.password),
            "PGDATABASE": parts.path.lstrip("/"),
        }
        self.environment = os.environ | {name: value for name, value in given.items() if value}
        self.known: dict[str, int] = {}

    def psql(self, statement: str) -> str:
        for name, value in self.known.items():
            statement = statement.replace(f":{name}", f"{value}::bigint")
        command = ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1"]
        return subprocess.run(
            command, input=statement, env=self.environment, check=True, text=True, stdout=subprocess.PIPE
        ).stdout.strip()

    def row(self, query: str) -> tuple:
        return tuple(self.psql(query).split("|"))

    def columns(self, table: str) -> list[str]:
        return self.psql(
            "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema()"
            f" AND table_name = '{table}' ORDER BY ordinal_position"
        ).split("\n")

    def run(self, statement: str) -> None:
        self.psql(statement)

    def finish(self) -> None:
        for table in COUNTED:
            self.psql(f"UPDATE app_counters SET {table} = (SELECT max(sequence) FROM {table})")
        self.psql("VACUUM ANALYZE")
        self.psql("CHECKPOINT")


def main() -> None:
    address = os.environ.get("PERENNIAL_DATABASE_URL", "")
    if len(sys.argv) != 2 or not sys.argv[1].isdigit() or not address:
        sys.exit(__doc__)
    database = SQLite(address.removeprefix("sqlite:")) if address.startswith("sqlite:") else PostgreSQL(address)
    low, high = database.row("SELECT min(original_transaction_id), max(original_transaction_id) FROM purchases")
    database.known = bounds(low, high) | {"count": int(sys.argv[1])}
    for table, other in tables(database.dialect).items():
        start = time.monotonic()
        order = next((column for column in ("position", "sequence") if column in other), None)
        if order:
            database.known["last"] = int(database.row(f"SELECT max({order}) FROM {table}")[0])
        database.run(insertion(table, database.columns(table), other, database.dialect["series"]))
        print(f"{table}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    database.finish()


main()
