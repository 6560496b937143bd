"""The logit lens reads every point of the stream as the model reads its last: ln_final, then the unembedding."""

import numpy as np
import pytest
import torch

from resstream_demo import logit_lens
from resstream_demo.core.errors import ExplorerError, OptionError, TokenError
from tests.agreement import assert_agree, assert_ranks_agree, exact_twin
from tests.models_under_test import CLEAN_TEXT, FLOAT32, PADDING_ROWS, PAIRS, explored, ids_of, reference
from tests.oracle import RESID_SITES, kl, lens_rows, run

LENS_SITES = ("resid_pre", "attn_out", "resid_mid", "mlp_out", "resid_post")  # as a layer has them, one after another
assert set(LENS_SITES) == set(RESID_SITES)
IDS = PAIRS["different from the first token on"][0]
TARGETS = (41, 77, 5)
both_norms = pytest.mark.parametrize("norm", ["fresh", "final"])


@pytest.mark.parametrize("name", FLOAT32)
@both_norms
def test_every_number_of_every_row_is_the_oracles(name, norm):
    labels, logits = lens_rows(reference(name), IDS, LENS_SITES, norm)
    result = logit_lens(explored(name), IDS, sites=LENS_SITES, top_k=7, targets=TARGETS, norm=norm)
    probabilities = logits.softmax(-1)

    expected_names = ["embed", *(f"L{layer} {site}" for layer, site in labels[1:])]
    assert list(result.row_names) == expected_names
    assert list(result.row_layers) == [-1, *(layer for layer, _ in labels[1:])]

    assert_agree(result.top_probs, probabilities.topk(7).values, what="top_probs")
    assert_agree(
        result.top_probs, probabilities.gather(-1, torch.tensor(result.top_ids)), what="probabilities of top_ids"
    )
    assert_agree(result.entropy, torch.special.entr(probabilities).sum(-1), what="entropy in nats")
    output = run(reference(name), IDS)
    assert_agree(result.kl_to_final, kl(output.expand_as(logits), logits), what="KL(final ‖ row)")
    for n, target in enumerate(TARGETS):
        assert_agree(result.target_probs[..., n], probabilities[..., target], what=f"p({target})")
        assert_ranks_agree(result.target_ranks[..., n], logits, target, what=f"rank of {target}")


@pytest.mark.parametrize("site", LENS_SITES)
def test_each_site_alone_gives_the_embedding_and_one_row_a_layer(site):
    _, logits = lens_rows(reference("plain"), IDS, (site,))
    result = logit_lens(explored("plain"), IDS, sites=(site,), targets=TARGETS)
    assert list(result.row_names) == ["embed", *(f"L{layer} {site}" for layer in range(3))]
    assert_agree(result.target_probs, logits.softmax(-1)[..., list(TARGETS)], what=site)


def test_by_default_there_is_a_row_for_the_embedding_and_one_after_each_layer():
    result = logit_lens(explored("plain"), IDS)
    assert list(result.row_names) == ["embed", "L0 resid_post", "L1 resid_post", "L2 resid_post"]
    assert result.top_ids.shape == result.top_probs.shape == (4, len(IDS), 10)
    assert result.entropy.shape == result.kl_to_final.shape == (4, len(IDS))
    assert result.target_probs.shape == result.target_ranks.shape == (4, len(IDS), 0)


@pytest.mark.parametrize("name", FLOAT32)
@both_norms
def test_the_last_row_is_the_model(name, norm):
    result = logit_lens(explored(name), IDS, targets=TARGETS, norm=norm)
    own = run(reference(name), IDS).softmax(-1)
    assert_agree(result.target_probs[-1], own[:, list(TARGETS)], what="last row")
    assert_agree(result.top_probs[-1], own.topk(10).values, what="last row's top")
    assert np.abs(result.kl_to_final[-1]).max() < 1e-6
    assert result.receipts and all(receipt.ok for receipt in result.receipts)


