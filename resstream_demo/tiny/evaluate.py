"""Measure the bundled model, mostly on inputs kept out of its training: `python -m resstream_demo.tiny.evaluate`.

Prints what it can do, with a mark for each goal, which layers it needs and what its heads do. `--card` also writes
these lines into the model card; `--check` ends with status 1 if a goal is missed; `--fast` asks
much less, for a first look. Two to three minutes on one core.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from resstream_demo.tiny import ASSETS
from resstream_demo.tiny.measures.bundle import Bundle
from resstream_demo.tiny.measures.card import write_card
from resstream_demo.tiny.measures.report import FAST, FULL, Report, evaluate


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m resstream_demo.tiny.evaluate", description=__doc__)
    parser.add_argument("--folder", type=Path, default=ASSETS, help="the model to measure")
    parser.add_argument("--card", action="store_true", help="write the model card with these numbers")
    parser.add_argument("--check", action="store_true", help="exit with status 1 if a goal is missed")
    parser.add_argument("--fast", action="store_true", help="ask a small sample of everything")
    options = parser.parse_args(argv)
    if options.card and options.fast:
        parser.error("a card needs the full measurement: leave out --fast")
    return options


def verdict(report: Report) -> str:
    stated = [finding for finding in report.findings if finding.met is not None]
    missed = ", ".join(finding.skill for finding in report.missed)
    return f"{len(stated) - len(report.missed)} of {len(stated)} goals met." + (f" Missed: {missed}." if missed else "")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    options = parse(argv)
    bundle = Bundle.load(options.folder)
    report = evaluate(bundle, FAST if options.fast else FULL)
    for title, lines in report.sections():
        print(f"\n{title}\n")
        print("\n".join(lines))
    print(f"\n{verdict(report)}")
    if options.card:
        write_card(options.folder, report)
    return 1 if options.check and report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
