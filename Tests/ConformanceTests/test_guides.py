"""The commands and examples of the guides in Documentation do what the guides say."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from local_store import REPOSITORY, binary
from perennial_command import perennial
from postgresql_server import PostgreSQLServer, allow_other_users, programs
from subscription_server import SECRET_KEY, SubscriptionServer

EXAMPLE = REPOSITORY / "Examples/own-backend"


def page(name):
    [path] = (REPOSITORY / "Documentation").glob(f"*/{name}")
    return path.read_text()


def blocks(name, language=""):
    """The fenced blocks of a page in one language, in order."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", page(name), flags=re.MULTILINE | re.DOTALL)
    return [text for kind, text in found if kind == language]


# Links


def test_every_link_within_the_pages_has_a_target():
    pages = [*REPOSITORY.glob("*.md"), *(REPOSITORY / "Documentation").rglob("*.md")]
    assert len(pages) > 60
    for path in pages:
        # Code is skipped, because a Swift attribute contains the same brackets.
        text = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(), flags=re.DOTALL)
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            if "://" in link:
                continue
            target, _, heading = link.partition("#")
            target = (path.parent / target).resolve() if target else path
            assert target.exists(), f"{path}: {link}"
            if heading:
                assert heading in headings(target), f"{path}: {link}"


def headings(path):
    """The anchors of a page's headings, as GitHub makes them."""
    found = re.findall(r"^#+ (.*)$", path.read_text(), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in found}


def test_every_page_is_in_the_index():
    index = (REPOSITORY / "Documentation/README.md").read_text()
    for path in (REPOSITORY / "Documentation").glob("*/*.md"):
        if path.parent.name != "decisions":
            assert f"({path.relative_to(REPOSITORY / 'Documentation')})" in index, path


# Test your own backend


BACKENDS = {"python": [sys.executable, "backend.py"], "node": ["node", "backend.mjs"], "java": ["java", "Backend.java"]}


@pytest.mark.parametrize("language", BACKENDS)
def test_each_example_backend_passes_the_six_tests(language):
    program, source = BACKENDS[language]
    assert shutil.which(program), f"{program} is missing: run scripts/install-dependencies.sh test"
    ended = subprocess.run(
        [EXAMPLE / "run-tests.sh", program, source], capture_output=True, text=True, timeout=900,
        env=os.environ | {"PERENNIAL": str(binary())},
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert re.search(r"^Ran 6 tests in .*\n\nOK$", ended.stderr, flags=re.MULTILINE), ended.stderr


def test_a_backend_that_ignores_refunds_fails(tmp_path):
    """The six tests detect a faulty backend."""
    folder = tmp_path / "own-backend"
    shutil.copytree(EXAMPLE, folder)
    source = folder / "backend.py"
    original = source.read_text()
    assert "if t.revocationDate is None" in original
    source.write_text(original.replace("if t.revocationDate is None", "if True"))
    ended = subprocess.run(
        [folder / "run-tests.sh", sys.executable, "backend.py"], capture_output=True, text=True, timeout=900,
        env=os.environ | {"PERENNIAL": str(binary())},
    )
    assert ended.returncode != 0 and "FAIL: test_a_refund_ends_access" in ended.stderr, ended.stderr


def test_the_commands_of_the_backend_guide_work_in_order(start_store, receiver):
    store = start_store(environment="production")
    # Calls with placeholders such as `{transactionId}` are in tables; the blocks contain complete commands.
    commands = [text for text in blocks("test-your-own-backend.md") if text.startswith("curl")]
    assert len(commands) == 6
    for text in commands:
        for command in text.strip().split("\n\n"):
            command = command.replace("http://127.0.0.1:8081", store.url)
            command = command.replace("http://127.0.0.1:3000/notifications", receiver.url)
            done = subprocess.run(
                ["bash", "-o", "pipefail", "-c",
                 command.replace("curl ", "curl --silent --show-error --fail-with-body ", 1)],
                capture_output=True, text=True, timeout=120,
            )
            assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    account = store.get("accounts/anna")
    assert len(account["transactions"]) >= 12
    for call in re.findall(r"`(PUT|POST|GET) (/_store/[^`]*)`", page("test-your-own-backend.md")):
        path = re.sub(r"/(anna|\{\w+\})", "/{}", call[1])
        known = [re.sub(r"\{\w+\}", "{}", known) for known in store.get("")["calls"]]
        assert f"{call[0]} {path}" in known, f"{call} is no call of the store"


# Deploying


def test_the_configuration_of_the_deployment_guide_is_valid(tmp_path):
    [complete, postgresql, proxies] = blocks("deploying.md", "yaml")
    key = tmp_path / "SubscriptionKey.p8"
    subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key],
                   check=True, capture_output=True)
    for text in (complete, postgresql, proxies):
        file = tmp_path / "perennial.yaml"
        file.write_text(text.replace("/etc/perennial/SubscriptionKey.p8", str(key)))
        ended = perennial("config", "check", "--config", file)
        assert ended.status == 0, ended


