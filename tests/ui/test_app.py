"""The web API gives the Python functions' numbers, and the limits of a deployment hold on the server."""

import json
import threading
import time

import gradio as gr
import numpy as np
import pytest
import torch
from gradio_client import Client
from gradio_client.exceptions import AppError
from starlette.testclient import TestClient

from resstream_demo import activation_patching, direct_logit_attribution, head_ablation, load_model, logit_lens
from resstream_demo.core.errors import ModelError, OptionError, PromptError, TokenError
from resstream_demo.core.settings import Settings
from resstream_demo.figures.export import result_to_dict
from resstream_demo.ui import app, lens_tab, session
from resstream_demo.ui.api import Endpoints
from resstream_demo.ui.examples import examples
from resstream_demo.ui.inputs import explain
from resstream_demo.ui.page import Page
from resstream_demo.ui.session import Inputs
from resstream_demo.ui.store import ModelStore
from resstream_demo.ui.widgets.notice import split_sentence
from resstream_demo.ui.working import Abandoned, working

CLEAN = "When Mary and John went to the store, John gave a drink to"
CORRUPTED = "When Mary and John went to the store, Mary gave a drink to"
SETTINGS = Settings(max_tokens=40, max_chars=1000, max_cells=700, web_models="tiny, gpt2")


@pytest.fixture(scope="module")
def tiny():
    return load_model("tiny")


@pytest.fixture(scope="module")
def served():
    """A page served in this process with small limits."""
    blocks = app.build(SETTINGS).queue(max_size=20)
    options = app.launch_options(SETTINGS, env={}) | {"server_port": None, "quiet": True}
    blocks.launch(prevent_thread_lock=True, **options)
    yield blocks
    blocks.close()


@pytest.fixture(scope="module")
def client(served):
    return Client(served.local_url, verbose=False)


def same(answer: dict, result) -> None:
    """The JSON that came back holds exactly this result."""
    expected = json.loads(json.dumps(result_to_dict(result)))
    assert answer.keys() == expected.keys()
    for name, value in expected.items():
        try:
            array = np.asarray(value, dtype=float)
        except (ValueError, TypeError):
            assert name == "receipts" or answer[name] == value, name
            continue
        np.testing.assert_allclose(np.asarray(answer[name], dtype=float), array, rtol=1e-4, atol=1e-5, err_msg=name)


# --- endpoints -----------------------------------------------------------------------------------------------


def test_the_lens_endpoint_gives_the_functions_numbers(client, tiny):
    answer = client.predict(
        "tiny", CLEAN, sites=["resid_post", "attn_out"], top_k=3, targets=[" Mary"], norm="final", bos=False,
        api_name="/logit_lens",
    )  # fmt: skip
    same(answer, logit_lens(tiny, CLEAN, sites=("resid_post", "attn_out"), top_k=3, targets=[" Mary"], norm="final",
                            bos=False))  # fmt: skip


def test_the_attribution_endpoint_gives_the_functions_numbers(client, tiny):
    answer = client.predict("tiny", CLEAN, " Mary", contrast=" John", position=5, value_bias="in_heads",
                            api_name="/direct_logit_attribution")  # fmt: skip
    same(answer, direct_logit_attribution(tiny, CLEAN, " Mary", " John", position=5, value_bias="in_heads"))
    alone = client.predict("tiny", CLEAN, " Mary", api_name="/direct_logit_attribution")
    assert alone["contrast"] is None


@pytest.mark.parametrize("positions", ["each", "all", [10, 14]])
def test_the_patching_endpoint_gives_the_functions_numbers(client, tiny, positions):
    options = {"site": "z" if positions == "all" else "mlp_out", "positions": positions, "direction": "noising",
               "metric": "logprob"}  # fmt: skip
    answer = client.predict("tiny", CLEAN, CORRUPTED, " Mary", " John", **options, api_name="/activation_patching")
    same(answer, activation_patching(tiny, CLEAN, CORRUPTED, " Mary", " John", **options))


