"""What the attribution tab draws: the methods' own numbers, and every part of the sum in its place."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from resstream_demo import direct_logit_attribution
from resstream_demo.core.words import Say
from resstream_demo.figures.derived import largest, place_by_size
from resstream_demo.figures.numbers import format_number
from resstream_demo.methods.components import head_detail, mlp_detail
from resstream_demo.ui import attribution_parts as parts
from resstream_demo.ui import attribution_view as view
from resstream_demo.ui.attribution_parts import Part
from resstream_demo.ui.attribution_tab import look_into
from resstream_demo.ui.selection import Selection
from tests.models_under_test import ANSWER, CLEAN_TEXT, CONTRAST, FLOAT32, explored, ids_of, reference

LONG = " ".join(["Mary gave John a drink and went to the store"] * 4)


def attribution(name: str = "plain", text: str = CLEAN_TEXT, contrast: str | None = CONTRAST, **options):
    return direct_logit_attribution(explored(name), text, ANSWER, contrast, **options)


def plain_logits(name: str) -> torch.Tensor:
    """[T, V] by transformers alone."""
    with torch.no_grad():
        return reference(name)(torch.tensor([ids_of(CLEAN_TEXT)])).logits[0]


def id_of(word: str) -> int:
    return ids_of(word, bos=False)[0]


def number(text: str) -> float:
    """A printed number, back as one; what is too small to be printed counts as nothing."""
    return 0.0 if "<" in text else float(text.replace("−", "-").replace(",", ""))


# --- the running sum -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("position", [-1, 4])
@pytest.mark.parametrize("name", FLOAT32)
def test_the_running_sum_ends_at_the_number_of_transformers_itself(name, position):
    drawn = view.waterfall(attribution(name, position=position))
    logits = plain_logits(name)[position]
    own = float(logits[id_of(ANSWER)] - logits[id_of(CONTRAST)])
    assert drawn.sums()[-1] == pytest.approx(own, abs=2e-4)
    assert [value for _, value in drawn.totals] == pytest.approx([own, own], abs=2e-4)


def test_the_bars_go_from_the_embedding_through_the_layers_to_the_last_bias():
    for name, last in (("plain", "final norm’s bias"), ("unembedding bias", "unembedding’s bias")):
        result = attribution(name)
        names = [item.name for item in view.waterfall(result).items]
        layers = [f"L{layer} {part}" for layer in range(len(result.mlps)) for part in ("attention", "MLP")]
        assert names[: 2 + len(layers)] == ["token embedding", "position embedding", *layers]
        assert names[2 + len(layers)] == "final norm’s bias" and names[-1] == last
        assert len(names) == len(layers) + (3 if name == "plain" else 4)


def test_a_layers_bar_is_its_heads_and_its_bias():
    result = attribution()
    by_name = dict(zip(result.components, result.values, strict=True))
    bars = {item.name: item.value for item in view.waterfall(result).items}
    for layer in range(3):
        within = [*(by_name[f"L{layer}H{head}"] for head in range(4)), by_name[f"L{layer} attn_bias"]]
        assert bars[f"L{layer} attention"] == pytest.approx(float(sum(within)), abs=1e-5)
        assert bars[f"L{layer} MLP"] == pytest.approx(float(by_name[f"L{layer} mlp"]), abs=1e-6)


def test_the_popup_of_attention_names_its_strongest_parts():
    result = attribution()
    item = view.waterfall(result).items[parts.bar_of(result, Part("attention", 1))]
    shares = {f"L1H{head}": float(v) for head, v in enumerate(result.heads[1])}
    shares["L1 attention bias"] = float(result.attn_bias[1])
    first = sorted(shares, key=lambda name: -abs(shares[name]))[:3]
    assert item.hover == [(name, format_number(shares[name], signed=True)) for name in first]


# --- the grid, and where a part stands -----------------------------------------------------------------------


def test_every_cell_holds_the_contribution_of_its_part():
    result = attribution("odd heads, n_inner, erf gelu, scaled by layer")
    drawn = view.grid(result)
    by_name = dict(zip(result.components, result.values, strict=True))
    for layer, row in enumerate(drawn.values):
        names = [*(f"L{layer}H{head}" for head in range(3)), f"L{layer} attn_bias", f"L{layer} mlp"]
        assert list(row) == pytest.approx([float(by_name[name]) for name in names], abs=1e-6)
        for column in range(len(row)):
            part = parts.part_of(result, (layer, column))
            assert parts.value(result, part) == pytest.approx(float(row[column]))
            assert parts.cell_of(result, part) == (layer, column)
    assert drawn.columns == ["H0", "H1", "H2", "bias", "MLP"]


def test_the_parts_are_the_results_own_components_in_its_order():
    for name in ("plain", "unembedding bias"):
        result = attribution(name)
        assert [parts.value(result, part) for part in parts.components(result)] == pytest.approx(list(result.values))


def test_a_part_within_attention_is_at_the_bar_of_its_layer():
    result = attribution()
    bars = parts.bars(result)
    for part, bar in (
        (Part("head", 2, 1), Part("attention", 2)), (Part("bias", 0), Part("attention", 0)),
        (Part("mlp", 1), Part("mlp", 1)), (Part("embed"), Part("embed")),
        (Part("ln_final bias"), Part("ln_final bias")),
    ):  # fmt: skip
        assert bars[parts.bar_of(result, part)] == bar
    for part in (Part("attention", 2), Part("embed"), Part("ln_final bias")):
        assert parts.cell_of(result, part) is None


def test_the_shared_selection_means_the_same_part_again():
    result = attribution()
    for part in {*parts.components(result), *parts.bars(result)}:
        assert parts.selected(result, parts.select(Selection(head=(0, 0)), part)) == part


@pytest.mark.parametrize("strange", [
    Selection(), Selection(head=(3, 0)), Selection(head=(0, 4)), Selection(part=(3, "mlp")),
    Selection(part=(3, "bias")), Selection(part=(0, "nothing")), Selection(part=(-1, "unembed bias")),
    Selection(part=(-1, "bias")),
])  # fmt: skip
def test_a_selection_that_this_model_lacks_means_the_largest_head(strange):
    result = attribution()
    part = parts.selected(result, strange)
    assert part.kind == "head"
    assert abs(parts.value(result, part)) == pytest.approx(float(np.abs(result.heads).max()))


def test_the_largest_parts_are_those_of_the_result():
    result = attribution()
    listed = view.largest_of(result)
    table = view.largest_parts(result, listed[3]).tables[0]
    top = result.top(view.LARGEST)
    assert [row[2] for row in table.rows] == pytest.approx(list(top["value"]))
    assert [parts.value(result, part) for part in listed] == pytest.approx(list(top["value"]))
    assert list(table.marked) == [3] and table.clickable


# --- details -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("position", [-1, 6])
@pytest.mark.parametrize("name", ["plain", "odd heads, n_inner, erf gelu, scaled by layer"])
def test_a_heads_sources_hold_the_attention_of_transformers_itself_and_add_up(name, position):
    result = attribution(name, position=position)
    found = head_detail(explored(name), CLEAN_TEXT, 1, 2, ANSWER, CONTRAST, position=position)
    with torch.no_grad():
        output = reference(name)(torch.tensor([ids_of(CLEAN_TEXT)]), output_attentions=True)
    weights = output.attentions[1][0, 2, position]
    table = view.detail(result, Part("head", 1, 2), found).tables[0]
    assert [row[0] for row in table.rows] == list(range(result.position + 1))
    assert [row[1] for row in table.rows] == list(result.prompt.tokens[: result.position + 1])
    assert [row[2] for row in table.rows] == pytest.approx(weights[: result.position + 1].tolist(), abs=1e-5)
    assert sum(row[3] for row in table.rows) == pytest.approx(float(result.heads[1, 2]), abs=1e-5)


def test_a_heads_detail_names_what_it_writes_and_how_long_that_is():
    result, model = attribution(), explored("plain")
    found = head_detail(model, CLEAN_TEXT, 2, 3, ANSWER, CONTRAST, k=6)
    shown = view.detail(result, Part("head", 2, 3), found)
    rows = shown.tables[1].rows
    raised, lowered = found.promoted, found.suppressed
    assert [row[0] for row in rows] == [*raised.tokens, *reversed(lowered.tokens)]
    assert [row[2] for row in rows] == pytest.approx([*raised.values, *reversed(lowered.values)])
    assert [row[2] for row in rows] == sorted((row[2] for row in rows), reverse=True)
    asked = {str(result.answer.id), str(result.contrast.id)}
    assert list(shown.tables[1].marked) == [n for n, row in enumerate(rows) if row[1] in asked]
    assert format_number(found.write_norm) in dict(shown.facts)["length of what it writes"]
    assert format_number(found.stream_norm) in dict(shown.facts)["length of what it writes"]
    sizes = sorted(np.abs(result.heads).ravel(), reverse=True)
    place = sizes.index(abs(result.heads[2, 3])) + 1
    assert dict(shown.facts)["size among heads"] == f"number {place} of {result.heads.size}"


def test_until_the_model_has_answered_a_head_has_its_contributions_only():
    result = attribution()
    shown = view.detail(result, Part("head", 1, 2))
    assert len(shown.tables) == 1 and all(row[2] is None for row in shown.tables[0].rows)
    assert [row[3] for row in shown.tables[0].rows] == pytest.approx(result.by_source[1, 2].tolist())
    assert view.checks(result, Part("head", 1, 2), None) is None


@pytest.mark.parametrize("name", ["plain", "odd heads, n_inner, erf gelu, scaled by layer", "unscaled attention, relu"])
def test_an_mlps_neurons_others_and_bias_add_up_to_it(name):
    result = attribution(name)
    found = mlp_detail(explored(name), CLEAN_TEXT, 1, ANSWER, CONTRAST, neurons=view.NEURONS, k=6)
    table = view.detail(result, Part("mlp", 1), found).tables[0]
    named = len(found.neurons)
    assert 0 < named <= view.NEURONS and len(table.rows) == named + 3
    assert [row[0] for row in table.rows] == [*map(str, found.neurons), "others", "bias", "all"]
    assert sum(number(row[2]) for row in table.rows[:-1]) == pytest.approx(float(result.mlps[1]), abs=2e-3)
    assert number(table.rows[-1][2]) == pytest.approx(float(result.mlps[1]), abs=1e-3)
    assert [row[1] for row in table.rows[:named]] == pytest.approx(found.activations.tolist())
    assert table.rows[0][3] == " ".join(found.neuron_promoted[0].tokens[:3])


def test_a_layers_attention_lists_its_parts_the_largest_first():
    result = attribution()
    table = view.detail(result, Part("attention", 1)).tables[0]
    values = [row[1] for row in table.rows]
    assert values == sorted(values, key=lambda v: -abs(v)) and table.clickable
    assert dict(table.rows) == pytest.approx(
        {
            **{f"L1H{h}": float(v) for h, v in enumerate(result.heads[1])},
            "L1 attention bias": float(result.attn_bias[1]),
        }
    )


def test_embeddings_and_biases_say_what_they_are():
    for bias, counted in (("folded", True), ("in_heads", False)):
        result = attribution("unembedding bias", value_bias=bias)
        for part in (Part("embed"), Part("pos_embed"), Part("bias", 1), Part("ln_final bias"), Part("unembed bias")):
            shown = view.detail(result, part)
            assert format_number(parts.value(result, part), signed=True) in shown.subtitle and len(shown.notes) == 1
        notes = " ".join(view.detail(result, Part("bias", 1)).notes)
        assert ("parts of its heads" in notes) == counted


def test_the_selected_position_is_marked_where_it_is_a_source():
    result = attribution(position=6)
    for at, marked in ((3, [3]), (6, [6]), (9, []), (None, [])):
        assert list(view.detail(result, Part("head", 0, 0), at=at).tables[0].marked) == marked


def test_of_many_sources_those_that_matter_and_the_selected_one_are_listed():
    model = explored("plain")
    result = attribution(text=LONG)
    part, count = Part("head", 1, 1), len(result.prompt)
    assert count > view.SOURCES
    found = head_detail(model, LONG, 1, 1, ANSWER, CONTRAST)
    shares, weights = np.abs(result.by_source[1, 1]), found.pattern
    least = int(shares.argmin())
    for looked in (None, found):
        listed = view.sources(result, part, looked, least)
        assert listed == sorted(set(listed)) and len(listed) <= view.SOURCES + 1
        assert {int(shares.argmax()), least} <= set(listed)
    assert int(weights.argmax()) in view.sources(result, part, found, None)
    table = view.detail(result, part, found, least).tables[0]
    assert f"{len(table.rows)} of {count} tokens" in table.caption
    assert [table.rows[n][0] for n in table.marked] == [least]


def test_what_was_looked_into_is_shown_only_where_it_belongs():
    result, model = attribution(), explored("plain")
    found = head_detail(model, CLEAN_TEXT, 1, 2, ANSWER, CONTRAST)
    assert view.fits(found, result, Part("head", 1, 2))
    assert not view.fits(found, result, Part("head", 2, 1)) and not view.fits(found, result, Part("mlp", 1))
    for other in (
        attribution(position=3), attribution(value_bias="in_heads"), attribution(contrast=None), attribution(text=LONG),
        attribution("unscaled attention, relu"), direct_logit_attribution(model, CLEAN_TEXT, CONTRAST, ANSWER),
    ):  # fmt: skip
        assert not view.fits(found, other, Part("head", 1, 2))
        assert all(row[2] is None for row in view.detail(other, Part("head", 1, 2), found).tables[0].rows)


def test_receipts_of_what_was_looked_into_are_shown_once():
    result, model = attribution(), explored("plain")
    found = mlp_detail(model, CLEAN_TEXT, 1, ANSWER, CONTRAST)
    shown = view.checks(result, Part("mlp", 1), found)
    assert [r.name for r in shown] == ["neurons − write", "neurons − MLP", "shares − effect"]
    assert all(r.ok for r in shown) and view.checks(result, Part("mlp", 2), found) is None


def test_every_word_can_be_said_in_another_language():
    result, model = attribution("unembedding bias"), explored("unembedding bias")
    ready = SimpleNamespace(model=model, clean_run=CLEAN_TEXT)
    for part in {*parts.components(result), *parts.bars(result)}:
        shown = view.detail(result, part, look_into(ready, result, part), 2)
        words = [shown.title, shown.subtitle, *shown.notes, *(name for name, _ in shown.facts)]
        words += [t.caption for t in shown.tables]
        words += [column.name for t in shown.tables for column in t.columns if column.name != "#"]
        assert all(isinstance(word, Say) for word in words), [word for word in words if not isinstance(word, Say)]
    drawn, cells = view.waterfall(result), view.grid(result)
    assert all(isinstance(item.name, Say) for item in drawn.items)
    named = [drawn.title, drawn.label, *(name for name, _ in drawn.totals), cells.title, cells.scale.label]
    assert all(isinstance(word, Say) for word in [*named, cells.row_title, cells.column_title, view.sums(result)])


# --- ranks ---------------------------------------------------------------------------------------------------


def test_places_and_the_largest_go_by_size_whatever_the_sign():
    values = np.array([[0.5, -3.0], [2.0, -0.5]])
    assert [place_by_size(v, values) for v in (-3.0, 2.0, 0.5, -0.5)] == [1, 2, 3, 3]
    assert largest(values.ravel(), 3) == [1, 2, 0] and largest(values.ravel(), 9) == [1, 2, 0, 3]
