"""Benchmarks of the server at a small scale: they do their work and print their figures, which are not judged here."""

import pytest

from perennial_command import perennial
from test_postgresql_process import postgresql  # noqa: F401


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    """The engine and the address of an empty database."""
    if request.param == "sqlite":
        return request.param, f"sqlite:{tmp_path / 'bench.db'}"
    server = request.getfixturevalue("postgresql")
    server.query("DROP SCHEMA public CASCADE")
    server.query("CREATE SCHEMA public")
    return request.param, server.url


def assert_ratio(shown, part, whole):
    """The rates are rounded to whole numbers, and their ratio to hundredths or thousandths."""
    assert (part - 0.5) / (whole + 0.5) - 0.01 <= shown <= (part + 0.5) / (whole - 0.5) + 0.01, (shown, part, whole)


def measure(*arguments):
    measured = perennial("bench", *arguments, "--json")
    assert measured.status == 0, measured
    return measured.json


def test_recovery_is_compared_with_the_intake_of_as_many_notifications(database):
    engine, address = database
    # 404 notifications are 81 subscriptions with five renewals each, in three rounds.
    figures = measure(
        "recovery", "--notifications", "404", "--subscriptions", "30", "--connections", "8", "--database", address
    )
    assert (figures["benchmark"], figures["database"], figures["notifications"]) == ("recovery", engine, 405)
    for name in (
        "raw_p256_microseconds", "ingest_per_second", "recovery_per_second", "recovery_to_ingest", "peak_resident_bytes"
    ):
        assert figures[name] > 0, figures
    assert {"ingest_cpu_microseconds", "recovery_cpu_microseconds"} <= figures.keys()
    assert_ratio(figures["recovery_to_ingest"], figures["recovery_per_second"], figures["ingest_per_second"])


def two_databases(engine, address, tmp_path):
    """Two empty databases: files, or schemas of one PostgreSQL database."""
    if engine == "sqlite":
        return address, f"sqlite:{tmp_path / 'many.db'}"
    return address, address + "?options=-csearch_path%3Dmany"


def test_a_tick_of_polling_is_measured_with_few_and_many_subscriptions(database, tmp_path, request):
    engine, address = database
    if engine == "postgresql":
        request.getfixturevalue("postgresql").query("DROP SCHEMA IF EXISTS many CASCADE")
        request.getfixturevalue("postgresql").query("CREATE SCHEMA many")
    few, many = two_databases(engine, address, tmp_path)
    figures = measure(
        "polls", "--few", "200", "--many", "3001", "--due", "7", "--ticks", "5", "--database", few, "--database", many
    )
    assert (figures["benchmark"], figures["database"]) == ("polls", engine)
    assert (figures["few_subscriptions"], figures["many_subscriptions"]) == (200, 3001)
    for size in ("few", "many"):
        assert figures[f"{size}_idle_microseconds"] > 0 and figures[f"{size}_due_microseconds"] > 0, figures
    assert figures["idle_many_to_few"] > 0 and figures["due_many_to_few"] > 0, figures


def test_campaigns_extend_every_subscription_by_an_order_and_by_single_calls(database):
    engine, address = database
    figures = measure("extensions", "--subscriptions", "150", "--database", address)
    assert (figures["benchmark"], figures["database"], figures["subscriptions"]) == ("extensions", engine, 150)
    for name in (
        "single_per_second", "renewals_per_second", "announcements_per_second", "peak_resident_bytes",
        "progress_early_read_microseconds", "progress_late_read_microseconds",
    ):
        assert figures[name] > 0, figures
    # At least 1 % and 99 % of the members have a result.
    # The calls during the reads of the progress are not measured.
    assert 2 <= figures["single_calls_measured"] <= 150, figures
    early, late = figures["progress_early_members_done"], figures["progress_late_members_done"]
    assert 2 <= early <= late and 149 <= late <= 150, figures


