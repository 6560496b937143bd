"""Tokens followed through the lens, and one row of it beside the row below, against rows decoded from plain hooks."""

import json
import os
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from resstream_demo import logit_lens
from resstream_demo.core.errors import ExplorerError, OptionError, PromptError, TokenError
from resstream_demo.core.gpt2 import GPT2Adapter
from resstream_demo.core.tokens import is_word, resolve_answer
from resstream_demo.figures.export import result_to_csv, result_to_json
from resstream_demo.methods import lens_detail
from resstream_demo.methods.components import head_detail, mlp_detail
from resstream_demo.methods.lens_detail import always_first, lens_change, lens_trajectories, word_places
from tests.agreement import assert_agree, assert_ranks_agree, exact_twin
from tests.models_under_test import CLEAN_TEXT, FLOAT32, PADDING_ROWS, PAIRS, SHAPES, explored, ids_of, reference
from tests.oracle import lens_rows, record, run

IDS = PAIRS["different from the first token on"][0]
FIVE = ("resid_pre", "attn_out", "resid_mid", "mlp_out", "resid_post")
GROUPS = (41, (77, 5, 12), [17])
ALL = 10**6  # more tokens than there are
every_model = pytest.mark.parametrize("name", FLOAT32)
both_norms = pytest.mark.parametrize("norm", ["fresh", "final"])
positions = pytest.mark.parametrize("position", [-1, 3, 0])


def decoded(name, position, sites=("resid_post",), norm="fresh", ids=IDS):
    """[R, V]: the logits of every row at one position."""
    return lens_rows(reference(name), ids, sites, norm)[1][:, position]


# ---- following tokens ---------------------------------------------------------------------------------------


@every_model
@both_norms
@positions
def test_a_groups_probabilities_add_up_and_its_rank_is_its_best_members(name, norm, position):
    logits = decoded(name, position, FIVE, norm)
    probabilities = logits.softmax(-1)
    result = lens_trajectories(explored(name), IDS, GROUPS, position=position, sites=FIVE, norm=norm)
    assert result.probs.shape == result.ranks.shape == (len(logits), 3) and result.probs.dtype == np.float32
    for n, ids in enumerate([[41], [77, 5, 12], [17]]):
        assert [token.id for token in result.groups[n]] == ids
        assert_agree(result.probs[:, n], probabilities[:, ids].sum(-1), what=f"p({ids})")
        for row, shown in zip(logits, result.ranks[:, n], strict=True):
            assert_ranks_agree(shown, row, max(ids, key=lambda i: row[i]), what=f"rank of {ids}")
    assert all(receipt.ok for receipt in result.receipts)


@every_model
@both_norms
def test_rows_are_those_of_the_lens(name, norm):
    for sites in (("resid_post",), ("mlp_out", "resid_pre")):
        lens = logit_lens(explored(name), IDS, sites=sites, norm=norm, targets=(41, 17))
        result = lens_trajectories(explored(name), IDS, (41, 17), position=2, sites=sites, norm=norm)
        for field in ("row_names", "row_layers", "row_sites", "sites", "norm"):
            assert getattr(result, field) == getattr(lens, field)
        assert_agree(result.probs, lens.target_probs[:, 2], what="probabilities", atol=1e-6)


def test_many_rows_are_decoded_a_few_at_a_time(monkeypatch):
    model = explored("plain")
    usual = lens_trajectories(model, IDS, GROUPS, sites=FIVE)
    own, seen = GPT2Adapter.unembed, []

    def watched(adapter, normed, *rest):
        seen.append(normed.shape[:-1].numel())
        return own(adapter, normed, *rest)

    monkeypatch.setattr(GPT2Adapter, "unembed", watched)
    monkeypatch.setattr(lens_detail, "BLOCK_FLOATS", 3 * model.vocab_size)
    blocked = lens_trajectories(model, IDS, GROUPS, sites=FIVE)
    assert max(seen) == 3 and sum(seen) == len(usual.row_names) == 16
    assert_agree(blocked.probs, usual.probs, what="probabilities", atol=1e-6)
    assert np.array_equal(blocked.ranks, usual.ranks)


