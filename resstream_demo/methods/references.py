"""Reference sets: what a mean is taken over and what values are resampled from, always with a name."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import torch
from torch import Tensor

from ..core.errors import OptionError, PromptError
from ..core.names import excerpt
from ..core.tokens import Prompt
from ..core.trace import Trace
from ..core.words import joined, plural, say
from .results import reads_back

REFERENCE_FILE = Path(__file__).resolve().parents[2] / "assets" / "references.json"


@dataclass(frozen=True, eq=False)
class Reference:
    """z values to put in a head's place. description: what they are, for screens and exports. prompts: their texts;
    ids: their ids, empty if the texts give them back. name: of a set that a mean was taken over.

    first, rest: [L, H, d_head] means at position 0 and at the other positions, or z: [L, H, T, d_head] as they are.
    """

    description: str
    prompts: tuple[str, ...]
    ids: tuple[tuple[int, ...], ...] = ()
    name: str = ""
    first: Tensor | None = None
    rest: Tensor | None = None
    z: Tensor | None = None

    def z_for(self, n_tokens: int) -> Tensor:
        """[L, H, n_tokens, d_head]."""
        if self.z is not None:
            return self.z
        return torch.cat([self.first[:, :, None], self.rest[:, :, None].repeat(1, 1, n_tokens - 1, 1)], dim=2)


@cache
def bundled_sets() -> dict[str, tuple[str, ...]]:
    """The reference sets that come with the project: name → prompts."""
    sets = json.loads(REFERENCE_FILE.read_text("utf-8"))
    return {name: tuple(entry["prompts"]) for name, entry in sets.items()}


def mean_reference(model, reference: str | tuple[str, Sequence], bos: bool) -> Reference:
    """Every head's mean z over a set of prompts, position 0 apart from the others.

    At position 0 a head sees only itself, and with a BOS there all prompts agree, so mixing it with other positions
    would put a value there that no run ever has. reference: the name of a bundled set, or (name, prompts). Raises
    OptionError for an unknown name or an empty set.
    """
    name, prompts = _named_set(reference)
    first, rest, n_rest, read = 0.0, 0.0, 0, []
    for prompt in prompts:
        run = model.trace(prompt, bos)
        read.append(run.prompt)
        z = run.z.float()
        first = first + z[:, :, 0]
        rest = rest + z[:, :, 1:].sum(2)
        n_rest += z.shape[2] - 1
    if n_rest == 0:
        raise OptionError(say("The reference set “{name}” has only one-token prompts. Give longer ones.", name=name))
    description = plural(
        len(prompts),
        "mean over “{name}”: {count} prompt, {positions} positions",
        "mean over “{name}”: {count} prompts, {positions} positions",
        name=name,
        positions=n_rest + len(prompts),
    )
    texts, ids = tuple(prompt.text for prompt in read), _needed_ids(model, read, bos)
    return Reference(description, texts, ids, name, first=first / len(prompts), rest=rest / n_rest)


def _needed_ids(model, prompts: Sequence[Prompt], bos: bool) -> tuple[tuple[int, ...], ...]:
    """The ids of prompts, if the text of any of them does not give them back."""
    needed = not all(reads_back(model, prompt, bos) for prompt in prompts)
    return tuple(prompt.ids for prompt in prompts) if needed else ()


def _named_set(reference) -> tuple[str, Sequence]:
    if isinstance(reference, str):
        sets = bundled_sets()
        if reference not in sets:
            raise OptionError(
                say(
                    "There is no reference set “{name}”. Bundled: {names}. For your own, give (name, prompts).",
                    name=reference[:80],
                    names=joined(sets, ", "),
                )
            )
        return reference, sets[reference]
    shaped = isinstance(reference, (tuple, list)) and len(reference) == 2
    if not shaped or not isinstance(reference[0], str) or not isinstance(reference[1], (tuple, list)):
        raise OptionError(
            say(
                "A reference set is the name of a bundled one, or (name, list of prompts), not {value}.",
                value=excerpt(reference),
            )
        )
    name, prompts = reference
    if not name or not prompts:
        raise OptionError(say("A reference set needs a name and at least one prompt."))
    return name, prompts


def resample_reference(model, base: Trace, reference, bos: bool) -> Reference:
    """Every head's z on another prompt of equal length. Raises PromptError if the lengths differ."""
    other = model.trace(reference, bos)
    if len(other.prompt) != len(base.prompt):
        raise PromptError(
            say(
                "The reference prompt has {reference} tokens and the prompt {prompt}; resampling takes each position "
                "from its partner, so they must be equally long.",
                reference=len(other.prompt),
                prompt=len(base.prompt),
            )
        )
    return Reference(
        say("resampled from “{text}”", text=other.prompt.text),
        (other.prompt.text,),
        _needed_ids(model, [other.prompt], bos),
        z=other.z,
    )
