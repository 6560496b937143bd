"""Receipts turn red when what they vouch for breaks: here it is broken on purpose."""

import pytest
import torch

from resstream_demo import activation_patching, direct_logit_attribution, head_ablation, logit_lens
from resstream_demo.core import sweep as engine
from resstream_demo.core.gpt2 import GPT2Adapter
from resstream_demo.core.models import wrap_model
from resstream_demo.methods import lens as lens_module
from tests.models_under_test import PAIRS, build, explored, tokenizer
from tests.oracle import SITES

CLEAN, CORRUPTED = PAIRS["different from the first token on"]


def red(result) -> list[str]:
    return [receipt.name for receipt in result.receipts if not receipt.ok]


def patched(site):
    return activation_patching(explored("plain"), CLEAN, CORRUPTED, 41, 77, site=site)


@pytest.fixture
def lose(monkeypatch):
    """Make the engine forget the edits of one site."""

    def forget(site):
        edit = engine._Walk._edit
        monkeypatch.setattr(
            engine._Walk, "_edit", lambda walk, layer, s, rows: rows if s == site else edit(walk, layer, s, rows)
        )
        if site == "pattern":
            monkeypatch.setattr(engine._Walk, "_pattern_edits", lambda walk, layer: {})

    return forget


@pytest.mark.parametrize("site", SITES)
def test_patching_notices_edits_that_were_lost(site, lose):
    assert red(patched(site)) == []
    lose(site)
    assert red(patched(site)), f"all receipts hold although no edit of {site} was made"


@pytest.mark.parametrize("site", ["resid_pre", "z", "attn_out"])
def test_patching_notices_edits_in_the_wrong_rows(site, monkeypatch):
    assert red(patched(site)) == []
    edit = engine._Walk._edit
    monkeypatch.setattr(engine._Walk, "_edit", lambda walk, layer, s, rows: edit(walk, layer, s, rows.flip(0)).flip(0))
    assert red(patched(site)), f"all receipts hold although edits of {site} went into other runs' rows"


@pytest.mark.parametrize("kind", ["zero", "bias_only"])
def test_ablation_notices_edits_that_were_lost(kind, lose):
    run = lambda: head_ablation(explored("plain"), CLEAN, 41, 77, kind=kind)  # noqa: E731
    assert red(run()) == []
    lose("z")
    assert red(run()) == ["all heads of a layer − their write"]


def test_the_lens_notices_wrong_numbers_in_the_row_it_shows(monkeypatch):
    read_row = lens_module._read_row
    monkeypatch.setattr(lens_module, "_read_row", lambda logits, *rest: read_row(logits / 2, *rest))
    assert red(logit_lens(explored("plain"), CLEAN)) == ["last row − model"]


@pytest.mark.parametrize("norm", ["fresh", "final"])
def test_the_lens_speaks_of_a_last_row_only_if_it_shows_one(norm):
    with_output = logit_lens(explored("plain"), CLEAN, sites=("resid_post", "attn_out"), norm=norm)
    without = logit_lens(explored("plain"), CLEAN, sites=("attn_out",), norm=norm)
    assert "last row − model" in [receipt.name for receipt in with_output.receipts]
    assert "last row − model" not in [receipt.name for receipt in without.receipts]


def test_attribution_notices_a_part_counted_wrong(monkeypatch):
    own = GPT2Adapter.b_O
    monkeypatch.setattr(GPT2Adapter, "b_O", lambda adapter, layer: own(adapter, layer) * 1.5)
    assert red(direct_logit_attribution(explored("plain"), CLEAN, 41, 77)) == ["parts − whole"]


def test_a_model_is_refused_at_load_if_the_sweep_differs_from_its_forward(monkeypatch):
    """The recorded run alone is right here; only runs that share a prefix with it go wrong."""
    attention_pattern = engine.attention_pattern

    def forgetful(q, k_shared, k_own, own_index, scale):
        return attention_pattern(q, torch.zeros_like(k_shared), k_own, own_index, scale)

    wrap_model(build("plain"), tokenizer())
    monkeypatch.setattr(engine, "attention_pattern", forgetful)
    with pytest.raises(ValueError, match="was refused: on a probe"):
        wrap_model(build("plain"), tokenizer())