def test_the_two_norms_differ_in_the_middle():
    fresh, final = (logit_lens(explored("plain"), IDS, norm=norm) for norm in ("fresh", "final"))
    assert np.abs(fresh.entropy[0] - final.entropy[0]).max() > 0.05


@pytest.mark.parametrize("site", LENS_SITES)
def test_bfloat16_rows_are_decoded_in_float32(site):
    truth, hooked = (
        lens_rows(model, IDS, (site,))[1].softmax(-1)[..., list(TARGETS)]
        for model in (exact_twin("bfloat16"), reference("bfloat16"))
    )
    result = logit_lens(explored("bfloat16"), IDS, sites=(site,), targets=TARGETS)
    noise = (hooked - truth).abs().max().item()
    assert result.entropy.dtype == np.float32
    assert_agree(result.target_probs, truth, what=site, atol=2 * noise, rtol=0)
    assert_agree(result.target_probs[0], truth[0], what="embedding row", atol=2e-3, rtol=0)


def test_top_tokens_are_display_strings_of_the_top_ids():
    model = explored("plain")
    result = logit_lens(model, CLEAN_TEXT, top_k=3)
    assert len(result.prompt) == len(ids_of(CLEAN_TEXT))
    tokens = result.top_tokens(2, 5)
    assert len(tokens) == 3 and all(isinstance(token, str) and token for token in tokens)


def test_the_vocabulary_past_the_tokenizer_has_names_too():
    model = explored("untied, resized vocabulary")
    everything = model.vocab_size
    result = logit_lens(model, IDS, top_k=everything)
    unowned = set(range(everything - PADDING_ROWS, everything))
    assert unowned < set(result.top_ids[-1, -1].tolist())
    row, column = len(result.row_names) - 1, len(IDS) - 1
    names = dict(zip(result.top_ids[row, column].tolist(), result.top_tokens(row, column), strict=True))
    assert len({names[i] for i in unowned}) == PADDING_ROWS and all(str(i) in names[i] for i in unowned)


def test_targets_may_be_words_and_each_says_what_was_taken():
    result = logit_lens(explored("plain"), CLEAN_TEXT, targets=("Mary", " John", 17))
    ids = [ids_of(" Mary", bos=False)[0], ids_of(" John", bos=False)[0], 17]
    assert [target.id for target in result.targets] == ids
    own = run(reference("plain"), ids_of(CLEAN_TEXT)).softmax(-1)
    assert_agree(result.target_probs[-1], own[:, ids], what="targets")


def test_without_bos_the_first_column_is_the_first_word():
    result = logit_lens(explored("plain"), CLEAN_TEXT, bos=False, targets=(41,))
    ids = ids_of(CLEAN_TEXT, bos=False)
    assert list(result.prompt.ids) == ids
    assert_agree(result.target_probs[-1], run(reference("plain"), ids).softmax(-1)[:, [41]], what="no BOS")


def test_the_frame_says_what_the_arrays_say():
    result = logit_lens(explored("plain"), IDS, top_k=2, targets=(41,))
    frame = result.frame()
    assert len(frame) == result.entropy.size
    for column, array in (("entropy", result.entropy), ("kl_to_final", result.kl_to_final)):
        assert np.array_equal(frame[column], array.ravel())
    assert (frame["row"].unique() == list(result.row_names)).all()
    assert len(result.top(1)) == result.entropy.size and len(result.top(2)) == 2 * result.entropy.size


@pytest.mark.parametrize(
    "options, offending, error",
    [
        (dict(sites=("resid_middle",)), "resid_middle", OptionError),
        (dict(sites=()), "site", OptionError),
        (dict(norm="frozen"), "frozen", OptionError),
        (dict(top_k=0), "0", OptionError),
        (dict(targets=(99_999,)), "99999", TokenError),
    ],
)
def test_a_wrong_option_is_named(options, offending, error):
    with pytest.raises(error) as caught:
        logit_lens(explored("plain"), IDS, **options)
    assert isinstance(caught.value, ExplorerError)
    assert offending in str(caught.value).replace(",", "")
