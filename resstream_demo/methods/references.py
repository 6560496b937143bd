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
from ..core.trace import Trace

REFERENCE_FILE = Path(__file__).resolve().parents[2] / "assets" / "references.json"


@dataclass(frozen=True, eq=False)
class Reference:
    """z values to put in a head's place. description: what they are, for screens and exports. prompts: their texts.

    first, rest: [L, H, d_head] means at position 0 and at the other positions, or z: [L, H, T, d_head] as they are.
    """

    description: str
    prompts: tuple[str, ...]
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
    first, rest, n_rest, texts = 0.0, 0.0, 0, []
    for prompt in prompts:
        run = model.trace(prompt, bos)
        texts.append(run.prompt.text)
        z = run.z.float()
        first = first + z[:, :, 0]
        rest = rest + z[:, :, 1:].sum(2)
        n_rest += z.shape[2] - 1
    if n_rest == 0:
        raise OptionError(f"The reference set “{name}” has only one-token prompts. Give longer ones.")
    description = f"mean over “{name}”: {len(prompts)} prompts, {n_rest + len(prompts)} positions"
    return Reference(description, tuple(texts), first=first / len(prompts), rest=rest / n_rest)


def _named_set(reference) -> tuple[str, Sequence]:
    if isinstance(reference, str):
        sets = bundled_sets()
        if reference not in sets:
            raise OptionError(
                f"There is no reference set “{reference[:80]}”. Bundled: {', '.join(sets)}. "
                "For your own, give (name, prompts)."
            )
        return reference, sets[reference]
    shaped = isinstance(reference, (tuple, list)) and len(reference) == 2
    if not shaped or not isinstance(reference[0], str) or not isinstance(reference[1], (tuple, list)):
        raise OptionError(
            f"A reference set is the name of a bundled one, or (name, list of prompts), not {excerpt(reference)}."
        )
    name, prompts = reference
    if not name or not prompts:
        raise OptionError("A reference set needs a name and at least one prompt.")
    return name, prompts


def resample_reference(model, base: Trace, reference, bos: bool) -> Reference:
    """Every head's z on another prompt of equal length. Raises PromptError if the lengths differ."""
    other = model.trace(reference, bos)
    if len(other.prompt) != len(base.prompt):
        raise PromptError(
            f"The reference prompt has {len(other.prompt)} tokens and the prompt {len(base.prompt)}; resampling takes "
            "each position from its partner, so they must be equally long."
        )
    return Reference(f"resampled from “{other.prompt.text}”", (other.prompt.text,), z=other.z)
