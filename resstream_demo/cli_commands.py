"""What the commands do: read texts, load the model, run the method, write the result."""

import os
import shutil
import sys
import warnings
from argparse import Namespace
from pathlib import Path

from . import load_model
from .cli import OK, STDOUT, check_valid_text
from .cli_tables import answer_text, failed_receipts, report
from .cli_text import printable
from .core.errors import OptionError
from .core.settings import Settings
from .figures.export import result_to_csv, result_to_json
from .methods.ablation import head_ablation
from .methods.attribution import direct_logit_attribution
from .methods.lens import logit_lens
from .methods.patching import activation_patching

WRITERS = {"json": lambda result: result_to_json(result) + "\n", "csv": result_to_csv}
DEFAULT_WIDTH = 100  # where standard output is no terminal
TEXTS = ("text", "clean", "corrupted")


def run(args: Namespace) -> int:
    """Do what the arguments ask for. Raises ExplorerError for whatever is wrong with them."""
    for name, value in vars(args).items():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str):
                check_valid_text(name.upper() if name in TEXTS else f"--{name.replace('_', '-')}", text)
    if args.command == "serve":
        return _serve(args)
    if args.command == "bench":
        return _bench(args)
    _check_outputs(args)
    texts = _texts(args)
    progress = Progress(sys.stderr)
    try:
        model = _model(args, progress)
        result = _METHODS[args.command](model, args, texts, progress)
    finally:
        progress.clear()
    _deliver(result, model, args)
    return OK


def _serve(args: Namespace) -> int:
    from .ui.app import serve

    serve(Settings.from_env(), host=args.host, port=args.port)
    return OK


def _bench(args: Namespace) -> int:
    from .bench import bench_residual_sweep, random_gpt2
    from .bench import report as bench_report

    progress = Progress(sys.stderr)
    progress.sentence("Making a random GPT-2 …", None)
    row = bench_residual_sweep(random_gpt2(), rounds=args.rounds, progress=progress.sentence)
    progress.clear()
    _print(bench_report(row) + "\n")
    return OK


def _texts(args: Namespace) -> dict[str, str]:
    """The prompts, one of them perhaps from standard input. Raises OptionError if that cannot be."""
    texts = {name: getattr(args, name) for name in TEXTS if hasattr(args, name)}
    piped = [name for name, text in texts.items() if text == "-"]
    if len(piped) > 1:
        raise OptionError("Only one prompt can be read from standard input. Write the other one out.")
    for name in piped:
        if sys.stdin is None:
            raise OptionError(f"There is no standard input to read {name.upper()} from.")
        raw = sys.stdin.buffer.read() if hasattr(sys.stdin, "buffer") else sys.stdin.read().encode("utf-8")
        text = raw.decode("utf-8", "surrogateescape")
        check_valid_text("Standard input", text)
        texts[name] = text.removesuffix("\n").removesuffix("\r")  # the line's end belongs to the shell
    return texts


def _model(args: Namespace, progress: "Progress"):
    """Load the model; what there is to say about the choice goes to stderr unless the report will say it."""
    settings = Settings.from_env()
    _hush_libraries()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default", UserWarning)
        model = load_model(
            args.model,
            device=args.device or settings.device,
            dtype=args.dtype or settings.dtype,
            revision=args.revision,
            progress=progress.sentence,
            settings=settings,
        )
    progress.clear()
    for text in dict.fromkeys(str(warning.message) for warning in caught):
        if text != model.note or _prints_only_data(args):
            _say("warning", text)
    return model


def _hush_libraries() -> None:
    """One line on stderr is the promise; the libraries below would add theirs."""
    import logging

    from transformers.utils.logging import disable_progress_bar, set_verbosity_error

    set_verbosity_error()
    disable_progress_bar()
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)


def _lens(model, args: Namespace, texts: dict[str, str], progress: "Progress"):
    options = {"sites": args.sites, "top_k": args.top_k, "targets": args.target, "norm": args.norm}
    return logit_lens(model, texts["text"], **options, bos=args.bos)


def _dla(model, args: Namespace, texts: dict[str, str], progress: "Progress"):
    options = {"position": args.position, "value_bias": args.value_bias, "bos": args.bos}
    return direct_logit_attribution(model, texts["text"], args.answer, args.contrast, **options)


def _patch(model, args: Namespace, texts: dict[str, str], progress: "Progress"):
    return activation_patching(
        model,
        texts["clean"],
        texts["corrupted"],
        args.answer,
        args.contrast,
        site=args.site,
        positions=args.positions,
        direction=args.direction,
        metric=args.metric,
        bos=args.bos,
        progress=progress.cells,
    )


