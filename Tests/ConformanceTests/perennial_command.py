"""Runs one command of the program and keeps its output."""

import json
import os
import subprocess

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
