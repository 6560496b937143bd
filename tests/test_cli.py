"""The command line: what it prints, what it writes, and what it says to bad input."""

import io
import json
import socket
import subprocess
import sys

import pandas as pd
import pytest
import torch

from resstream_demo import (
    __version__,
    activation_patching,
    cli,
    direct_logit_attribution,
    head_ablation,
    load_model,
    logit_lens,
)
from resstream_demo.cli import main
from resstream_demo.cli_text import width_of
from resstream_demo.core import trace
from resstream_demo.core.models import DTYPES
from resstream_demo.figures.export import result_to_dict
from resstream_demo.figures.numbers import format_number
from resstream_demo.methods import ablation, attribution, lens, patching

CLEAN = "When Mary and John went to the store, John gave a drink to"
CORRUPTED = "When Mary and John went to the store, Mary gave a drink to"
TINY = ("--model", "tiny")
ASK = ("--answer", " Mary", "--contrast", " John")
EXAMPLES = {
    "lens": ("lens", CLEAN, *TINY),
    "dla": ("dla", CLEAN, *ASK, *TINY),
    "patch": ("patch", CLEAN, CORRUPTED, *ASK, *TINY),
    "ablate": ("ablate", CLEAN, *ASK, *TINY),
}


@pytest.fixture(scope="module")
def tiny():
    return load_model("tiny")


def said(capsys, *argv) -> tuple[str, str]:
    """(stdout, stderr) of a command that works."""
    assert main(argv) == 0
    return capsys.readouterr()


def refusal(capsys, *argv) -> str:
    """The one line on stderr of a command that is refused, with nothing on stdout."""
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("error: ") and err.count("\n") == 1 and err.endswith("\n"), err
    return err


def same(printed: str, result) -> bool:
    return json.loads(printed) == json.loads(json.dumps(result_to_dict(result)))


# ---- data ---------------------------------------------------------------------------------------------------


def test_lens_options_arrive_at_the_method(capsys, tiny):
    options = (
        "--sites",
        "resid_mid,mlp_out",
        "--top-k",
        "3",
        "--target",
        " Mary",
        "--target",
        "#40",
        "--norm",
        "final",
    )
    out, err = said(capsys, "lens", CLEAN, *TINY, *options, "--no-bos", "--json", "-")
    expected = logit_lens(
        tiny, CLEAN, sites=("resid_mid", "mlp_out"), top_k=3, targets=(" Mary", 40), norm="final", bos=False
    )
    assert same(out, expected) and err == ""


def test_dla_options_arrive_at_the_method(capsys, tiny):
    options = ("--position", "-3", "--value-bias", "in_heads", "--no-bos")
    out, _ = said(capsys, "dla", CLEAN, "--answer", "#7", "--contrast", " John", *options, *TINY, "--json")
    expected = direct_logit_attribution(tiny, CLEAN, 7, " John", position=-3, value_bias="in_heads", bos=False)
    assert same(out, expected)


@pytest.mark.parametrize(
    ("given", "positions"),
    [(("--positions", "3, 10"), [3, 10]), (("--positions=-1",), [-1]), (("--positions", "all"), "all")],
)
def test_patch_options_arrive_at_the_method(capsys, tiny, given, positions):
    options = ("--site", "z", "--direction", "noising", "--metric", "logprob", "--no-bos", *given)
    out, _ = said(capsys, "patch", CLEAN, CORRUPTED, *ASK, *options, *TINY, "--json", "-")
    options = dict(site="z", positions=positions, direction="noising", metric="logprob", bos=False)
    assert same(out, activation_patching(tiny, CLEAN, CORRUPTED, " Mary", " John", **options))


def test_ablate_options_arrive_at_the_method(capsys, tiny):
    options = ("--heads", "L1H2 3.0", "--kind", "resample", "--reference", CORRUPTED, "--positions", "4,5")
    out, _ = said(capsys, "ablate", CLEAN, *ASK, *options, "--metric", "kl", *TINY, "--json", "-")
    options = dict(heads=["L1H2", (3, 0)], kind="resample", reference=CORRUPTED, positions=[4, 5], metric="kl")
    assert same(out, head_ablation(tiny, CLEAN, " Mary", " John", **options))


