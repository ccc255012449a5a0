"""`perennial simulate`: the command, its repetition by a seed, and its refusals."""

import json
import subprocess

import pytest

from local_store import binary


def simulate(*arguments, **options):
    return subprocess.run([binary(), "simulate", *arguments], capture_output=True, text=True, timeout=900, **options)


def test_a_seed_repeats_everything():
    runs = [simulate("--seed", "5", "--days", "8", "--json", "--trace") for _ in range(2)]
    assert [run.returncode for run in runs] == [0, 0], runs[0].stderr
    first = json.loads(runs[0].stdout)
    assert first == json.loads(runs[1].stdout) and runs[0].stderr == runs[1].stderr
    assert first["failure"] is None and first["smallest_failure"] is None
    assert first["simulations"] == 1 and first["days"] == 8 and first["inputs"] > 0 and first["checks"] > 0
    assert first["digest"] and "server 1 started" in runs[0].stderr


def test_several_seeds_are_summed_up():
    run = simulate("--seed", "1", "--seeds", "3", "--days", "3", "--without", "api,disk", "--json")
    result = json.loads(run.stdout)
    assert run.returncode == 0 and result["simulations"] == 3 and result["days"] == 9 and result["digest"] is None
    assert result["faults"]["api"] == 0 and result["faults"]["disk"] == 0


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--without", "rain"], '"rain" is no fault of --without'),
        (["--days", "0"], "--days must be at least 1"),
        (["--seeds", "0"], "--seeds must be at least 1"),
        (["--customers", "1001"], "1000 customers"),
        (["--days", "9223372036854775807"], "At most 36500 days"),
        (["--seed", "x"], "The value 'x' is invalid"),
    ],
)
def test_wrong_options_are_refused(arguments, text):
    run = simulate(*arguments)
    assert run.returncode == 64 and text in run.stderr


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    run = simulate("--days", "1", env={"TMPDIR": str(file)})
    assert run.returncode == 1 and "simulation_not_started: " in run.stderr and "TMPDIR" in run.stderr