@pytest.mark.parametrize(
    "options",
    [
        {}, {"heads": ["L3H6", "L4H1"], "positions": [14]}, {"kind": "mean", "metric": "loss"},
        {"kind": "resample", "reference": CORRUPTED, "metric": "kl"},
    ],
)  # fmt: skip
def test_the_ablation_endpoint_gives_the_functions_numbers(client, tiny, options):
    answer = client.predict("tiny", CLEAN, " Mary", " John", **options, api_name="/head_ablation")
    same(answer, head_ablation(tiny, CLEAN, " Mary", " John", **options))


def test_only_the_four_methods_are_offered_and_they_are_described(client):
    offered = client.view_api(return_format="dict")["named_endpoints"]
    assert set(offered) == {"/logit_lens", "/direct_logit_attribution", "/activation_patching", "/head_ablation"}
    for endpoint in offered.values():
        assert len(endpoint["description"]) > 60
        assert endpoint["parameters"][0]["parameter_name"] == "model"


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("/logit_lens", {"model": "/etc", "prompt": "a"}, "no model “/etc”"),
        ("/logit_lens", {"model": "bert-base-uncased", "prompt": "a"}, "Choose one of: tiny, gpt2"),
        ("/logit_lens", {"model": "tiny", "prompt": ""}, "The prompt is empty. Type"),
        ("/logit_lens", {"model": "tiny", "prompt": "the " * 60}, "at most 40"),
        ("/logit_lens", {"model": "tiny", "prompt": "x" * 1001}, "at most 1,000"),
        ("/logit_lens", {"model": "tiny", "prompt": "a", "top_k": 5000}, "at most 100"),
        ("/logit_lens", {"model": "tiny", "prompt": "a", "sites": ["nowhere"]}, "Choose one of: resid_pre"),
        ("/direct_logit_attribution", {"model": "tiny", "prompt": "a", "answer": "Mary John"}, "is 2 tokens"),
        ("/direct_logit_attribution", {"model": "tiny", "prompt": "a", "answer": ""}, "answer is empty"),
        ("/direct_logit_attribution", {"model": "tiny", "prompt": "a", "answer": "b", "position": 9}, "no position 9"),
        ("/activation_patching", {"model": "tiny", "clean": "a b", "corrupted": "a", "answer": "b"}, "corrupted one 2"),
        ("/activation_patching", {"model": "tiny", "clean": CLEAN, "corrupted": CORRUPTED, "answer": " Mary",
                                  "site": "z"}, "allows 700"),
        ("/head_ablation", {"model": "tiny", "prompt": "a", "answer": "b", "heads": ["L9H9"]}, "no head L9H9"),
        ("/head_ablation", {"model": "tiny", "prompt": "a"}, "Name one"),
        ("/head_ablation", {"model": "tiny", "prompt": "a", "answer": "b", "kind": "mean", "reference": "the cat sat"},
         "no reference set"),
        ("/head_ablation", {"model": "tiny", "prompt": "a", "answer": "b", "kind": "resample",
                            "reference": "the " * 60}, "at most 40"),
    ],
)  # fmt: skip
def test_bad_input_gets_a_sentence(client, name, arguments, sentence):
    with pytest.raises(AppError) as caught:
        client.predict(**arguments, api_name=name)
    assert sentence in str(caught.value)
    assert "Traceback" not in str(caught.value)


@pytest.mark.parametrize("odd", [0, 1.5, True, [], {}, ["a"], [["a"]], {"a": 1}], ids=str)
def test_an_argument_of_another_type_gets_a_sentence(tiny, odd):
    endpoints = Endpoints(ModelStore(SETTINGS), SETTINGS)
    prompts = {"clean": CLEAN, "corrupted": CORRUPTED, "answer": " Mary", "contrast": " John"}
    single = {"prompt": CLEAN, "answer": " Mary", "contrast": " John"}
    wrong = [
        *((endpoints.logit_lens, {"prompt": CLEAN, name: odd}) for name in ("prompt", "norm")),
        *((endpoints.direct_logit_attribution, {**single, name: odd})
          for name in ("prompt", "answer", "contrast", "value_bias")),
        *((endpoints.activation_patching, {**prompts, name: odd})
          for name in ("clean", "corrupted", "answer", "contrast", "site", "positions", "direction", "metric")),
        *((endpoints.head_ablation, {**single, name: odd})
          for name in ("answer", "contrast", "heads", "kind", "positions", "metric", "reference")),
        (endpoints.head_ablation, {**single, "kind": "mean", "reference": odd}),
        (endpoints.head_ablation, {**single, "kind": "resample", "reference": odd}),
    ]  # fmt: skip
    if odd not in ([], ["a"]):
        wrong += [(endpoints.logit_lens, {"prompt": CLEAN, name: odd}) for name in ("sites", "targets")]
    for endpoint, arguments in wrong:
        with pytest.raises(gr.Error) as caught:
            endpoint("tiny", **arguments)
        assert "Something went wrong" not in caught.value.message, arguments


