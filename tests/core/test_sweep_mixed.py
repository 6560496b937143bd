"""Cells of every kind in one sweep: several edits each, at any layer, stage and position, read at several places.

Whatever joins the walk, whenever and next to whom, each cell must be the hooked run with the same edits.
"""

import random

import pytest
import torch

from resstream_demo.core.cells import Cell
from resstream_demo.core.cells import Edit as EngineEdit
from resstream_demo.core.sweep import sweep
from tests.agreement import assert_agree
from tests.models_under_test import FLOAT32, N_CTX, explored, reference
from tests.oracle import HEAD_SITES, Edit, record, run

# In the order in which a layer computes them, which is the order in which hooks must write them.
IN_ORDER = ("resid_pre", "q", "k", "v", "pattern", "z", "attn_out", "resid_mid", "mlp_out", "resid_post")


def random_ids(draw: random.Random, length: int) -> list[int]:
    return [draw.randrange(256) for _ in range(length)]


def random_edits(draw: random.Random, config, length: int) -> list[tuple]:
    """One to four edits as (site, layer, head, positions), no two of the same activation."""
    chosen = {}
    for _ in range(draw.randint(1, 4)):
        site, layer = draw.choice(IN_ORDER), draw.randrange(config.n_layer)
        head = draw.randrange(config.n_head) if site in HEAD_SITES else None
        positions = sorted(draw.sample(range(length), draw.randint(1, length)))
        chosen[site, layer, head] = (site, layer, head, positions)
    return sorted(chosen.values(), key=lambda edit: (edit[1], IN_ORDER.index(edit[0])))


def value_of(site_values, layer, head):
    return site_values[layer] if head is None else site_values[layer, head]


@pytest.mark.parametrize("name", FLOAT32)
@pytest.mark.parametrize("seed, length", [(0, 1), (1, 2), (2, 9), (3, 23), (4, N_CTX)])
def test_cells_of_every_kind_share_one_sweep(name, seed, length):
    draw, model, hf_model = random.Random(seed), explored(name), reference(name)
    base_ids, source_ids = random_ids(draw, length), random_ids(draw, length)
    source = record(hf_model, source_ids)
    plans = [random_edits(draw, hf_model.config, length) for _ in range(25)]
    read = sorted(draw.sample(range(length), min(3, length)))

    cells = [
        Cell(
            tuple(
                EngineEdit(site, layer, head, tuple(at), value_of(source[site], layer, head)[at])
                for site, layer, head, at in plan
            )
        )
        for plan in plans
    ]
    expected = torch.stack(
        [
            run(
                hf_model,
                base_ids,
                [Edit(site, layer, value_of(source[site], layer, head), head, at) for site, layer, head, at in plan],
            )[read]
            for plan in plans
        ]
    )

    def logits(finals):
        return model.adapter.unembed(model.adapter.final_norm(finals))

    base = model.trace(base_ids)
    for chunk_tokens in (None, 1, 3 * length):
        measured = sweep(model, base, cells, logits, read=read, chunk_tokens=chunk_tokens)
        assert_agree(measured, expected, what=f"chunks of {chunk_tokens} tokens")


def test_reports_of_progress_end_at_the_number_of_cells_and_an_exception_stops_the_sweep():
    model = explored("plain")
    base, draw = model.trace(list(range(9))), random.Random(0)
    cells = [
        Cell((EngineEdit("z", layer, head, (at,), torch.randn(1, model.d_head)),))
        for layer in range(3)
        for head in range(4)
        for at in range(9)
    ]
    draw.shuffle(cells)
    reports = []
    sweep(model, base, cells, lambda f: f[:, -1, 0], chunk_tokens=20, progress=lambda *r: reports.append(r))
    assert reports[-1] == (len(cells), len(cells))
    assert reports == sorted(reports) and all(total == len(cells) for _, total in reports)

    class Stopped(Exception):
        pass

    def stop(done, total):
        raise Stopped

    with pytest.raises(Stopped):
        sweep(model, base, cells, lambda f: f[:, -1, 0], chunk_tokens=20, progress=stop)
    assert torch.equal(base.final, model.trace(list(range(9))).final)
