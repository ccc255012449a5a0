"""Checks the published adversarial vectors with the program and with Apple's Python library."""

import subprocess
import sys
from pathlib import Path

from local_store import binary

ROOT = Path(__file__).resolve().parents[2]


def test_the_program_matches_the_vectors_and_the_scoreboard_is_up_to_date():
    script = ROOT / "scripts" / "adversarial-scoreboard.py"
    command = [sys.executable, str(script), "--check", "--program", str(binary())]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
