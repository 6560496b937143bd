"""The paths of the tokens that a lens puts first, and all rows' changes at once, against rows from plain hooks."""

import numpy as np
import pytest

from resstream_demo import logit_lens
from resstream_demo.core.errors import MetricError, OptionError
from resstream_demo.core.gpt2 import GPT2Adapter
from resstream_demo.core.tokens import is_word
from resstream_demo.methods.lens_detail import always_first, lens_change, lens_changes, word_ids, word_places
from resstream_demo.methods.lens_paths import first_paths
from tests.agreement import assert_agree
from tests.models_under_test import CLEAN_TEXT, FLOAT32, PAIRS, explored, reference
from tests.oracle import lens_rows

IDS = PAIRS["different from the first token on"][0]
FIVE = ("resid_pre", "attn_out", "resid_mid", "mlp_out", "resid_post")
every_model = pytest.mark.parametrize("name", FLOAT32)
both_norms = pytest.mark.parametrize("norm", ["fresh", "final"])


@every_model
@both_norms
@pytest.mark.parametrize("sites", [("resid_post",), FIVE], ids=len)
def test_paths_are_the_probabilities_in_every_row(name, norm, sites):
    model = explored(name)
    result = logit_lens(model, IDS, sites=sites, norm=norm, top_k=2)
    paths = first_paths(model, IDS, result)
    probabilities = lens_rows(reference(name), IDS, sites, norm)[1].softmax(-1)  # [R, T, V]
    assert len(paths.ids) == len(paths.probs) == len(IDS)
    for position, (ids, probs) in enumerate(zip(paths.ids, paths.probs, strict=True)):
        assert ids == always_first(result, position) and probs.dtype == np.float32
        assert_agree(probs, probabilities[:, position, list(ids)], what=f"paths at {position}")


def test_a_few_columns_of_the_unembedding_are_read(monkeypatch):
    model = explored("plain")
    result = logit_lens(model, IDS)
    own, read = GPT2Adapter.unembed, []
    monkeypatch.setattr(
        GPT2Adapter, "unembed", lambda *args: read.append(0 if len(args) < 3 else len(args[2])) or own(*args)
    )
    paths = first_paths(model, model.trace(IDS), result)
    assert read == [len(ids) for ids in paths.ids] and 0 < max(read) <= len(result.row_names)


@both_norms
def test_bfloat16_paths_are_read_in_float32_as_the_lens_reads_its_targets(norm):
    model = explored("bfloat16")
    result = logit_lens(model, IDS, norm=norm)
    paths = first_paths(model, IDS, result)
    for position, (ids, probs) in enumerate(zip(paths.ids, paths.probs, strict=True)):
        followed = logit_lens(model, IDS, norm=norm, targets=ids).target_probs[:, position]
        assert_agree(probs, followed, what=f"paths at {position}", atol=1e-5, rtol=1e-5)


def test_paths_of_another_prompt_are_refused():
    result = logit_lens(explored("plain"), CLEAN_TEXT)
    with pytest.raises(OptionError, match="another prompt"):
        first_paths(explored("plain"), CLEAN_TEXT + " the", result)


def test_numbers_that_are_not_finite_are_an_error(monkeypatch):
    model = explored("plain")
    result = logit_lens(model, IDS)
    monkeypatch.setattr(GPT2Adapter, "unembed", lambda self, normed, columns: normed[:, : len(columns)] * np.inf)
    with pytest.raises(MetricError, match="not finite"):
        first_paths(model, IDS, result)


# --- all rows of a position ----------------------------------------------------------------------------------


@every_model
@both_norms
@pytest.mark.parametrize("words_only", [False, True])
def test_all_rows_are_what_each_row_is(name, norm, words_only):
    how = {"position": 3, "sites": FIVE, "norm": norm, "k": 5, "words_only": words_only}
    found = lens_changes(explored(name), IDS, **how)
    names = logit_lens(explored(name), IDS, sites=FIVE).row_names
    assert tuple(change.row_name for change in found) == names
    for row, change in enumerate(found):
        alone = lens_change(explored(name), IDS, row, **how)
        assert (change.row, change.below_name) == (alone.row, alone.below_name)
        assert change.info == alone.info and len(change.receipts) == len(alone.receipts)
        assert change.ids.tolist() == alone.ids.tolist() and change.tokens == alone.tokens
        assert_agree(change.probs, alone.probs, what="probabilities", atol=1e-6)
        assert np.array_equal(change.ranks, alone.ranks)
        if row:
            assert np.array_equal(change.ranks_below, alone.ranks_below)
            assert change.promoted.ids.tolist() == alone.promoted.ids.tolist()
            assert_agree(change.suppressed.values, alone.suppressed.values, what="changes", atol=1e-4)
        else:
            assert change.promoted is change.suppressed is change.ranks_below is None


def test_each_row_is_decoded_once(monkeypatch):
    model = explored("plain")
    own, seen = GPT2Adapter.unembed, []
    monkeypatch.setattr(GPT2Adapter, "unembed", lambda *args: seen.append(args[1].shape[:-1].numel()) or own(*args))
    assert len(lens_changes(model, IDS, sites=FIVE)) == sum(seen) == 16


def test_the_words_of_a_lens_are_those_of_its_cells():
    model = explored("plain")
    result = logit_lens(model, CLEAN_TEXT)
    words = word_ids(model, result)
    assert words and words == {i for i in result.shown if is_word(model.answer(i).text)}
    assert words < set(result.shown)
    for row, position in np.ndindex(*result.entropy.shape):
        ids = result.top_ids[row, position].tolist()
        kept = tuple(n for n, i in enumerate(ids) if not n or i in words)
        assert kept == word_places(model, result, row, position)