def test_null_is_no_contrast_and_no_reference(tiny):
    endpoints = Endpoints(ModelStore(SETTINGS), SETTINGS)
    answer = endpoints.head_ablation("tiny", CLEAN, " Mary", contrast=None, reference=None)
    assert answer["contrast"] is None


def test_the_only_prompt_is_called_the_prompt():
    endpoints = Endpoints(ModelStore(SETTINGS), SETTINGS)
    for prompt, sentence in (("", "is empty."), ("x" * 1001, "has 1,001 characters;"), (" the" * 60, "has 61 tokens;")):
        with pytest.raises(gr.Error) as caught:
            endpoints.logit_lens("tiny", prompt)
        assert caught.value.message.startswith(f"The prompt {sentence}")
    with pytest.raises(gr.Error, match="The corrupted prompt: The prompt is empty"):
        endpoints.activation_patching("tiny", CLEAN, "", " Mary")


@pytest.mark.parametrize("declared", [True, False])
def test_a_body_that_is_too_large_is_refused(served, declared):
    body = b'{"data": ["' + b"x" * 200_000 + b'"]}'
    page = TestClient(served.app)
    answer = page.post(
        "/gradio_api/call/logit_lens", content=body if declared else iter([body[:90_000], body[90_000:]])
    )
    assert answer.status_code == 413
    assert "too large" in answer.json()["detail"], "where the page looks for what to show"
    assert page.post("/gradio_api/call/logit_lens", json={"data": ["tiny", "a"]}).status_code == 200


# --- sessions ------------------------------------------------------------------------------------------------


def inputs(**changes) -> Inputs:
    return Inputs(**{"clean": CLEAN, "corrupted": CORRUPTED, "answer": " Mary", "contrast": " John", "model": "tiny",
                     "bos": True, **changes})  # fmt: skip


def test_an_empty_answer_stops_only_what_needs_one(tiny):
    ready = session.read_inputs(tiny, inputs(answer="", contrast=""), SETTINGS)
    assert session.run_lens(ready, session.LensOptions()).targets == ()
    assert session.run_ablation(ready, session.AblationOptions(metric="loss")).metric == "loss"
    assert session.run_patching(ready, session.PatchingOptions(metric="kl")).metric == "kl"
    for run, options in (
        (session.run_attribution, session.AttributionOptions()),
        (session.run_patching, session.PatchingOptions()),
        (session.run_ablation, session.AblationOptions()),
    ):
        with pytest.raises(TokenError, match="The answer is empty"):
            run(ready, options)


def test_a_missing_corrupted_prompt_stops_only_what_needs_one(tiny):
    ready = session.read_inputs(tiny, inputs(corrupted=""), SETTINGS)
    assert session.run_attribution(ready, session.AttributionOptions()).prompt.text == CLEAN
    for run, options in (
        (session.run_patching, session.PatchingOptions()),
        (session.run_ablation, session.AblationOptions(kind="resample")),
    ):
        with pytest.raises(PromptError, match="no corrupted prompt"):
            run(ready, options)


