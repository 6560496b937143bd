"""Weights that accelerate keeps elsewhere until they are needed give the numbers of weights that are in place."""

import copy

import numpy as np
import pytest
from accelerate import cpu_offload

from resstream_demo import activation_patching, direct_logit_attribution, head_ablation, logit_lens
from resstream_demo.core.models import wrap_model
from tests import models_under_test as under_test

NAME = next(iter(under_test.SHAPES))
CLEAN, CORRUPTED = under_test.CLEAN_TEXT, under_test.CORRUPTED_TEXT


@pytest.fixture(scope="module")
def offloaded():
    hf_model = copy.deepcopy(under_test.build(NAME))
    cpu_offload(hf_model, execution_device="cpu")
    assert next(hf_model.parameters()).is_meta, "nothing was offloaded, so this would test nothing"
    return wrap_model(hf_model, under_test.tokenizer())


METHODS = {
    "lens": lambda model: logit_lens(model, CLEAN).entropy,
    "attribution": lambda model: direct_logit_attribution(model, CLEAN, " Mary", " John").values,
    "patching": lambda model: activation_patching(model, CLEAN, CORRUPTED, " Mary", " John").values,
    "ablation": lambda model: head_ablation(model, CLEAN, " Mary", kind="bias_only", metric="loss").values,
}


@pytest.mark.parametrize("method", METHODS)
def test_an_offloaded_model_gives_the_same_numbers(offloaded, method):
    in_place = wrap_model(under_test.build(NAME), under_test.tokenizer())
    np.testing.assert_allclose(METHODS[method](offloaded), METHODS[method](in_place), atol=1e-6, rtol=1e-6)
