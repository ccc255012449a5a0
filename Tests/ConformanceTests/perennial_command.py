"""Runs one command of the program and keeps its output."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

from local_store import binary

# What takes longer hangs.
SECONDS_MAX = 300


class CompletedCommand:
    """The exit status and the output of a completed command."""

    def __init__(self, completed):
        self.status = completed.returncode
        self.stdout = completed.stdout.decode()
        self.stderr = completed.stderr.decode()

    def __repr__(self):
        return f"status {self.status}\nstdout: {self.stdout[:2000]}\nstderr: {self.stderr[:2000]}"

    @property
    def json(self):
        """The JSON value on standard output."""
        return json.loads(self.stdout)


def perennial(*arguments, stdin=b"", environment=None):
    """Runs the program without the PERENNIAL_ variables of the tests' environment."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PERENNIAL_")}
    completed = subprocess.run(
        [str(binary()), *[str(argument) for argument in arguments]],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        timeout=SECONDS_MAX,
        env=inherited | (environment or {}),
    )
    return CompletedCommand(completed)


def migrate_four_times_at_once(database):
    """Migrates a database with four processes at the same time.

    Returns how many steps each of them ran, in ascending order, and the number of all steps.
    """
    arguments = ["migrate", "--json", "--config", "/dev/null", "--database", database]
    with ThreadPoolExecutor(4) as threads:
        commands = list(threads.map(lambda _: perennial(*arguments), range(4)))
    for command in commands:
        assert command.status == 0 and command.json["pending"] == 0, command
    return sorted(command.json["migrated"] for command in commands), len(commands[0].json["steps"])
