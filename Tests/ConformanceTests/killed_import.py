"""Imports that are killed while they are under way."""

import json
import signal
import subprocess
import time

from local_store import STOP_SECONDS_MAX

PROGRESS_SECONDS_MAX = 300
TRIES_MAX = 10


def kill_until_done(arguments, environment, journal, server):
    """Runs an import of rows of which some are rejected, and kills it each time after more rows are done.

    The first run is killed before it has done a row. Returns how many runs were killed after that, before the last one
    ended by itself.
    """
    with server.frozen():
        process = _start(arguments, environment)
        time.sleep(0.25)
        process.kill()
        process.wait(STOP_SECONDS_MAX)
    kills, tries, done = 0, 0, 0
    while process.returncode == -signal.SIGKILL or (kills == 0 and tries < TRIES_MAX):
        process = _start(arguments, environment)
        deadline = time.monotonic() + PROGRESS_SECONDS_MAX
        while process.poll() is None and _rows_done(journal) <= done:
            assert time.monotonic() < deadline, "no further row is done"
            time.sleep(0.002)
        # Some of the next rows are done too, each time more of them.
        time.sleep(0.01 * kills)
        process.kill()
        if process.wait(STOP_SECONDS_MAX) == -signal.SIGKILL:
            kills += 1
            done = _rows_done(journal)
        else:
            # It ended. If it was never killed, it begins again: a row that is sent twice changes nothing.
            assert process.returncode == 1
            tries += 1
            done = 0
    return kills


def _start(arguments, environment):
    return subprocess.Popen(arguments, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _rows_done(journal):
    try:
        return json.loads(journal.read_text(encoding="utf-8"))["rows"]
    except FileNotFoundError:
        return 0