def test_the_systemd_unit_uses_existing_options():
    [unit] = blocks("deploying.md", "ini")
    [command] = re.findall(r"^ExecStart=(.*)$", unit, flags=re.MULTILINE)
    program, serve, *options = command.split()
    assert Path(program).name == "perennial" and serve == "serve"
    help_text = perennial("serve", "--help").stdout
    for option in [option for option in options if option.startswith("--")]:
        assert option in help_text


def test_systemd_accepts_the_unit(tmp_path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed: apt-get install systemd")
    [unit] = blocks("deploying.md", "ini")
    file = tmp_path / "perennial.service"
    file.write_text(unit.replace("/usr/local/bin/perennial", str(binary())))
    ended = subprocess.run(["systemd-analyze", "verify", file], capture_output=True, text=True, timeout=60)
    complaints = [line for line in ended.stderr.splitlines() if file.name in line]
    assert complaints == []


@pytest.fixture
def start_server(start_store, tmp_path):
    """Starts a server with one customer on the given database, of either engine."""
    running = []

    def start(database):
        store = start_store(environment="production")
        server = SubscriptionServer(tmp_path / "serve.log", store.url, database)
        running.append(server)
        server.submit("u_42", store.buy(store.new_account(), "lifetime")["signedTransactionInfo"])
        return store, server

    yield start
    for server in running:
        server.stop()


def restored_purchases(store, database, tmp_path):
    """The customer's purchases from a server on a restored database."""
    server = SubscriptionServer(tmp_path / "restored.log", store.url, database)
    try:
        return server.get("/v1/customers/u_42")["purchases"]
    finally:
        server.stop()


def test_a_backup_of_sqlite_while_the_server_runs_is_complete(start_server, tmp_path):
    if shutil.which("sqlite3") is None:
        pytest.skip("sqlite3 is not installed: apt-get install sqlite3")
    store, server = start_server(tmp_path / "perennial.db")
    [backup] = [text for text in blocks("deploying.md") if "VACUUM INTO" in text]
    (tmp_path / "backup").mkdir()
    backup = backup.replace("/var/lib/perennial/", f"{tmp_path}/").replace("/backup/", f"{tmp_path}/backup/")
    subprocess.run(["bash", "-c", backup], check=True, timeout=60)
    [copy] = (tmp_path / "backup").iterdir()
    assert perennial("migrate", "--status", "--config", "/dev/null", "--database", f"sqlite:{copy}").status == 0
    expected = server.get("/v1/customers/u_42")["purchases"]
    assert expected and restored_purchases(store, copy, tmp_path) == expected


def test_a_backup_of_postgresql_is_restored_into_another_database(start_server, tmp_path, tmp_path_factory):
    postgresql = PostgreSQLServer(allow_other_users(tmp_path_factory.mktemp("postgresql")))
    try:
        store, server = start_server(postgresql.url)
        [dump] = [text for text in blocks("deploying.md") if text.startswith("pg_dump")]
        [restore] = [text for text in blocks("deploying.md") if text.startswith("pg_restore")]
        address = postgresql.url.removesuffix("/perennial")
        postgresql.query("CREATE DATABASE perennial_restored")
        for command in (dump.replace("$(date +%F)", "2026-01-31"), restore):
            command = command.replace("postgres://perennial@db1.example.com", address)
            subprocess.run(["bash", "-c", command], check=True, timeout=60, cwd=tmp_path,
                           env=os.environ | {"PATH": f"{programs()}:{os.environ['PATH']}"})
        expected = server.get("/v1/customers/u_42")["purchases"]
        assert expected and restored_purchases(store, f"{address}/perennial_restored", tmp_path) == expected
    finally:
        postgresql.stop()


# The app's side


def test_the_server_accepts_the_request_of_the_app(start_store, tmp_path):
    """Sends the request of the Swift code, with its field names, header and path."""
    [observer, client] = blocks("app-side.md", "swift")
    assert observer.index("server.submit") < observer.index(".finish()")
    path = re.search(r'appending\(path: "([^"]+)"\)', client).group(1)
    names = re.findall(r'"(\w+)": (?:userID|signedTransaction)', client)
    store = start_store()
    server = SubscriptionServer(tmp_path / "serve.log", store.url, tmp_path / "perennial.db")
    try:
        signed = store.buy(store.new_account(), "pro.monthly")["signedTransactionInfo"]
        body = dict(zip(names, ["u_42", signed]))
        for _ in range(2):
            response = requests.post(f"{server.url}/{path}", json=body, timeout=60,
                                     headers={"Authorization": f"Bearer {SECRET_KEY}"})
            assert response.status_code == 200 and response.json()["app_user_id"] == "u_42"
    finally:
        server.stop()


# Promises


def test_the_ten_promises_and_the_commands_of_the_readme_work_unless_it_says_that_they_are_planned():
    readme = (REPOSITORY / "README.md").read_text()
    promises = re.findall(r"^\d+\. \*\*(?:.*?)\*\* (?:.*(?:\n   .*)*)", readme, flags=re.MULTILINE)
    assert len(promises) == 10
    assert not [text for text in promises if "planned" in text.lower()]
    routes = (REPOSITORY / "Sources/SubscriptionServer/OpenAPI/openapi.yaml").read_text()
    commands = perennial("--help").stdout
    # Promises 7 and 5.
    assert "/v1/recovery/windows:" in routes
    assert re.search(r"^  rebuild ", commands, flags=re.MULTILINE)
    for title, exists in (("Works now", True), ("Planned", False)):
        [section] = re.findall(rf"^### {title}\n(.*?)(?=^#)", readme, flags=re.MULTILINE | re.DOTALL)
        lines = re.findall(r"^- Commands: (.*(?:\n  .*)*)", section, flags=re.MULTILINE)
        # Every command of the contract may work.
        assert len(lines) == 1 or not exists, title
        names = [name for line in lines for name in re.findall(r"`([\w-]+)`", line)]
        assert names or not exists, title
        for name in names:
            assert bool(re.search(rf"^  {name} ", commands, flags=re.MULTILINE)) == exists, name


# Using the libraries


def test_the_package_of_the_guide_builds_and_prints_the_documented_text(tmp_path):
    [manifest, main] = blocks("using-the-libraries.md", "swift")
    user = tmp_path / "user"
    (user / "Sources/entitled").mkdir(parents=True)
    (tmp_path / "perennial").symlink_to(REPOSITORY)
    (user / "Package.swift").write_text(manifest)
    (user / "Sources/entitled/main.swift").write_text(main)
    scratch = REPOSITORY / ".build/guide"  # kept, so that a second run builds little
    ended = subprocess.run(["swift", "run", "--scratch-path", scratch, "entitled"], cwd=user, capture_output=True,
                           text=True, timeout=3600, stdin=subprocess.DEVNULL)
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-4000:]
    [documented] = re.findall(r"It prints `(.*)`", page("using-the-libraries.md"))
    assert ended.stdout.strip() == documented
