"""How layers, heads and options are named on screen, in exports and on the command line."""

import re
from collections.abc import Iterable, Sequence
from operator import index

from .errors import OptionError

_HEAD = re.compile(r"\s*L?(\d+)[.:]?H?(?<=[.:Hh])(\d+)\s*", re.IGNORECASE)


def head_label(layer: int, head: int) -> str:
    """The name of a head: layer 9, head 6 is `L9H6`."""
    return f"L{layer}H{head}"


def parse_head(name: str | Sequence[int], n_layers: int, n_heads: int) -> tuple[int, int]:
    """Read `"L9H6"`, `"9.6"` or `(9, 6)` as (layer, head). Raises OptionError if there is no such head."""
    if isinstance(name, str):
        match = _HEAD.fullmatch(name)
        if match is None:
            raise OptionError(f"“{name}” is not a head. Write a head as L{n_layers - 1}H0 or {n_layers - 1}.0.")
        layer, head = int(match[1]), int(match[2])
    else:
        try:
            layer, head = (_whole(part) for part in name)
        except (TypeError, ValueError):
            raise OptionError(f"{name!r} is not a head. Write a head as (layer, head) or “L0H0”.") from None
    if not (0 <= layer < n_layers and 0 <= head < n_heads):
        raise OptionError(
            f"There is no head {head_label(layer, head)}: this model has layers 0–{n_layers - 1} "
            f"with heads 0–{n_heads - 1} each."
        )
    return layer, head


def _whole(number) -> int:
    """A whole number as int. Raises TypeError for anything else, booleans and 1.0 included."""
    if isinstance(number, bool):
        raise TypeError("a boolean is no number here")
    return index(number)


def parse_heads(names: Iterable, n_layers: int, n_heads: int) -> tuple[tuple[int, int], ...]:
    """Read several heads; sorted, each once. A string may list them: `"L9H6, L9H9"`."""
    if isinstance(names, str):
        names = [part for part in re.split(r"[;,\s]+", names) if part]
    heads = tuple(sorted({parse_head(name, n_layers, n_heads) for name in names}))
    if not heads:
        raise OptionError("No head was named. Name at least one, such as L0H0.")
    return heads


def choose(value: str, allowed: Sequence[str], what: str) -> str:
    """Return `value` if it is one of `allowed`; otherwise raise OptionError listing them."""
    if value not in allowed:
        raise OptionError(f"Unknown {what} {value!r}. Choose one of: {', '.join(allowed)}.")
    return value


def parse_positions(positions, n_tokens: int) -> tuple[int, ...]:
    """Read token positions: a sequence of ints, negative ones counted from the end; sorted, each once.

    Raises OptionError for a position outside the prompt or an empty list.
    """
    if isinstance(positions, str) or not isinstance(positions, Iterable):
        raise OptionError(f"Positions must be a list of whole numbers, not {positions!r}.")
    found = set()
    for position in positions:
        found.add(parse_position(position, n_tokens))
    if not found:
        raise OptionError("The list of positions is empty. Name at least one position.")
    return tuple(sorted(found))


def parse_position(position: int, n_tokens: int) -> int:
    """Read one token position; negative ones count from the end. Raises OptionError outside the prompt."""
    try:
        number = _whole(position)
    except TypeError:
        raise OptionError(f"{position!r} is not a position. Positions are whole numbers.") from None
    if not -n_tokens <= number < n_tokens:
        raise OptionError(f"There is no position {number}: the prompt has positions 0–{n_tokens - 1}.")
    return number % n_tokens