def test_a_mean_over_a_file_of_prompts(capsys, tiny, tmp_path):
    (tmp_path / "set.txt").write_text("The cat sat.\n\nA dog ran away.\n", "utf-8")
    options = ("--kind", "mean", "--reference", f"@{tmp_path / 'set.txt'}", "--metric", "loss")
    out, _ = said(capsys, "ablate", CLEAN, *options, *TINY, "--json", "-")
    reference = ("set.txt", ["The cat sat.", "A dog ran away."])
    assert same(out, head_ablation(tiny, CLEAN, kind="mean", reference=reference, metric="loss"))


@pytest.mark.parametrize("command", EXAMPLES)
def test_csv_is_the_results_frame_and_how_it_was_made(capsys, command):
    out, err = said(capsys, *EXAMPLES[command], "--csv", "-")
    assert all(line.startswith("note: ") for line in err.splitlines())
    frame = pd.read_csv(io.StringIO(out), keep_default_na=False)
    assert (
        len(frame) > 10 and set(frame["run_model"]) == {"tiny"} and set(frame["run_package_version"]) == {__version__}
    )


def test_files_are_written_beside_the_report(capsys, tmp_path, tiny):
    files = ("--json", str(tmp_path / "out.json"), "--csv", str(tmp_path / "out.csv"))
    out, err = said(capsys, *EXAMPLES["dla"], *files)
    result = direct_logit_attribution(tiny, CLEAN, " Mary", " John")
    assert same((tmp_path / "out.json").read_text("utf-8"), result)
    assert len(pd.read_csv(tmp_path / "out.csv")) == len(result.components)
    assert "sum of all parts" in out and err.count("wrote: ") == 2


def test_with_data_on_stdout_messages_go_to_stderr(capsys, monkeypatch):
    monkeypatch.setenv("RESSTREAM_DEFAULT_MODEL", "gpt2-xl")  # not in the cache, and tests are offline
    out, err = said(capsys, "dla", CLEAN, "--answer", "Mary", "--json", "-")
    assert json.loads(out)["info"]["model"] == "tiny"
    warning, note = err.splitlines()
    assert warning.startswith("warning: ") and "gpt2-xl" in warning and "HF_HUB_OFFLINE" in warning
    assert note.startswith("note: ␣Mary") and "read with a leading space" in note


# ---- reports ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", EXAMPLES)
@pytest.mark.parametrize("width", [60, 100, 200])
def test_a_report_fits_the_terminal_and_says_what_it_is(capsys, monkeypatch, command, width):
    monkeypatch.setenv("COLUMNS", str(width))
    out, err = said(capsys, *EXAMPLES[command])
    assert err == ""
    too_wide = [line for line in out.splitlines() if width_of(line) > width]
    assert all(" the " not in line for line in too_wide) and (width < 100 or not too_wide), too_wide
    assert "model tiny · cpu · float32 · BOS on" in " ".join(out.split()) and "0:⟨bos⟩ 1:When 2:␣Mary" in out
    assert out.count("✓") >= 2 and "✗" not in out and "What this does not show: " in out


def rows(out: str, names: tuple[str, ...]) -> list[str]:
    """The first words of the lines that start with one of the names, from the top."""
    return [line.split()[0] for line in out.splitlines() if line.startswith(names)]


def test_the_lens_shows_layers_over_tokens_with_the_embedding_at_the_bottom(capsys, monkeypatch, tiny):
    monkeypatch.setenv("COLUMNS", "400")
    out, _ = said(capsys, *EXAMPLES["lens"], "--target", " Mary", "--top", "4")
    layers = [f"L{n}" for n in reversed(range(tiny.n_layers))]
    assert rows(out, ("L", "embed")) == 2 * [*layers, "embed"] + ["Likeliest"]
    result = logit_lens(tiny, CLEAN, targets=(" Mary",))
    top_row = next(line for line in out.splitlines() if line.startswith(f"{layers[0]} resid_post"))
    assert top_row.split()[-2:] == [result.top_tokens(-1, -1)[0], f"{result.top_probs[-1, -1, 0]:.3f}"]
    last = [line.split() for line in out.partition("Likeliest tokens")[2].splitlines()[2:6]]
    assert [line[1] for line in last] == result.top_tokens(-1, -1)[:4]
    assert "\n    4  " not in out


