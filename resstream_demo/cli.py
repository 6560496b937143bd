"""The command line: the package's four methods, with their options under their own names.

Nothing heavy is imported before the arguments are known to be good, so that help and mistakes answer at once.
"""

import argparse
import os
import re
import sys
from collections.abc import Sequence

from .cli_text import printable
from .core.errors import ExplorerError, OptionError, out_of_memory
from .version import __version__

PROG = "python -m resstream_demo"
OK, BAD_INPUT, INTERRUPTED = 0, 2, 130
STDOUT = "-"

# The choices of the methods' options, written out here so that help does not have to import them.
STREAM_SITES = ("resid_pre", "resid_mid", "resid_post", "attn_out", "mlp_out")
PATCH_SITES = (*STREAM_SITES, "z", "q", "k", "v", "pattern")
NORMS = ("fresh", "final")
VALUE_BIAS = ("folded", "in_heads")
DIRECTIONS = ("denoising", "noising")
METRICS = ("logit_diff", "prob", "logprob", "rank", "kl")
ABLATION_METRICS = (*METRICS, "loss")
KINDS = ("zero", "bias_only", "mean", "resample")
DTYPES = ("float32", "bfloat16", "float16")

ANSWER_HELP = 'one token, such as " Mary" (with its space) or #5335 (an id)'


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0, 2 for bad input (one line on stderr says what), or 130."""
    try:
        args = _parser().parse_args(argv)
        from . import cli_commands

        return cli_commands.run(args)
    except SystemExit as leaving:  # argparse has said why
        return leaving.code
    except ExplorerError as error:
        return complain(str(error))
    except BrokenPipeError:  # whoever read this has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BAD_INPUT
    except OSError as error:  # files are checked where they are named, so this is standard output
        return complain(f"Standard output cannot be written to ({error.strerror or error}). Send it elsewhere.")
    except KeyboardInterrupt:
        return INTERRUPTED
    except (MemoryError, RuntimeError) as error:
        if not out_of_memory(error):
            raise
        return complain("There is not enough memory for this. Shorten the prompt, or choose a smaller model.")


def complain(text: str) -> int:
    """Say on stderr what is wrong, in one line."""
    print(f"error: {printable(text)}", file=sys.stderr)
    return BAD_INPUT


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line, and whose options are never abbreviated."""

    def __init__(self, **options):
        options |= {"allow_abbrev": False, "formatter_class": argparse.RawDescriptionHelpFormatter}
        super().__init__(**options)

    def error(self, message: str):
        self.exit(complain(f"{message}. “{self.prog} --help” lists what there is"))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=PROG,
        description="See and edit the residual stream of a GPT-2 family model.",
        epilog=f'{PROG} lens "The capital of France is"\n{PROG} COMMAND --help explains a command',
    )
    parser.add_argument("--version", action="version", version=f"resstream_demo {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for add in (_add_lens, _add_dla, _add_patch, _add_ablate, _add_serve, _add_bench):
        add(commands)
    return parser


def _add_lens(commands) -> None:
    parser = _command(commands, "lens", "what every layer would predict if it were the last", "TEXT")
    parser.add_argument(
        "--sites",
        type=_several(STREAM_SITES),
        default=("resid_post",),
        metavar="SITE,…",
        help=f"what to decode in every layer, of {', '.join(STREAM_SITES)} (default: resid_post)",
    )
    parser.add_argument("--top-k", type=_count, default=10, metavar="K", help="tokens kept per cell (default: 10)")
    parser.add_argument("--target", action="append", default=[], metavar="TOKEN", help="follow a token; repeatable")
    parser.add_argument(
        "--norm", choices=NORMS, default="fresh", help="scale of ln_final: each vector's own, or the last layer's"
    )
    _add_common(parser)


def _add_dla(commands) -> None:
    parser = _command(commands, "dla", "which component wrote a logit (direct logit attribution)", "TEXT")
    parser.add_argument("--answer", required=True, metavar="TOKEN", help=ANSWER_HELP)
    parser.add_argument("--contrast", metavar="TOKEN", help="a token whose logit is taken off")
    parser.add_argument(
        "--position", type=int, default=-1, metavar="N", help="position to look at; negative from the end (default: -1)"
    )
    parser.add_argument(
        "--value-bias", choices=VALUE_BIAS, default="folded", help="where heads' constant parts go (default: folded)"
    )
    _add_common(parser)


def _add_patch(commands) -> None:
    parser = _command(commands, "patch", "copy activations from one run into another", "CLEAN", "CORRUPTED")
    parser.add_argument("--answer", metavar="TOKEN", help=ANSWER_HELP)
    parser.add_argument("--contrast", metavar="TOKEN", help="the token that the answer is compared with")
    parser.add_argument("--site", choices=PATCH_SITES, default="resid_pre", help="what is copied (default: resid_pre)")
    parser.add_argument(
        "--positions",
        type=_positions("each", "all"),
        default="each",
        metavar="each|all|N,…",
        help='one at a time, all at once, or these together: "3,10"; from the end: --positions=-1 (default: each)',
    )
    parser.add_argument(
        "--direction",
        choices=DIRECTIONS,
        default="denoising",
        help="clean into corrupted, or back (default: denoising)",
    )
    parser.add_argument("--metric", choices=METRICS, default="logit_diff", help="what is read (default: logit_diff)")
    _add_common(parser)


def _add_ablate(commands) -> None:
    parser = _command(commands, "ablate", "remove attention heads", "TEXT")
    parser.add_argument("--answer", metavar="TOKEN", help=ANSWER_HELP)
    parser.add_argument("--contrast", metavar="TOKEN", help="the token that the answer is compared with")
    parser.add_argument(
        "--heads", default="each", metavar='each|"L9H6 …"', help="each alone, or these together (default: each)"
    )
    parser.add_argument("--kind", choices=KINDS, default="zero", help="what is put in their place (default: zero)")
    parser.add_argument(
        "--positions",
        type=_positions("all"),
        default="all",
        metavar="all|N,…",
        help='all, or "3,10"; from the end: --positions=-1 (default: all)',
    )
    parser.add_argument(
        "--reference",
        metavar="NAME|@FILE|TEXT",
        help="mean: a bundled set (everyday), or @FILE with a prompt a line; resample: a text of equal length",
    )
    parser.add_argument(
        "--metric", choices=ABLATION_METRICS, default="logit_diff", help="what is read (default: logit_diff)"
    )
    _add_common(parser)


def _add_serve(commands) -> None:
    parser = _command(commands, "serve", "start the page that does all this in a browser")
    parser.add_argument("--host", metavar="ADDRESS", help="address to listen on (default: this machine only)")
    parser.add_argument("--port", type=_port, metavar="N", help="port to listen on (default: RESSTREAM_PORT, or 7860)")


def _add_bench(commands) -> None:
    parser = _command(commands, "bench", "compare the sweep engine's speed with a loop of hooked forwards")
    parser.add_argument("--rounds", type=_count, default=5, metavar="N", help="how often to time both (default: 5)")


def _command(commands, name: str, purpose: str, *texts: str) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=purpose, description=purpose[0].upper() + purpose[1:] + ".")
    for text in texts:
        parser.add_argument(text.lower(), metavar=text, help="a prompt; - reads it from standard input")
    return parser