def _ablate(model, args: Namespace, texts: dict[str, str], progress: "Progress"):
    return head_ablation(
        model,
        texts["text"],
        args.answer,
        args.contrast,
        heads=args.heads,
        kind=args.kind,
        positions=args.positions,
        reference=_reference(args.reference),
        metric=args.metric,
        bos=args.bos,
        progress=progress.cells,
    )


def _reference(text: str | None):
    """A reference as the method takes it; @FILE is a set of prompts, one a line, named after the file."""
    if text is None or not text.startswith("@"):
        return text
    file = Path(os.path.expanduser(text[1:]))
    try:
        prompts = [line for line in file.read_text("utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise OptionError(
            f"--reference: {file} cannot be read ({reason}). Give a file with one prompt a line."
        ) from None
    return file.name, prompts


_METHODS = {"lens": _lens, "dla": _dla, "patch": _patch, "ablate": _ablate}


def _prints_only_data(args: Namespace) -> bool:
    return STDOUT in (args.json, args.csv)


def _check_outputs(args: Namespace) -> None:
    """Refuse files that cannot be written before anything is computed for them."""
    if args.json == args.csv == STDOUT:
        raise OptionError("Only one of --json and --csv can go to standard output. Name a file for the other one.")
    for kind in WRITERS:
        name = getattr(args, kind)
        if name in (None, STDOUT):
            continue
        if not name or os.path.isdir(name):
            raise OptionError(f"--{kind}: “{name}” is a folder or nothing. Name a file.")
        folder = os.path.dirname(os.path.abspath(name))
        if not os.access(name if os.path.exists(name) else folder, os.W_OK):
            there = "it may not be written to" if os.path.exists(folder) else "its folder does not exist"
            raise OptionError(f"--{kind}: {name} cannot be written: {there}. Name another file.")
    files = [os.path.realpath(name) for name in (args.json, args.csv) if name not in (None, STDOUT)]
    if len(files) > len(set(files)):
        raise OptionError("--json and --csv name the same file, and one would overwrite the other. Name two files.")


def _deliver(result, model, args: Namespace) -> None:
    """Write the result where it was asked for: files, and the data or the report on standard output."""
    for kind, write in WRITERS.items():
        name = getattr(args, kind)
        if name is None:
            continue
        if name == STDOUT:
            _print(write(result), data=True)
            continue
        try:
            Path(name).write_text(write(result), "utf-8", newline="")
        except OSError as error:
            raise OptionError(f"--{kind}: {name} cannot be written ({error.strerror}). Name another file.") from None
        _say("wrote", name)
    if _prints_only_data(args):
        for token in (getattr(result, "answer", None), getattr(result, "contrast", None)):
            if token is not None and token.note:
                _say("note", answer_text(token))
    else:
        width = shutil.get_terminal_size((DEFAULT_WIDTH, 0)).columns
        _print(report(result, note=model.note, top=args.top, width=width))
    for line in failed_receipts(result):
        _say("warning", line)


def _print(text: str, *, data: bool = False) -> None:
    """Write to standard output. Data are UTF-8 wherever they go; a report shows what the terminal can show."""
    if sys.stdout is None:  # closed by whoever started this
        raise OptionError("There is no standard output to write to. Give --json or --csv a file.")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(**{"encoding": "utf-8", "newline": ""} if data else {"errors": "replace"})
    sys.stdout.write(text)
    sys.stdout.flush()  # here, so that a broken pipe is met where it is expected


def _say(what: str, text: str) -> None:
    print(f"{what}: {printable(text)}", file=sys.stderr)


class Progress:
    """One line on a terminal that is written over; nothing elsewhere."""

    def __init__(self, stream):
        self._stream = stream if stream is not None and stream.isatty() else None

    def sentence(self, text: str, share: float | None) -> None:
        """Show what is being done and, where known, the share done."""
        self._show(text if share is None else f"{text} ({share:.0%})")

    def cells(self, done: int, total: int) -> None:
        """Show how far a sweep has come."""
        self._show(f"{done:,} of {total:,} runs")

    def clear(self) -> None:
        """Take the line away."""
        self._show("")

    def _show(self, text: str) -> None:
        if self._stream is not None:
            width = shutil.get_terminal_size().columns
            self._stream.write(f"\r\x1b[K{text[: width - 1]}")
            self._stream.flush()