def test_words_are_resolved_named_and_counted_once():
    model = explored("plain")
    spaced, bare = (ids_of(text, bos=False)[0] for text in (" Mary", "Mary"))
    result = lens_trajectories(model, CLEAN_TEXT, ("Mary", ("Mary", " Mary", f"#{bare}"), model.answer(bare)))
    assert [[token.id for token in group] for group in result.groups] == [[spaced], [spaced, bare], [bare]]
    assert result.names == ("␣Mary", "␣Mary + Mary", "Mary")
    assert_agree(result.probs[:, 1], result.probs[:, 0] + result.probs[:, 2], what="sum", atol=1e-6)
    assert np.array_equal(result.ranks[:, 1], result.ranks[:, [0, 2]].min(1))


def test_a_single_text_is_one_token_and_an_array_of_ids_is_several():
    assert lens_trajectories(explored("plain"), CLEAN_TEXT, " Mary").names == ("␣Mary",)
    assert lens_trajectories(explored("plain"), IDS, np.array([41, 17])).probs.shape == (4, 2)


@both_norms
def test_bfloat16_rows_are_decoded_in_float32(norm):
    truth, hooked = (
        lens_rows(model, IDS, ("resid_post",), norm)[1].softmax(-1)[:, -1, [77, 5, 12]].sum(-1)
        for model in (exact_twin("bfloat16"), reference("bfloat16"))
    )
    result = lens_trajectories(explored("bfloat16"), IDS, ((77, 5, 12),), norm=norm)
    assert_agree(result.probs[:, 0], truth, what="sum", atol=2 * (hooked - truth).abs().max().item(), rtol=0)
    change = lens_change(explored("bfloat16"), IDS, -1, norm=norm, k=ALL)
    for array in (result.probs, change.probs, change.probs_below, change.promoted.values, change.suppressed.probs):
        assert array.dtype == np.float32 and np.isfinite(array).all()
    assert change.probs.sum() == pytest.approx(1, abs=1e-5)
    assert all(receipt.ok for receipt in (*result.receipts, *change.receipts))


# ---- one cell and the one below -------------------------------------------------------------------------------


@every_model
@both_norms
@positions
def test_a_cells_tokens_have_their_probabilities_and_ranks_here_and_below(name, norm, position):
    logits = decoded(name, position, FIVE, norm)
    probabilities = logits.softmax(-1)
    for row in (0, 1, 4, len(logits) - 1):
        result = lens_change(explored(name), IDS, row, position=position, sites=FIVE, norm=norm, k=6)
        assert_agree(result.probs, probabilities[row].topk(6).values, what="likeliest")
        assert_agree(result.probs, probabilities[row, result.ids], what="probabilities by id")
        for place, token in enumerate(result.ids):
            assert_ranks_agree(result.ranks[place], logits[row], token, what="rank")
            if row:
                assert_ranks_agree(result.ranks_below[place], logits[row - 1], token, what="rank below")
        if row:
            assert_agree(result.probs_below, probabilities[row - 1, result.ids], what="probabilities below")


@every_model
@both_norms
@positions
def test_changes_are_those_of_the_centred_logit(name, norm, position):
    logits = decoded(name, position, FIVE, norm)
    centred = logits - logits.mean(-1, keepdim=True)
    for row in (1, 4, len(logits) - 1):
        change = centred[row] - centred[row - 1]
        for k in (5, ALL):
            result = lens_change(explored(name), IDS, row, position=position, sites=FIVE, norm=norm, k=k)
            many = min(k, len(change))
            assert_agree(result.promoted.values, change.topk(many).values, what="promoted")
            assert_agree(result.suppressed.values, -(-change).topk(many).values, what="suppressed")
            for shown in (result.promoted, result.suppressed):
                assert_agree(shown.values, change[shown.ids], what="change by id")
                assert_agree(shown.probs_below, logits[row - 1].softmax(-1)[shown.ids], what="probability below")
                assert_agree(shown.probs, logits[row].softmax(-1)[shown.ids], what="probability")


def test_the_order_is_that_of_the_change_in_log_probability():
    logp = decoded("plain", -1).log_softmax(-1)
    result = lens_change(explored("plain"), IDS, 2, k=ALL)
    assert (np.diff((logp[2] - logp[1])[result.promoted.ids].numpy()) <= 1e-5).all()