def test_dla_lists_shares_that_add_up_to_the_models_number(capsys, tiny):
    out, _ = said(capsys, *EXAMPLES["dla"], "--top", "5")
    result = direct_logit_attribution(tiny, CLEAN, " Mary", " John")
    listed = [line for line in out.splitlines() if line.startswith(tuple(result.top(5)["component"]))]
    assert len(listed) == 5 and f"the other {len(result.values) - 5}" in out
    numbers = [line.split()[-1] for line in out.splitlines() if line.startswith(("sum of all parts", "the model's"))]
    assert numbers == 2 * [format_number(result.logit, signed=True)]


def test_patching_shows_where_the_prompts_differ_and_what_is_recovered(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    out, _ = said(capsys, *EXAMPLES["patch"])
    (bottom,) = [line.split() for line in out.splitlines() if line.startswith("L0 ") and line.count("0") > 10]
    assert float(bottom[11]) == 1 and set(bottom[1:11] + bottom[12:]) == {"0"}, "layer 0, position 10"
    assert "≠␣Mary" in out


@pytest.mark.parametrize("site", ["z", "pattern"])
def test_patching_heads_shows_each_heads_strongest_position(capsys, monkeypatch, tiny, site):
    monkeypatch.setenv("COLUMNS", "200")
    out, _ = said(capsys, *EXAMPLES["patch"], "--site", site)
    result = activation_patching(tiny, CLEAN, CORRUPTED, " Mary", " John", site=site)
    best = result.top(1).iloc[0]
    (row,) = [line for line in out.splitlines() if line.startswith(f"L{best['layer']} ") and "@" in line]
    assert row.split("@")[best["head"] + 1].split()[0] == str(best["position"])


def test_a_set_of_heads_gives_one_number(capsys, tiny):
    out, _ = said(capsys, *EXAMPLES["ablate"], "--heads", "L0H7, L3H0")
    effect = float(head_ablation(tiny, CLEAN, " Mary", " John", heads=["L0H7", "L3H0"]).effect)
    assert format_number(effect, signed=True) in out and "L0H7, L3H0" in out


def test_small_numbers_never_print_as_zero(capsys, tiny):
    out, _ = said(capsys, *EXAMPLES["patch"], "--site", "z")
    recovered = activation_patching(tiny, CLEAN, CORRUPTED, " Mary", " John", site="z").recovered
    strongest = abs(recovered).max(-1)
    assert ((strongest > 0) & (strongest < 0.001)).any(), "no head here has a number too small to print"
    assert "<0.001" in out
    assert not any(word.strip("+−") in ("0.000", "0.0000") for word in out.split())


def test_a_receipt_out_of_tolerance_is_shown_and_warned_about(capsys, monkeypatch):
    from resstream_demo.core import receipts

    monkeypatch.setitem(receipts.TOLERANCES, "float32", (1e-12, 0.0))
    monkeypatch.setattr("resstream_demo.core.models.tolerance", lambda dtype, reference: 1.0)
    out, err = said(capsys, *EXAMPLES["dla"])
    assert "✗ parts − whole" in out and err.startswith("warning: parts − whole is ")


# ---- texts --------------------------------------------------------------------------------------------------


class Piped(io.StringIO):
    """Standard input as a pipe gives it."""

    def __init__(self, data: bytes):
        super().__init__()
        self.buffer = io.BytesIO(data)


def test_a_text_is_read_from_standard_input_without_the_lines_end(capsys, monkeypatch, tiny):
    monkeypatch.setattr(sys, "stdin", Piped("Caf\u00e9 au lait \n".encode()))
    out, _ = said(capsys, "lens", "-", *TINY, "--json", "-")
    assert json.loads(out)["prompt"]["text"] == "Caf\u00e9 au lait "


def test_two_texts_cannot_both_come_from_standard_input(capsys):
    assert "standard input" in refusal(capsys, "patch", "-", "-", *ASK, *TINY)


@pytest.mark.parametrize("data", [b"caf\xe9", b"\xff\xfe"])
def test_standard_input_that_is_not_utf8(capsys, monkeypatch, data):
    monkeypatch.setattr(sys, "stdin", Piped(data))
    message = refusal(capsys, "lens", "-", *TINY)
    assert "Standard input is not valid UTF-8" in message and ("E9" in message or "FF" in message)


def test_arguments_that_are_not_utf8(capsys):
    assert "TEXT is not valid UTF-8: the byte E9 after 3" in refusal(capsys, "lens", "caf\udce9", *TINY)
    assert "--answer is not valid UTF-8" in refusal(capsys, "dla", "cafe", "--answer", "\udcff", *TINY)
    assert "--target is not valid UTF-8" in refusal(capsys, "lens", "cafe", "--target", "\udcff", *TINY)


# ---- bad input ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ((), ("COMMAND", "--help")),
        (("lense", "x"), ("lense", "lens")),
        (("lens",), ("TEXT",)),
        (("lens", "x", "--site", "resid_post"), ("--site",)),
        (("lens", "x", "--sites", "resid_past"), ("resid_past", "resid_post")),
        (("lens", "x", "--top", "0"), ("--top", "0")),
        (("dla", "x"), ("--answer",)),
        (("dla", "x", "--answer", "y", "--position", "last"), ("--position", "last")),
        (("patch", "x"), ("CORRUPTED",)),
        (("patch", "x", "y", "--positions", "some"), ("some", "each", "3,10")),
        (("patch", "x", "y", "--metric", "loss"), ("loss", "logprob")),
        (("ablate", "x", "--kind", "none"), ("none", "resample")),
        (("serve", "--port", "99999"), ("99999", "65535")),
        (("lens", "x", "--json", "-", "--csv", "-"), ("--json", "--csv", "standard output")),
        (("lens", "x", "--json", "/no/such/folder/out.json"), ("/no/such/folder", "cannot be written")),
        (("lens", "x", "--csv", "/"), ("folder",)),
    ],
)
def test_bad_options_are_refused_before_anything_is_loaded(capsys, monkeypatch, argv, words):
    monkeypatch.setattr("resstream_demo.cli_commands.load_model", lambda *args, **options: pytest.fail("loaded"))
    message = refusal(capsys, *argv)
    assert all(word in message for word in words), message


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("lens", ""), ("empty",)),
        (("lens", "word " * 2000), ("tokens", "Shorten")),
        (("lens", CLEAN, "--target", "Mississippi River"), ("target", "#")),
        (("dla", CLEAN, "--answer", " Mary and John"), ("3 tokens", "␣Mary", "␣and", "␣John")),
        (("dla", CLEAN, "--answer", " Mary", "--position", "99"), ("99", "0–14")),
        (("patch", CLEAN, CORRUPTED + " the", *ASK), ("15", "16", "␣the")),
        (("patch", CLEAN, CORRUPTED), ("answer",)),
        (("patch", CLEAN, CORRUPTED, *ASK, "--positions", "3,40"), ("40",)),
        (("ablate", CLEAN, *ASK, "--heads", "L99H0"), ("L99H0", "layers 0–")),
        (("ablate", CLEAN, *ASK, "--heads", "head 3"), ("head",)),
        (("ablate", CLEAN, *ASK, "--kind", "mean", "--reference", "nowhere"), ("nowhere", "everyday")),
        (
            ("ablate", CLEAN, *ASK, "--kind", "mean", "--reference", "@nowhere.txt"),
            ("nowhere.txt", "one prompt a line"),
        ),
        (("ablate", CLEAN, *ASK, "--kind", "resample"), ("reference",)),
        (("lens", CLEAN, "--device", "abacus"), ("abacus",)),
    ],
)
def test_bad_input_is_refused_with_the_sentence_of_the_package(capsys, argv, words):
    message = refusal(capsys, *argv, *TINY)
    assert all(word in message for word in words), message