def test_limits_name_the_prompt_and_the_numbers(tiny):
    with pytest.raises(PromptError, match="clean prompt has 1,200 characters.* at most 1,000.*Shorten it by 200"):
        session.read_inputs(tiny, inputs(clean="a" * 1200), SETTINGS)
    with pytest.raises(PromptError, match="clean prompt has 61 tokens.* at most 40.*Shorten it by 21"):
        session.read_inputs(tiny, inputs(clean=" the" * 60), SETTINGS)
    with pytest.raises(OptionError, match=r"90 edited runs \(6 layers × 15 positions\)"):
        session.check_patching(tiny, 15, "resid_pre", "each", Settings(max_cells=80))
    assert any("at most 40" in remark.text for remark in session.remarks(tiny, inputs(clean=" the" * 60), SETTINGS))


def test_heads_removed_together_are_read_from_a_text(tiny):
    ready = session.read_inputs(tiny, inputs(), SETTINGS)
    result = session.run_joint_ablation(ready, session.AblationOptions(), "L3H6, 4.1; l0h0")
    assert result.heads == ((0, 0), (3, 6), (4, 1))
    with pytest.raises(OptionError, match="No head was named"):
        session.run_joint_ablation(ready, session.AblationOptions(), "")


# --- models, work, words -------------------------------------------------------------------------------------


def test_a_store_loads_once_and_only_what_is_allowed():
    store = ModelStore(SETTINGS)
    assert store.get("tiny") is store.get("tiny")
    for name in ("../tiny", "/work", "openai-community/gpt2", ""):
        with pytest.raises(ModelError, match="Choose one of: tiny, gpt2"):
            store.get(name)


def test_a_model_that_cannot_be_had_can_be_asked_for_again():
    store = ModelStore(SETTINGS)
    for _ in range(2):
        with pytest.raises(ModelError, match="tiny"):
            store.get("gpt2")


def test_work_reports_returns_and_raises():
    def job(report):
        for n in range(4):
            report(f"step {n}")
            time.sleep(0.3)
        return "done"

    def collect(generator):
        said = []
        while True:
            try:
                said.append(next(generator))
            except StopIteration as stop:
                return said, stop.value

    said, result = collect(working(job, str.upper))
    assert result == "done" and said and all(line.startswith("STEP") for line in said)
    with pytest.raises(ZeroDivisionError):
        collect(working(lambda report: 1 / 0, str))


def test_abandoned_work_stops_at_its_next_report():
    ended = threading.Event()

    def job(report):
        try:
            while True:
                report("on and on")
                ended.wait(0.02)
        except Abandoned:
            ended.set()
            raise

    generator = working(job, str)
    next(generator)
    generator.close()
    assert ended.wait(5)


def test_a_fault_of_the_program_is_named_without_its_details():
    assert "KeyError" in explain(KeyError("secret")) and "secret" not in explain(KeyError("secret"))
    with pytest.raises(RuntimeError) as caught:
        torch.empty(10**15)
    for error in (caught.value, MemoryError(), RuntimeError("CUDA out of memory. Tried to allocate")):
        assert "not enough memory" in explain(error)
    assert explain(PromptError("Too long. Shorten it.")) == "Too long. Shorten it."
    assert split_sentence("It is 2 tokens: a · b. Name one. Or two.") == (
        "It is 2 tokens: a · b.",
        ["Name one. Or two."],
    )


# --- examples ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.id)
def test_every_example_runs_in_every_tab(tiny, example):
    chosen = inputs(clean=example.clean, corrupted=example.corrupted, answer=example.answer, contrast=example.contrast)
    assert [r for r in session.remarks(tiny, chosen, Settings()) if r.level != "info"] == []
    ready = session.read_inputs(tiny, chosen, Settings())
    assert len(ready.clean) == len(ready.corrupted)
    assert ready.answer.id != ready.contrast.id and example.look_for
    result = session.run_patching(ready, session.PatchingOptions())
    assert result.has_recovered and all(receipt.ok for receipt in result.receipts)


def test_the_examples_are_many_and_the_first_is_the_indirect_object():
    assert len(examples()) >= 8 and len({example.id for example in examples()}) == len(examples())
    assert examples()[0].id == "indirect-object"


# --- changing the model --------------------------------------------------------------------------------------


def chosen(page, name: str) -> list[dict]:
    """What the page does, step by step, when a model is chosen while tiny is in use."""
    return list(page.model_chosen({page.bar.model: name, page.bar.in_use: "tiny"}))


