"""Recorded runs are kept within a bound, and a run that is kept is not recorded again."""

import pytest

from resstream_demo.core.errors import PromptError
from resstream_demo.core.models import Model
from resstream_demo.core.settings import MIB, Settings
from resstream_demo.ui import session
from resstream_demo.ui.runs import RESULTS, RunCache, size
from resstream_demo.ui.session import Inputs, PatchingOptions
from resstream_demo.ui.store import ModelStore

CLEAN = "When Mary and John went to the store, John gave a drink to"
CORRUPTED = "When Mary and John went to the store, Mary gave a drink to"


@pytest.fixture(scope="module")
def store():
    return ModelStore(Settings())


@pytest.fixture
def tiny(store):
    return store.get("tiny")


@pytest.fixture
def recorded(monkeypatch):
    """The prompts that are run, in order."""
    ran, trace = [], Model.trace

    def counted(self, prompt, bos=True):
        found = trace(self, prompt, bos)
        if found is not prompt:
            ran.append(found.prompt.text)
        return found

    monkeypatch.setattr(Model, "trace", counted)
    return ran


def test_a_kept_run_is_the_same_run(tiny):
    runs = RunCache(tiny, 64)
    prompt = tiny.tokenize(CLEAN)
    first = runs.trace(prompt)
    assert runs.trace(tiny.tokenize(CLEAN)) is first
    assert runs.recall(tiny.tokenize(CORRUPTED)) is None
    assert runs.recall(tiny.tokenize(CLEAN, bos=False)) is None


def test_the_least_recently_used_run_goes_first(tiny):
    prompts = [tiny.tokenize(f"{name} went to the store") for name in ("Mary", "John", "Tom", "Anna")]
    one = size(tiny.trace(prompts[0]))
    runs = RunCache(tiny, 3 * one / MIB)
    for prompt in (*prompts[:3], prompts[0], prompts[3]):
        runs.trace(prompt)
    assert [runs.recall(prompt) is not None for prompt in prompts] == [True, False, True, True]


def test_a_run_larger_than_the_room_is_made_and_not_kept(tiny):
    prompt = tiny.tokenize(CLEAN)
    runs = RunCache(tiny, size(tiny.trace(prompt)) / MIB / 2)
    assert runs.trace(prompt).prompt == prompt and runs.recall(prompt) is None


def test_all_four_methods_record_each_prompt_once(store, tiny, recorded):
    inputs = Inputs(CLEAN, CORRUPTED, " Mary", " John", "tiny", True)
    for _ in range(2):
        ready = session.read_inputs(tiny, inputs, Settings(), store.runs(tiny))
        session.run_lens(ready, session.LensOptions())
        session.run_attribution(ready, session.AttributionOptions())
        session.run_patching(ready, PatchingOptions())
        session.run_ablation(ready, session.AblationOptions(kind="resample"))
    assert sorted(recorded) == sorted([CLEAN, CORRUPTED])


def test_a_prompt_of_another_length_is_refused_before_it_is_run(store, tiny, recorded):
    inputs = Inputs(CLEAN, f"Yesterday, {CORRUPTED}", " Mary", " John", "tiny", True)
    ready = session.read_inputs(tiny, inputs, Settings(), store.runs(tiny))
    with pytest.raises(PromptError, match="tokens"):
        session.run_patching(ready, PatchingOptions())
    assert recorded == []


def test_a_result_is_computed_once_for_the_same_inputs_and_options(store, tiny):
    inputs = Inputs(CLEAN, CORRUPTED, " Mary", " John", "tiny", True)
    made = []
    for options in (PatchingOptions(), PatchingOptions(), PatchingOptions(site="z"), PatchingOptions()):
        ready = session.read_inputs(tiny, inputs, Settings(), store.runs(tiny))
        ready.recalled("patching", options, lambda options=options: made.append(options))
    assert made == [PatchingOptions(), PatchingOptions(site="z")]


def test_the_oldest_results_go_and_a_failure_is_not_kept(tiny):
    runs, made = RunCache(tiny, 1), []
    with pytest.raises(ZeroDivisionError):
        runs.result("bad", lambda: 1 / 0)
    for n in range(RESULTS + 1):
        runs.result(n, lambda n=n: n)
    for n in (RESULTS, 0, "bad"):
        runs.result(n, lambda n=n: made.append(n))
    assert made == [0, "bad"]
