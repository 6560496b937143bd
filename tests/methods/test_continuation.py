"""Greedy texts: transformers' own generate says what comes without removal, a loop of hooked forwards what with it."""

import json

import numpy as np
import pytest
import torch

from resstream_demo.core import sweep as engine
from resstream_demo.core.errors import ExplorerError, MetricError, OptionError
from resstream_demo.core.models import wrap_model
from resstream_demo.figures.export import result_to_csv, result_to_json
from resstream_demo.methods import continuation
from resstream_demo.methods.continuation import ContinuationPair, compare_continuations, continue_text
from tests.models_under_test import BOS, CLEAN_TEXT, FLOAT32, N_CTX, build, explored, ids_of, reference, tokenizer
from tests.oracle import ablated_z

EOS = tokenizer().eos_token_id
N = 8
HEADS = [(0, 0), (0, 2), (1, 1)]
REFERENCE = [ids_of("When Mary went to Paris"), ids_of("John gave"), ids_of("and the store to")]
every_model = pytest.mark.parametrize("name", FLOAT32)


def heads_of(name):
    """Some heads of each model, one of them in the first layer."""
    config = reference(name).config
    return [(layer, head) for layer, head in HEADS if layer < config.n_layer and head < config.n_head]


@torch.no_grad()
def generated(hf_model, ids, n_tokens):
    """transformers' own greedy text: ids and the probability of each."""
    prompt = torch.tensor([ids])
    output = hf_model.generate(
        prompt,
        attention_mask=torch.ones_like(prompt),
        max_new_tokens=n_tokens,
        do_sample=False,
        pad_token_id=EOS,
        output_scores=True,
        return_dict_in_generate=True,
    )
    new = output.sequences[0, len(ids) :].tolist()
    return new, [score[0].softmax(-1)[i].item() for score, i in zip(output.scores, new, strict=True)]


@torch.no_grad()
def written_without(hf_model, ids, heads, n_tokens, kind="zero"):
    """The greedy text of a loop of plain forwards, each head's slice of the attention's output projection replaced."""
    ids, n_prompt, probs = list(ids), len(ids), []
    width = hf_model.config.n_embd // hf_model.config.n_head

    def replacing(layer, new):
        def hook(_, args):
            x = args[0].clone()
            for head in (head for where, head in heads if where == layer):
                x[0, :, head * width : (head + 1) * width] = new[layer, head]
            return (x,)

        return hook

    for _ in range(n_tokens):
        new = ablated_z(hf_model, ids, kind, REFERENCE)
        handles = [
            block.attn.c_proj.register_forward_pre_hook(replacing(layer, new))
            for layer, block in enumerate(hf_model.transformer.h)
        ]
        try:
            probability = hf_model(torch.tensor([ids])).logits[0, -1].softmax(-1)
        finally:
            for handle in handles:
                handle.remove()
        ids.append(int(probability.argmax()))
        probs.append(probability.max().item())
        if ids[-1] == EOS:
            break
    return ids[n_prompt:], probs


@every_model
def test_without_removal_it_is_what_transformers_generates(name):
    ids, probs = generated(reference(name), ids_of(CLEAN_TEXT), N)
    text = continue_text(explored(name), CLEAN_TEXT, n_tokens=N)
    assert list(text.ids) == ids
    np.testing.assert_allclose(text.probs, probs, atol=1e-4)
    assert text.heads == () and text.kind == "" and text.reference == ""


def test_the_models_under_test_do_not_all_repeat_one_token():
    assert max(len(set(continue_text(explored(name), CLEAN_TEXT, n_tokens=N).ids)) for name in FLOAT32) > 3


@every_model
@pytest.mark.parametrize("kind", ["zero", "bias_only", "mean"])
def test_with_heads_removed_it_is_what_hooked_forwards_write(name, kind):
    heads = heads_of(name)
    ids, probs = written_without(reference(name), ids_of(CLEAN_TEXT), heads, N, kind)
    own = ("words", REFERENCE) if kind == "mean" else None
    text = continue_text(explored(name), CLEAN_TEXT, n_tokens=N, heads=heads, kind=kind, reference=own)
    assert list(text.ids) == ids
    np.testing.assert_allclose(text.probs, probs, atol=1e-4)
    assert text.heads == tuple(heads) and text.kind == kind and ("words" in text.reference) == (kind == "mean")