def test_the_dry_run_of_a_campaign_is_measured(database):
    engine, address = database
    figures = measure("campaign", "--subscriptions", "1000", "--database", address)
    # The sample is a subscription too.
    assert (figures["benchmark"], figures["database"], figures["subscriptions"]) == ("campaign", engine, 1001)
    assert figures["dry_run_seconds"] >= 0 and figures["peak_memory_bytes"] > 0, figures


def test_webhooks_go_to_a_fast_receiver_to_many_and_to_dead_ones(database):
    engine, address = database
    figures = measure(
        "webhooks", "--subscriptions", "100", "--months", "1", "--endpoints", "5", "--dead", "2", "--database", address
    )
    assert (figures["benchmark"], figures["database"], figures["time"]) == ("webhooks", engine, "server_process_cpu")
    assert (figures["endpoints"], figures["dead_endpoints"], figures["fixed_rate_per_second"]) == (5, 2, 500)
    # A purchase and its end cause a few events each: a number far from that was read from something else.
    assert 100 <= figures["events"] <= 1000, figures
    for name in (
        "raw_p256_microseconds", "deliveries_per_second", "delivery_cpu_microseconds", "deliveries_per_cpu_second",
        "fixed_rate_p50_milliseconds", "fixed_rate_p99_milliseconds", "shared_per_second", "shared_per_second_with_dead",
        "shared_ratio", "peak_resident_bytes",
    ):
        assert figures[name] > 0, figures
    assert {"ingest_cpu_microseconds", "ingest_cpu_microseconds_with_endpoint", "ingest_cpu_ratio"} <= figures.keys()
    assert figures["fixed_rate_p50_milliseconds"] <= figures["fixed_rate_p99_milliseconds"]
    assert_ratio(figures["shared_ratio"], figures["shared_per_second_with_dead"], figures["shared_per_second"])


@pytest.mark.parametrize("benchmark", ["recovery", "polls", "campaign", "extensions", "webhooks"])
def test_a_database_with_tables_is_refused(benchmark, tmp_path):
    address = f"sqlite:{tmp_path / 'used.db'}"
    assert perennial("migrate", "--database", address).status == 0
    further = ["--database", f"sqlite:{tmp_path / 'many.db'}"] if benchmark == "polls" else []
    refused = perennial("bench", benchmark, "--database", address, *further)
    assert refused.status != 0 and "database_in_use" in refused.stderr, refused


def test_a_verification_of_derived_data_is_measured(database):
    engine, address = database
    figures = measure("rebuild", "--subscriptions", "20", "--months", "3", "--rounds", "2", "--database", address)
    assert (figures["benchmark"], figures["database"]) == ("rebuild", engine)
    assert (figures["inputs"], figures["facts"], figures["purchases"]) == (60, 180, 20)
    for name in ("facts_per_cpu_second", "facts_per_second", "raw_read_microseconds_per_input", "peak_memory_bytes"):
        assert figures[name] > 0, figures


def test_a_copy_into_another_database_is_measured(database):
    engine, address = database
    figures = measure("copy", "--inputs", "1000", "--to", address)
    assert (figures["benchmark"], figures["from"], figures["to"]) == ("copy", "sqlite", engine)
    # Each input has two other rows; one more is the app.
    assert figures["rows"] == 3001, figures
    for name in ("bytes", "export_rows_per_second", "import_rows_per_second", "plain_copy_rows_per_second"):
        assert figures[name] > 0, figures


def test_the_reading_of_receipts_is_measured():
    figures = measure("receipts", "--rounds", "3", "--purchases", "5")
    assert (figures["benchmark"], figures["purchases"], figures["rounds"]) == ("receipts", 5, 3)
    for name in (
        "raw_asn1_trees_per_second", "parsed_per_second", "ids_extracted_per_second", "verified_per_second",
        "migrated_offline_per_second", "receipt_bytes",
    ):
        assert figures[name] > 0, figures