def _add_common(parser: argparse.ArgumentParser) -> None:
    model = parser.add_argument_group("model")
    model.add_argument(
        "--model",
        default="auto",
        metavar="NAME|FOLDER",
        help="tiny, gpt2, distilgpt2, gpt2-medium, gpt2-large, gpt2-xl, a folder, or auto: gpt2 if it can be had, "
        "else tiny (default: auto)",
    )
    model.add_argument("--device", metavar="DEVICE", help="auto, cpu, cuda, mps … (default: RESSTREAM_DEVICE, or auto)")
    model.add_argument("--dtype", choices=DTYPES, help="precision (default: RESSTREAM_DTYPE, or float32)")
    model.add_argument("--revision", metavar="COMMIT", help="commit, branch or tag on the hub")
    model.add_argument("--no-bos", dest="bos", action="store_false", help="do not put a BOS token in front")
    output = parser.add_argument_group("output")
    for kind in ("json", "csv"):
        output.add_argument(
            f"--{kind}",
            nargs="?",
            const=STDOUT,
            metavar="FILE",
            help=f"write {kind.upper()} to a file; with - or no file (after the texts), to standard output alone",
        )
    output.add_argument("--top", type=_count, default=10, metavar="K", help="rows of printed rankings (default: 10)")


def _count(text: str) -> int:
    if not re.fullmatch(r"0*[1-9][0-9]{0,8}", text):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number of at least 1")
    return int(text)


def _port(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a port: ports are 1–65535")
    return int(text)


def _several(allowed: Sequence[str]):
    def read(text: str) -> tuple[str, ...]:
        names = text.replace(",", " ").split()
        wrong = [name for name in names if name not in allowed]
        if wrong or not names:
            raise argparse.ArgumentTypeError(f"{' '.join(wrong) or text!r} is not among {', '.join(allowed)}")
        return tuple(names)

    return read


def _positions(*words: str):
    def read(text: str) -> str | list[int]:
        if text in words:
            return text
        try:
            return [int(part) for part in text.replace(",", " ").split()]
        except ValueError:
            raise argparse.ArgumentTypeError(
                f"{text!r} is neither {' nor '.join(words)} nor a list such as 3,10"
            ) from None

    return read


def check_valid_text(name: str, text: str) -> None:
    """Refuse a text that was not UTF-8 when it came in. Raises OptionError saying where."""
    for n, char in enumerate(text):
        if "\ud800" <= char <= "\udfff":
            byte = f"the byte {ord(char) - 0xDC00:02X}" if "\udc80" <= char <= "\udcff" else f"U+{ord(char):04X}"
            raise OptionError(f"{name} is not valid UTF-8: {byte} after {n} characters. Check the terminal's encoding.")