def test_heads_are_removed_from_the_tokens_being_written_too():
    """If only the prompt's positions were edited, the text would be another from the second token on."""
    text = continue_text(explored("plain"), CLEAN_TEXT, n_tokens=N, heads=HEADS)
    prompt = ids_of(CLEAN_TEXT)
    at_each_step = [
        written_without(reference("plain"), [*prompt, *text.ids[:n]], HEADS, 1)[1][0] for n in range(len(text.ids))
    ]
    np.testing.assert_allclose(text.probs, at_each_step, atol=1e-4)


@pytest.mark.parametrize("bos", [True, False])
def test_a_prompt_is_read_with_or_without_bos(bos):
    ids, _ = generated(reference("plain"), ids_of(CLEAN_TEXT, bos), N)
    assert list(continue_text(explored("plain"), CLEAN_TEXT, n_tokens=N, bos=bos).ids) == ids
    model = explored("plain")
    for prompt in (model.tokenize(CLEAN_TEXT, bos), model.trace(CLEAN_TEXT, bos)):
        assert list(continue_text(model, prompt, n_tokens=N).ids) == ids


def test_the_two_texts_and_where_they_part():
    pair = compare_continuations(explored("plain"), CLEAN_TEXT, "L0H0, L0H2 1.1", n_tokens=N)
    before, _ = generated(reference("plain"), ids_of(CLEAN_TEXT), N)
    after, _ = written_without(reference("plain"), ids_of(CLEAN_TEXT), HEADS, N)
    assert (list(pair.before.ids), list(pair.after.ids)) == (before, after)
    assert pair.first_difference == next(n for n in range(N) if before[n] != after[n])
    assert pair.after.heads == tuple(HEADS) and pair.before.heads == ()
    frame = pair.frame()
    assert frame["id_before"].tolist() == before and frame["id_after"].tolist() == after
    assert frame["position"].tolist() == list(range(len(ids_of(CLEAN_TEXT)), len(ids_of(CLEAN_TEXT)) + N))
    assert all(receipt.ok for receipt in pair.receipts) and len(pair.receipts) == 4
    held = json.loads(result_to_json(pair))
    assert held["after"]["info"]["options"]["heads"] == ["L0H0", "L0H2", "L1H1"]


def test_equal_texts_part_nowhere_and_a_text_that_ends_earlier_parts_at_its_end():
    one, longer = (continue_text(explored("plain"), CLEAN_TEXT, n_tokens=n) for n in (2, 5))
    assert ContinuationPair(one, one).first_difference is None
    assert ContinuationPair(one, longer).first_difference == ContinuationPair(longer, one).first_difference == 2
    assert ContinuationPair(one, longer).frame()["token_before"].isna().tolist() == [False, False, True, True, True]


def prefers(token_id, by=100.0):
    """A model that wants to say one token always."""
    hf_model = build("unembedding bias")
    with torch.no_grad():
        hf_model.lm_head.bias[token_id] += by
    return hf_model, wrap_model(hf_model, tokenizer(), name="prefers")


def test_writing_ends_with_the_end_of_text_token_which_is_no_part_of_the_text():
    hf_model, model = prefers(EOS)
    text = continue_text(model, CLEAN_TEXT, n_tokens=N)
    assert text.ids == (EOS,) == tuple(generated(hf_model, ids_of(CLEAN_TEXT), N)[0])
    assert (text.stopped, text.text, text.tokens) == ("end of text", "", (BOS,))
    assert continue_text(explored("plain"), CLEAN_TEXT, n_tokens=1).stopped == ""


@pytest.mark.parametrize("heads", [(), HEADS], ids=["whole", "without heads"])
@pytest.mark.parametrize("room", [0, 1, 3])
def test_writing_ends_when_the_text_is_longer_than_the_model_reads(heads, room):
    prompt = ids_of(" the")[1:] * (N_CTX - room)
    text = continue_text(explored("plain"), prompt, n_tokens=9, heads=heads)
    assert len(text.ids) == room + 1 and text.stopped == "context full"
    exactly = continue_text(explored("plain"), prompt, n_tokens=room + 1, heads=heads)
    assert exactly.ids == text.ids and exactly.stopped == ""


def test_a_character_split_over_tokens_is_whole_in_the_text(monkeypatch):
    script = iter([*ids_of("é", bos=False), *ids_of(" Mary", bos=False)])
    vocabulary = explored("plain").vocab_size
    monkeypatch.setattr(continuation, "_next_log_probs", lambda *_: torch.eye(vocabulary)[next(script)])
    text = continue_text(explored("plain"), CLEAN_TEXT, n_tokens=3)
    assert text.text == "é Mary" and text.tokens == ("⟨C3⟩", "⟨A9⟩", "␣Mary")


