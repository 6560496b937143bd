"""Where the command line writes to, and what it says when it cannot."""

import subprocess
import sys

import pytest

from tests.test_cli import EXAMPLES, refusal


def test_two_outputs_in_one_file_are_refused(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = refusal(capsys, *EXAMPLES["dla"], "--json", "out", "--csv", str(tmp_path / "out"))
    assert "name the same file" in said and not (tmp_path / "out").exists()


@pytest.mark.parametrize("option", [("--json", ""), ("--json", "a" * 300), ("--reference", "@~nobody-of-that-name/x")])
def test_a_file_that_cannot_be_is_refused(capsys, option):
    assert option[0] in refusal(capsys, *EXAMPLES["ablate"], "--kind", "mean", *option)


@pytest.mark.parametrize("stdout", [">/dev/full", ">&-"])
def test_a_standard_output_that_takes_nothing_is_said(stdout):
    command = f"{sys.executable} -m resstream_demo lens Hello --model tiny {stdout}"
    ended = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert ended.returncode == 2
    assert ended.stderr.startswith("error: ") and ended.stderr.count("\n") == 1 and "tandard output" in ended.stderr


@pytest.mark.parametrize("option", ["--answer", "--heads", "--top"])
def test_numbers_of_five_thousand_digits_are_refused(capsys, option):
    digits = {"--answer": "#", "--heads": "L"}.get(option, "") + "1" * 5000
    assert len(refusal(capsys, *EXAMPLES["ablate"], option, digits)) < 500