def said(page, updates: list[dict]) -> list[str]:
    """The sentences in the place where the page says what it is doing."""
    shown = [update[part] for update in updates for part in (page.bar.busy, page.bar.not_loaded) if update.get(part)]
    return [" ".join([update["value"].title, *update["value"].lines]) for update in shown]


def test_a_model_loads_with_visible_progress(monkeypatch, tiny):
    page = Page(SETTINGS)

    def load(name, progress):
        for done in ("10 of 500 MB", "400 of 500 MB"):
            progress(f"Downloading {name}: {done}", None)
            time.sleep(0.6)
        return tiny

    monkeypatch.setattr(page.store, "_load", load)
    steps = chosen(page, "gpt2")
    assert said(page, steps) == ["Loading gpt2 …", "Downloading gpt2: 10 of 500 MB", "Downloading gpt2: 400 of 500 MB"]
    assert steps[-1][page.bar.in_use] == "gpt2" and steps[-1][page.bar.busy] is None
    assert not any(page.bar.in_use in step for step in steps[:-1])


@pytest.mark.parametrize("error", [ModelError("The disk is full: gpt2 could not be stored."), MemoryError()])
def test_a_model_that_fails_leaves_the_one_in_use(monkeypatch, error):
    page = Page(SETTINGS)

    def load(name, progress):
        raise error

    monkeypatch.setattr(page.store, "_load", load)
    steps = chosen(page, "gpt2")
    assert said(page, steps)[-1] == f"gpt2 was not loaded; still using tiny. {explain(error)}"
    assert steps[-1][page.bar.model] == "tiny" and not any(page.bar.in_use in step for step in steps)
    assert set(steps[-1]) == {page.bar.model, page.bar.busy, page.bar.not_loaded}, "nothing that was typed is touched"
    assert page.bar.not_loaded not in page._idle(), "a run that ends leaves it"


# --- small limits --------------------------------------------------------------------------------------------


def test_limits_below_the_first_example_leave_the_page_empty_with_the_reason():
    page = Page(Settings(max_tokens=10))
    assert not page.opening
    shown = page.opened({component: getattr(component, "value", None) for component in page.everything()})
    assert "at most 10" in shown[page.bar.check]["value"][0].title


def test_limits_below_one_tab_of_the_first_example_leave_the_others():
    page = Page(Settings(max_cells=50))
    assert set(page.opening) == {page.lens, page.attribution, page.ablation}
    shown = page.opened({component: getattr(component, "value", None) for component in page.everything()})
    assert "allows 50" in shown[page.patching.error]["value"].title


# --- what the page says --------------------------------------------------------------------------------------


def test_only_the_stream_after_a_layer_ends_in_the_real_output(tiny):
    for site, name in lens_tab.SITES:
        assert ("real output" in lens_tab.says(name)) == (name == "resid_post"), site


def test_the_gallery_marks_an_example_only_while_its_prompts_are_there(tiny):
    page = Page(SETTINGS)
    for asked, card in ((inputs(), "indirect-object"), (inputs(clean="My own text"), None)):
        assert page._looked(tiny, asked)[page.bar.gallery]["marks"]["selected"] == card


def test_a_run_that_fails_takes_the_errors_of_earlier_runs_away():
    page = Page(SETTINGS)
    data = {component: getattr(component, "value", None) for component in page.everything()}
    *_, last = page.run_all({**data, page.bar.clean: ""})
    assert all(last[tab.error] is None for tab in page.tabs)


def test_a_download_after_the_servers_memory_is_gone_asks_to_run_again(served):
    page = TestClient(served.app)
    press = next(
        f for f in served.fns.values() if any(part.elem_id == "lens-csv" for part in served_targets(served, f))
    )
    body = {"fn_index": press._id, "data": [None] * len(press.inputs), "session_hash": "gone"}
    answer = page.post("/gradio_api/run/predict", json=body)
    assert answer.status_code == 200, answer.text
    assert "There is no result yet" in answer.text


def served_targets(served, function) -> list:
    """The components whose events call a function."""
    return [served.blocks[target] for target, _ in function.targets if target in served.blocks]