def test_frame_and_exports_list_the_tokens():
    text = continue_text(explored("plain"), CLEAN_TEXT, n_tokens=N, heads=HEADS)
    frame = text.frame()
    assert frame["id"].tolist() == list(text.ids) and frame["position"].iloc[0] == len(text.prompt)
    np.testing.assert_array_equal(frame["prob"], text.probs)
    assert json.loads(result_to_json(text))["ids"] == list(text.ids)
    assert "L0H0" in result_to_csv(text)


def test_progress_counts_tokens_and_can_stop_the_work():
    seen = []
    continue_text(explored("plain"), CLEAN_TEXT, n_tokens=3, progress=lambda *told: seen.append(told))
    assert seen == [(1, 3), (2, 3), (3, 3)]
    seen.clear()
    compare_continuations(explored("plain"), CLEAN_TEXT, HEADS, n_tokens=2, progress=lambda *told: seen.append(told))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        continue_text(explored("plain"), CLEAN_TEXT, progress=stop)


def test_receipts_hold_and_notice_edits_that_were_lost(monkeypatch):
    run = lambda heads: continue_text(explored("plain"), CLEAN_TEXT, n_tokens=3, heads=heads)  # noqa: E731
    assert all(receipt.ok for heads in ((), HEADS) for receipt in run(heads).receipts)
    assert [receipt.name for receipt in run(()).receipts] == ["steps − model", "engine − model"]
    edit = engine._Walk._edit
    monkeypatch.setattr(
        engine._Walk, "_edit", lambda walk, layer, site, rows: rows if site == "z" else edit(walk, layer, site, rows)
    )
    assert [receipt.name for receipt in run(HEADS).receipts if not receipt.ok] == ["all heads of a layer − their write"]


def test_the_receipt_of_an_untouched_text_compares_every_step(monkeypatch):
    log_probs = continuation.log_probs
    calls = []

    def wrong_once(adapter, finals):
        calls.append(None)
        return log_probs(adapter, finals) / (2 if len(calls) == 2 else 1)

    monkeypatch.setattr(continuation, "log_probs", wrong_once)
    text = continue_text(explored("plain"), CLEAN_TEXT, n_tokens=4)
    assert [receipt.name for receipt in text.receipts if not receipt.ok] == ["steps − model"]


def test_the_receipt_of_an_untouched_text_is_about_the_very_tokens_it_shows():
    model = explored("unembedding bias")
    text = continue_text(model, CLEAN_TEXT, n_tokens=4)
    run = model.trace([*text.prompt.ids, *text.ids[:-1]])
    for ids, good in ((text.ids, True), ((*text.ids[:3], 5), False)):
        (receipt,) = continuation._receipts(model, run, (), "zero", None, list(ids), text.probs)
        assert receipt.ok == good


def test_a_model_that_overflows_is_an_error_not_a_text():
    hf_model = build("plain")
    model = wrap_model(hf_model, tokenizer())
    with torch.no_grad():
        hf_model.transformer.h[1].mlp.c_proj.bias.fill_(float("nan"))
    with pytest.raises(MetricError, match="not finite"):
        continue_text(model, CLEAN_TEXT)


@pytest.mark.parametrize(
    "options, offending",
    [
        (dict(n_tokens=0), "n_tokens"),
        (dict(n_tokens=2.5), "2.5"),
        (dict(heads=["L9H9"]), "L9H9"),
        (dict(heads=5), "5"),
        (dict(heads=HEADS, kind="noise"), "noise"),
        (dict(heads=HEADS, kind="resample", reference=CLEAN_TEXT), "no partner"),
        (dict(kind="resample"), "no partner"),
        (dict(heads=HEADS, reference=CLEAN_TEXT), "zero"),
        (dict(kind="mean", reference="everyday"), "no head"),
        (dict(heads=HEADS, kind="mean", reference="nobody's"), "nobody's"),
    ],
)
def test_a_wrong_option_is_named(options, offending):
    with pytest.raises(OptionError) as caught:
        continue_text(explored("plain"), CLEAN_TEXT, **options)
    assert offending in str(caught.value)


def test_a_comparison_needs_heads_and_a_prompt_that_fits():
    for heads in ((), "", []):
        with pytest.raises(OptionError, match="No head"):
            compare_continuations(explored("plain"), CLEAN_TEXT, heads)
    with pytest.raises(OptionError, match="no partner"):
        compare_continuations(explored("plain"), CLEAN_TEXT, HEADS, kind="resample")
    with pytest.raises(ExplorerError, match="at most 48"):
        continue_text(explored("plain"), [5] * (N_CTX + 1))