@every_model
@positions
def test_with_the_final_norm_a_change_is_what_the_parts_in_between_add(name, position):
    """From before the last layer's MLP to after it, the MLP; over its attention, its heads and a constant."""
    model = explored(name)
    last = model.n_layers - 1
    options = dict(position=position, norm="final", sites=("resid_pre", "resid_mid", "resid_post"), k=ALL)

    def by_id(shown):
        values = np.zeros(model.vocab_size)
        values[shown.ids] = shown.values
        return values

    mlp = mlp_detail(model, IDS, last, position=position, k=ALL)
    step = lens_change(model, IDS, f"L{last} resid_post", **options)
    assert_agree(by_id(step.promoted), by_id(mlp.promoted), what="MLP", atol=2e-4)
    step = lens_change(model, IDS, f"L{last} resid_mid", **options)
    heads = sum(
        by_id(head_detail(model, IDS, last, head, position=position, value_bias="in_heads", k=ALL).promoted)
        for head in range(model.n_heads)
    )
    bias = reference(name).transformer.h[last].attn.c_proj.bias.detach()
    ln, final = reference(name).transformer.ln_f, lens_final(name, position)
    constant = ((bias - bias.mean()) / final * ln.weight) @ reference(name).lm_head.weight.T
    assert_agree(
        by_id(step.promoted), heads + (constant - constant.mean()).detach().numpy(), what="attention", atol=2e-4
    )


def lens_final(name, position):
    """The divisor of the final norm at a position."""
    final = record(reference(name), IDS)["resid_post"][-1, position]
    return (final.var(unbiased=False) + reference(name).transformer.ln_f.eps).sqrt()


def test_the_lowest_row_has_nothing_below_it():
    result = lens_change(explored("plain"), IDS, "embed", k=3)
    assert result.row == 0 and result.row_name == "embed"
    for field in ("below_name", "ranks_below", "probs_below", "promoted", "suppressed"):
        assert getattr(result, field) is None
    assert list(result.frame()) == ["token", "id", "prob", "rank"]


def test_a_row_is_named_or_numbered_from_either_end():
    named = lens_change(explored("plain"), IDS, "L1 resid_post")
    assert (named.row, named.row_name, named.below_name) == (2, "L1 resid_post", "L0 resid_post")
    for row in (2, -2, np.int64(2)):
        other = lens_change(explored("plain"), IDS, row)
        assert other.frame().equals(named.frame()) and other.row == 2


@every_model
@both_norms
def test_the_top_row_is_the_model(name, norm):
    own = run(reference(name), IDS)[-1].softmax(-1)
    change = lens_change(explored(name), IDS, -1, norm=norm)
    followed = lens_trajectories(explored(name), IDS, GROUPS, norm=norm)
    assert_agree(change.probs, own.topk(8).values, what="top row")
    assert_agree(followed.probs[-1], [own[41], own[[77, 5, 12]].sum(), own[17]], what="followed")
    for result in (change, followed):
        assert "last row − model" in [receipt.name for receipt in result.receipts if receipt.ok]
    below = lens_change(explored(name), IDS, -2, norm=norm)
    parts = lens_trajectories(explored(name), IDS, GROUPS, norm=norm, sites=("mlp_out",))
    for result in (below, parts):
        assert "last row − model" not in [receipt.name for receipt in result.receipts]


def test_the_receipts_turn_red_when_rows_are_decoded_wrong(monkeypatch):
    own = lens_detail.decode
    monkeypatch.setattr(lens_detail, "decode", lambda *args: own(*args) / 2)
    for result in (lens_change(explored("plain"), IDS, -1), lens_trajectories(explored("plain"), IDS, GROUPS)):
        assert [receipt.name for receipt in result.receipts if not receipt.ok] == ["last row − model"]


# ---- words ----------------------------------------------------------------------------------------------------

WORDS = (
    "Mary", " Mary", "ing", "a", " I", "1732", " 57", "²", "漢字", "é", "e\u0301", " ñandú", "мир", "שלום", "हिन्दी",
    "ไทย", "'s", "’ll", "don't",
)  # fmt: skip
NO_WORDS = (
    "", " ", "  ", "\n", "\t", ".", ",", " -", "'", " '", "''s", "s'", "a.", " (", "):", "_", "<b>", "a b", "  a", "a ",
    "$", "+", "\x00", "\x7f", "\u200b", "\ufffd", "a\ufffd", "\ud800", "\N{GRINNING FACE}", "\u0301",
    "<|endoftext|>", "…",
)  # fmt: skip
GPT2_VOCABULARY = Path(os.environ.get("GPT2_VOCABULARY", ""))  # a folder with GPT-2's vocab.json and merges.txt


