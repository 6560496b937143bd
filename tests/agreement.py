"""When two numbers computed along different roads count as the same."""

import numpy as np
import torch

from tests.models_under_test import build, reference

FLOAT32_TOLERANCE = 1e-4  # absolute and relative; sums of a few hundred float32 terms differ by about 1e-6


def assert_agree(measured, expected, *, what: str, atol: float = FLOAT32_TOLERANCE, rtol: float = FLOAT32_TOLERANCE):
    """Same shape, every number finite and within atol + rtol·|expected|; the failure names the worst cell."""
    measured, expected = (np.asarray(x, dtype=np.float64) for x in (measured, expected))
    assert measured.shape == expected.shape, f"{what}: shape {measured.shape}, expected {expected.shape}"
    assert np.isfinite(measured).all(), f"{what}: not finite"
    excess = np.abs(measured - expected) - (atol + rtol * np.abs(expected))
    worst = np.unravel_index(excess.argmax(), excess.shape)
    assert excess[worst] <= 0, (
        f"{what}: cell {tuple(map(int, worst))} is {measured[worst]:.7g}, expected {expected[worst]:.7g}; "
        f"{int((excess > 0).sum())} of {excess.size} cells are off"
    )


def assert_ranks_agree(measured, logits, answer, *, what: str, margin: float = FLOAT32_TOLERANCE):
    """A rank may differ only by tokens whose logit lies within the margin of the answer's.

    measured: any shape S of ranks; logits: [*S, V].
    """
    measured, logits = np.asarray(measured), torch.as_tensor(logits).double().numpy()
    own = logits[..., answer, None]
    margin = margin * (1 + np.abs(own))
    least, most = (logits > own + margin).sum(-1), (logits > own - margin).sum(-1) - 1
    assert measured.shape == least.shape, f"{what}: shape {measured.shape}, expected {least.shape}"
    assert ((measured >= least) & (measured <= most)).all(), f"{what}: {measured} not within {least} … {most}"


def exact_twin(name: str):
    """The model whose arithmetic is exact enough to be the truth: for bfloat16 the same weights in float32."""
    return build(name).float() if reference(name).dtype == torch.bfloat16 else reference(name)
