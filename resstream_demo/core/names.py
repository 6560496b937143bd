"""How layers, heads and options are named on screen, in exports and on the command line."""

import re
from collections.abc import Iterable, Sequence
from operator import index

from .errors import OptionError
from .words import joined, say

_HEAD = re.compile(r"\s*L?(\d{1,6})[.:]?H?(?<=[.:Hh])(\d{1,6})\s*", re.IGNORECASE)


def head_label(layer: int, head: int) -> str:
    """The name of a head: layer 9, head 6 is `L9H6`."""
    return f"L{layer}H{head}"


def parse_head(name: str | Sequence[int], n_layers: int, n_heads: int) -> tuple[int, int]:
    """Read `"L9H6"`, `"9.6"` or `(9, 6)` as (layer, head). Raises OptionError if there is no such head."""
    if isinstance(name, str):
        match = _HEAD.fullmatch(name)
        if match is None:
            raise OptionError(
                say("“{name}” is not a head. Write a head as L{last}H0 or {last}.0.", name=name[:40], last=n_layers - 1)
            )
        layer, head = int(match[1]), int(match[2])
    else:
        try:
            layer, head = (whole_number(part) for part in name)
        except (TypeError, ValueError):
            raise OptionError(
                say("{value} is not a head. Write a head as (layer, head) or “L0H0”.", value=excerpt(name))
            ) from None
    if not (0 <= layer < n_layers and 0 <= head < n_heads):
        raise OptionError(
            say(
                "There is no head {head}: this model has layers 0–{last_layer} with heads 0–{last_head} each.",
                head=head_label(layer, head),
                last_layer=n_layers - 1,
                last_head=n_heads - 1,
            )
        )
    return layer, head


def positive(value: object, what: str) -> int:
    """A whole number of at least 1. Raises OptionError for anything else."""
    try:
        number = whole_number(value)
    except TypeError:
        number = 0
    if number < 1:
        raise OptionError(
            say("{what} must be a whole number of at least 1, not {value}.", what=what, value=excerpt(value))
        )
    return number


def parse_heads(names: Iterable, n_layers: int, n_heads: int) -> tuple[tuple[int, int], ...]:
    """Read several heads; sorted, each once. A string may list them: `"L9H6, L9H9"`."""
    if isinstance(names, str):
        names = [part for part in re.split(r"[;,\s]+", names) if part]
    names = listed(names, say("Heads"))
    heads = tuple(sorted({parse_head(name, n_layers, n_heads) for name in names}))
    if not heads:
        raise OptionError(say("No head was named. Name at least one, such as L0H0."))
    return heads


def choose(value: str, allowed: Sequence[str], what: str) -> str:
    """Return `value` if it is one of `allowed`; otherwise raise OptionError listing them."""
    if not isinstance(value, str) or value not in allowed:
        raise OptionError(
            say(
                "Unknown {what} {value}. Choose one of: {allowed}.",
                what=what,
                value=excerpt(value),
                allowed=joined(allowed, ", "),
            )
        )
    return value


def excerpt(value: object, length: int = 60) -> str:
    """A value as it would be written in Python, cut to fit a sentence."""
    text = repr(value)
    return text if len(text) <= length else text[: length - 1] + "…"


def listed(values, what: str) -> tuple:
    """Several values as a tuple; a single text counts as one. Raises OptionError for what is no list."""
    if isinstance(values, str):
        return (values,)
    if isinstance(values, (bytes, dict)) or not isinstance(values, Iterable):
        raise _no_list(values, what)
    try:
        return tuple(values)
    except TypeError:  # a 0-d array calls itself iterable
        raise _no_list(values, what) from None


def _no_list(values: object, what: str) -> OptionError:
    return OptionError(say("{what} must be a list, not {value}.", what=what, value=excerpt(values)))


def whole_number(value: object) -> int:
    """A whole number of any integer type as int. Raises TypeError for all else: booleans, 1.0, arrays of floats."""
    if isinstance(value, bool) or str(getattr(value, "dtype", "")).endswith("bool"):
        raise TypeError("a boolean is no number here")
    return index(value)


def parse_positions(positions, n_tokens: int) -> tuple[int, ...]:
    """Read token positions: a sequence of ints, negative ones counted from the end; sorted, each once.

    Raises OptionError for a position outside the prompt or an empty list.
    """
    if isinstance(positions, str):
        raise OptionError(say("Positions must be a list of whole numbers, not {value}.", value=excerpt(positions)))
    found = {parse_position(position, n_tokens) for position in listed(positions, say("Positions"))}
    if not found:
        raise OptionError(say("The list of positions is empty. Name at least one position."))
    return tuple(sorted(found))


def parse_position(position: int, n_tokens: int) -> int:
    """Read one token position; negative ones count from the end. Raises OptionError outside the prompt."""
    try:
        number = whole_number(position)
    except TypeError:
        raise OptionError(
            say("{value} is not a position. Positions are whole numbers.", value=excerpt(position))
        ) from None
    if not -n_tokens <= number < n_tokens:
        raise OptionError(
            say(
                "There is no position {position}: the prompt has positions 0–{last}.",
                position=number,
                last=n_tokens - 1,
            )
        )
    return number % n_tokens