@pytest.mark.parametrize("text", WORDS)
def test_reads_as_a_word(text):
    assert is_word(text) is True


@pytest.mark.parametrize("text", NO_WORDS)
def test_reads_as_no_word(text):
    assert is_word(text) is False


@pytest.mark.skipif(not (GPT2_VOCABULARY / "vocab.json").exists(), reason="GPT2_VOCABULARY names no such folder")
def test_most_of_gpt2s_tokens_are_words_and_no_half_character_is():
    from transformers import GPT2TokenizerFast

    folder = {name: str(GPT2_VOCABULARY / file) for name, file in (("vocab", "vocab.json"), ("merges", "merges.txt"))}
    gpt2 = GPT2TokenizerFast(**folder)
    words = [i for i in range(50257) if is_word(resolve_answer(gpt2, i, vocab_size=50257).text)]
    assert 46_000 < len(words) < 49_000
    decoded = [gpt2.decode([i]) for i in words]
    assert not any("\ufffd" in text for text in decoded)
    ascii_words = {i for i in range(50257) if re.fullmatch(" ?[A-Za-z]+", gpt2.decode([i]))}
    assert ascii_words <= set(words)


@cache
def is_ascii_word(token_id):
    """What the tokens of the models under test amount to: bytes, and English words."""
    return token_id < len(explored("plain").tokenizer) and bool(
        re.fullmatch(
            " ?[A-Za-z0-9]+", explored("plain").tokenizer.decode([token_id], clean_up_tokenization_spaces=False)
        )
    )


def first_and_words(order, k):
    return [order[0], *(i for i in order[1:] if is_ascii_word(i))][:k]


@pytest.mark.parametrize("name", ["plain", "untied, resized vocabulary"])
@pytest.mark.parametrize("k", [3, 40, ALL])
def test_only_words_are_left_after_the_true_first(name, k):
    kept_a_non_word = 0
    for position in range(len(IDS)):
        logits = decoded(name, position)
        centred = logits - logits.mean(-1, keepdim=True)
        for row in range(1, len(logits)):
            change = centred[row] - centred[row - 1]
            result = lens_change(explored(name), IDS, row, position=position, k=k, words_only=True)
            shown = [result, result.promoted, result.suppressed]
            for found, scores in zip(shown, (logits[row], change, -change), strict=True):
                order = scores.argsort(descending=True).tolist()
                expected = first_and_words(order, k)
                assert_agree(scores[found.ids], scores[expected], what="words in order")
                assert found.ids[0] == order[0] and all(map(is_ascii_word, found.ids[1:].tolist()))
                kept_a_non_word += not is_ascii_word(order[0])
            assert (np.diff(result.ranks) > 0).all() and result.ranks[0] == 0
            assert_ranks_agree(result.ranks[-1], logits[row], result.ids[-1], what="rank among all tokens")
    assert kept_a_non_word > 5  # else nothing showed that the first stays


def test_a_lens_can_be_shown_without_its_non_words():
    lens = logit_lens(explored("plain"), IDS, top_k=12)
    hidden = 0
    for row, position in np.ndindex(lens.entropy.shape):
        ids = lens.top_ids[row, position].tolist()
        places = word_places(explored("plain"), lens, row, position)
        assert [ids[place] for place in places] == first_and_words(ids, 12)
        hidden += 12 - len(places)
    assert hidden > 50


# ---- tokens to follow by default --------------------------------------------------------------------------------


@every_model
@positions
def test_the_tokens_that_are_ever_first_in_the_order_in_which_they_are(name, position):
    first = decoded(name, position).argmax(-1).tolist()
    found = always_first(logit_lens(explored(name), IDS), position)
    assert found == tuple(sorted(set(first), key=first.index))
    result = lens_trajectories(explored(name), IDS, found, position=position)
    assert (result.ranks.min(1) == 0).all() and (result.ranks.min(0) == 0).all()


def test_they_are_those_of_the_last_position_unless_told_otherwise():
    lens = logit_lens(explored("plain"), IDS)
    assert always_first(lens) == always_first(lens, len(IDS) - 1) != always_first(lens, 0)
    with pytest.raises(OptionError, match="no position 7"):
        always_first(lens, 7)