def test_an_unknown_model_is_refused_with_a_guess(capsys):
    assert "gtp2" in (message := refusal(capsys, "lens", "x", "--model", "gtp2")) and "gpt2" in message


def test_an_environment_that_makes_no_sense_is_named(capsys, monkeypatch):
    monkeypatch.setenv("RESSTREAM_SWEEP_MIB", "lots")
    assert "RESSTREAM_SWEEP_MIB" in refusal(capsys, "lens", "x", *TINY)


def test_escapes_in_a_text_do_not_reach_the_terminal(capsys):
    assert "\x1b" not in refusal(capsys, "dla", CLEAN, "--answer", "\x1b[31mred\n", *TINY)


def test_a_disk_that_fills_up_while_writing(capsys, monkeypatch, tmp_path):
    def full(*args, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_text", full)
    message = refusal(capsys, *EXAMPLES["lens"], "--json", str(tmp_path / "out.json"))
    assert "out.json" in message and "No space left" in message


def test_running_out_of_memory_is_said_and_other_faults_are_not_hidden(capsys, monkeypatch):
    def fail_with(error):
        def run(args):
            raise error

        monkeypatch.setattr("resstream_demo.cli_commands.run", run)

    with pytest.raises(RuntimeError) as caught:
        torch.empty(10**15)
    for error in (caught.value, MemoryError(), torch.OutOfMemoryError("CUDA out of memory.")):
        fail_with(error)
        assert "not enough memory" in refusal(capsys, "lens", "x")
    fail_with(RuntimeError("a fault of the program"))
    with pytest.raises(RuntimeError, match="a fault of the program"):
        main(["lens", "x"])


def test_an_interrupted_command_exits_with_130(capsys, monkeypatch):
    def interrupted(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("resstream_demo.cli_commands.logit_lens", interrupted)
    assert main(EXAMPLES["lens"]) == 130
    assert capsys.readouterr() == ("", "")


# ---- the rest -----------------------------------------------------------------------------------------------


def test_the_choices_are_those_of_the_package():
    assert cli.STREAM_SITES == trace.STREAM_SITES and cli.PATCH_SITES == trace.SITES
    assert cli.NORMS == lens.NORMS and cli.VALUE_BIAS == attribution.VALUE_BIAS
    assert cli.DIRECTIONS == patching.DIRECTIONS and cli.METRICS == patching.METRICS
    assert cli.ABLATION_METRICS == ablation.ABLATION_METRICS and cli.KINDS == ablation.KINDS
    assert cli.DTYPES == tuple(DTYPES)


@pytest.fixture
def page(monkeypatch):
    """The module with the page, replaced by one that nothing has to be built for."""
    module = type(sys)("resstream_demo.ui.app")
    monkeypatch.setitem(sys.modules, "resstream_demo.ui.app", module)
    return module


def test_serve_starts_the_page_with_the_deployments_settings(page, monkeypatch):
    started = []
    page.serve = lambda settings, **options: started.append((settings.max_tokens, options))
    monkeypatch.setenv("RESSTREAM_MAX_TOKENS", "99")
    assert main(["serve", "--host", "0.0.0.0", "--port", "8000"]) == 0
    assert main(["serve"]) == 0
    assert started == [(99, {"host": "0.0.0.0", "port": 8000}), (99, {"host": None, "port": None})]


def test_a_page_whose_port_is_taken_says_so(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"127.0.0.1:{port}: the port is in use" in refusal(capsys, "serve", "--port", str(port))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RESSTREAM_MAX_TOKENS", "abc"),
        ("RESSTREAM_WEB_MODELS", "tiny, gtp2"),
        ("GRADIO_SERVER_PORT", "abc"),
        ("RESSTREAM_PORT", "70000"),
    ],
)
def test_a_page_whose_settings_make_no_sense_names_them(capsys, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    assert name in (message := refusal(capsys, "serve")) and value.split(", ")[-1] in message


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_and_taken_away(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    assert main(EXAMPLES["patch"]) == 0
    assert "Reading tiny" in terminal.getvalue() and " runs" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_help_and_version_do_not_wait_for_torch():
    script = (
        "import sys; from resstream_demo.cli import main; codes = [main([*command, '--help']) for command in "
        "([], ['lens'], ['dla'], ['patch'], ['ablate'], ['serve'], ['bench'])] + [main(['--version'])]; "
        "heavy = {'torch', 'transformers', 'numpy', 'pandas', 'gradio'} & set(sys.modules); "
        "print('CODES', codes, 'HEAVY', sorted(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert "CODES [0, 0, 0, 0, 0, 0, 0, 0] HEAVY []" in done.stdout, done.stderr
    assert f"resstream_demo {__version__}" in done.stdout


def test_as_a_program_it_prints_data_alone_and_goes_quietly_when_nobody_reads():
    command = [sys.executable, "-m", "resstream_demo", *EXAMPLES["dla"], "--json", "-"]
    done = subprocess.run(command, capture_output=True, timeout=120)
    assert done.returncode == 0 and all(line.startswith(b"note: ") for line in done.stderr.splitlines())
    assert json.loads(done.stdout.decode("utf-8"))["answer"]["display"] == "␣Mary"
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        program.stdout.close()
        assert program.stderr.read() == b""
    assert program.returncode == 2
