"""The published adversarial vectors, through the program and through Apple's Python library."""

import subprocess
import sys
from pathlib import Path

from local_store import binary

ROOT = Path(__file__).resolve().parents[2]


def test_the_program_judges_as_the_vectors_expect_and_the_scoreboard_is_true():
    script = ROOT / "scripts" / "adversarial-scoreboard.py"
    command = [sys.executable, str(script), "--check", "--program", str(binary())]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