# ---- both -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHAPES)
def test_frames_and_exports_hold_what_the_arrays_hold(name):
    followed = lens_trajectories(explored(name), IDS, GROUPS)
    change = lens_change(explored(name), IDS, 1, k=4)
    frame = followed.frame()
    assert np.array_equal(frame["prob"], followed.probs.ravel())
    assert np.array_equal(frame["rank"], followed.ranks.ravel())
    assert list(frame["group"][:3]) == list(followed.names) and frame["ids"][1] == "77 5 12"
    assert np.array_equal(change.frame()["rank_below"], change.ranks_below)
    assert np.array_equal(change.promoted.frame()["change"], change.promoted.values)
    for result in (followed, change, lens_change(explored(name), IDS, 0)):
        assert json.loads(result_to_json(result))["position"] == len(IDS) - 1
        assert len(result_to_csv(result).splitlines()) == len(result.frame()) + 1
    assert followed.info.options["groups"] == [[41], [77, 5, 12], [17]]
    assert change.info.options["row"] == "L0 resid_post"


def test_a_recorded_run_does_as_well_as_its_text():
    model = explored("plain")
    trace = model.trace(CLEAN_TEXT, bos=False)
    text = lens_change(model, CLEAN_TEXT, 2, bos=False)
    assert list(text.prompt.ids) == ids_of(CLEAN_TEXT, bos=False)
    assert text.frame().equals(lens_change(model, trace, 2).frame())
    followed = lens_trajectories(model, CLEAN_TEXT, " Mary", bos=False)
    assert followed.frame().equals(lens_trajectories(model, trace, " Mary").frame())


def test_the_vocabulary_past_the_tokenizer_has_names_too():
    model = explored("untied, resized vocabulary")
    unowned = range(model.vocab_size - PADDING_ROWS, model.vocab_size)
    result = lens_change(model, IDS, -1, k=ALL)
    names = dict(zip(result.ids.tolist(), result.tokens, strict=True))
    assert set(names) == set(range(model.vocab_size)) and all(str(i) in names[i] for i in unowned)


@pytest.mark.parametrize(
    "groups, offending, error",
    [
        ((), "No token", OptionError),
        ((41, ()), "Group 2", OptionError),
        ([[]], "Group 1", OptionError),
        (None, "None", OptionError),
        (41, "41", OptionError),
        ((99_999,), "99999", TokenError),
        (((41, -1),), "-1", TokenError),
        ((1.5,), "1.5", TokenError),
        (("Marygave",), "tokens", TokenError),
        (((("Mary",),),), "Mary", TokenError),
    ],
)
def test_what_cannot_be_followed_is_named(groups, offending, error):
    with pytest.raises(error) as caught:
        lens_trajectories(explored("plain"), IDS, groups)
    assert isinstance(caught.value, ExplorerError)
    assert offending in str(caught.value).replace(",", "") and str(caught.value).endswith(".")


@pytest.mark.parametrize("row", [4, -5, 1.5, True, None, "L9 resid_post", "L0 resid_mid", ""])
def test_a_row_that_does_not_exist_is_named(row):
    with pytest.raises(OptionError) as caught:
        lens_change(explored("plain"), IDS, row)
    assert str(row) in str(caught.value) and str(caught.value).endswith(".")


@pytest.mark.parametrize(
    "options, offending, error",
    [
        (dict(position=7), "7", OptionError),
        (dict(position=-8), "-8", OptionError),
        (dict(sites=("resid_middle",)), "resid_middle", OptionError),
        (dict(sites=()), "site", OptionError),
        (dict(norm="frozen"), "frozen", OptionError),
        (dict(prompt=[]), "empty", PromptError),
    ],
)
def test_a_wrong_option_is_named(options, offending, error):
    prompt = options.get("prompt", IDS)
    options = {name: value for name, value in options.items() if name != "prompt"}
    for method, argument in ((lens_trajectories, GROUPS), (lens_change, 1)):
        with pytest.raises(error) as caught:
            method(explored("plain"), prompt, argument, **options)
        assert isinstance(caught.value, ExplorerError) and offending in str(caught.value)
    with pytest.raises(OptionError, match="k must be"):
        lens_change(explored("plain"), IDS, 1, k=0)


def test_numbers_that_are_not_finite_are_an_error_and_no_blank(monkeypatch):
    own = lens_detail.decode
    monkeypatch.setattr(lens_detail, "decode", lambda *args: own(*args) * float("nan"))
    for method, argument in ((lens_trajectories, GROUPS), (lens_change, 1)):
        with pytest.raises(ExplorerError, match="not finite"):
            method(explored("plain"), IDS, argument)
