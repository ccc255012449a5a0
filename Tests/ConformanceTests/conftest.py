import hashlib
import itertools
import os
from pathlib import Path

import pytest

from local_store import LocalStore, binary
from notification_receiver import NotificationReceiver
from postgresql_server import PostgreSQLServer, allow_other_users


def pytest_sessionstart(session):
    """A missing program is a failure, not a reason to skip the tests."""
    if not os.access(binary(), os.X_OK):
        pytest.exit(f"{binary()} is no program: build it, or set PERENNIAL_BINARY", returncode=1)


@pytest.fixture
def start_store(tmp_path):
    """Starts stores, and stops each at the end of the test."""
    stores = []

    def start(**options):
        store = LocalStore(tmp_path / f"store-{len(stores)}.log", **options)
        stores.append(store)
        return store

    yield start
    for store in stores:
        store.stop()


@pytest.fixture
def store(start_store):
    return start_store()


@pytest.fixture(params=["sandbox", "production"])
def store_of_each_environment(request, start_store):
    return start_store(environment=request.param)


@pytest.fixture(scope="session")
def shared_postgresql(tmp_path_factory):
    """One PostgreSQL server for all tests of this process that only need a database of their own."""
    server = PostgreSQLServer(allow_other_users(tmp_path_factory.mktemp("postgresql")))
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def new_database(request, tmp_path):
    """Gives empty databases: a test that uses this runs on each engine."""
    numbers = itertools.count(1)
    if request.param == "sqlite":
        return lambda: tmp_path / f"perennial-{next(numbers)}.db"
    server = request.getfixturevalue("shared_postgresql")
    test = hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:16]
    return lambda: server.create_database(f"test_{test}_{next(numbers)}")


@pytest.fixture
def receiver():
    receiver = NotificationReceiver()
    yield receiver
    receiver.stop()


@pytest.fixture
def storekit_folder():
    """The folder with Xcode's `.storekit` files. If PERENNIAL_VECTORS is set, a missing file is a failure."""
    vectors = os.environ.get("PERENNIAL_VECTORS")
    if not vectors:
        pytest.skip("PERENNIAL_VECTORS does not name the folder of test vectors")
    return Path(vectors) / "storekit"
