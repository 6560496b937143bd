"""Results to make pictures of: from a random model, and by hand in sizes that no test could run."""

import numpy as np

from resstream_demo import activation_patching, direct_logit_attribution, head_ablation, logit_lens
from resstream_demo.core.models import wrap_model
from resstream_demo.core.tokens import AnswerToken, Prompt
from resstream_demo.figures import paper_render
from resstream_demo.figures.paper import picture
from resstream_demo.figures.paper_page import Page
from resstream_demo.methods.lens import LensResult
from resstream_demo.methods.results import RunInfo
from tests.models_under_test import ANSWER, CLEAN_TEXT, CONTRAST, CORRUPTED_TEXT, build, tokenizer

# What a page, a file format, a typesetter or a font could make something else of.
HOSTILE = (
    "$x^2$", "$", "$$", r"\frac{1}{2}", "_a_", "%d", "%{x}", "<b>", "&lt;", "&", "</script>", "<!--", "-->", "]]>", "`",
    "${alert(1)}", "{{x}}", "|", '"', "'", "url(#i0)", 'id="i0"', "🙂", "中文", "العربية", "שלום", "⟨E6⟩", "↵↵", "⇥",
    "␍", "◌́", "␣averyveryverylongtokenthatnoplacecanhold", "㎢", "\U0001fae8",
)  # fmt: skip
PAIR = (CLEAN_TEXT, CORRUPTED_TEXT, ANSWER, CONTRAST)
ALONE = (CLEAN_TEXT, ANSWER, CONTRAST)
MADE = {
    "lens": lambda m: logit_lens(m, CLEAN_TEXT, targets=(ANSWER, 40)),
    "lens of two sites": lambda m: logit_lens(m, CLEAN_TEXT, sites=("resid_mid", "mlp_out"), norm="final", bos=False),
    "lens of one token": lambda m: logit_lens(m, [5]),
    "attribution": lambda m: direct_logit_attribution(m, *ALONE),
    "attribution of one logit": lambda m: direct_logit_attribution(m, CLEAN_TEXT, ANSWER, position=3),
    "patching": lambda m: activation_patching(m, *PAIR),
    "patching together": lambda m: activation_patching(m, *PAIR, positions=[3, 10], direction="noising"),
    "patching heads": lambda m: activation_patching(m, *PAIR, site="q", positions="all"),
    "patching heads by position": lambda m: activation_patching(m, *PAIR, site="z"),
    "patching nothing": lambda m: activation_patching(m, CLEAN_TEXT, CLEAN_TEXT, ANSWER, metric="logprob"),
    "ablation": lambda m: head_ablation(m, *ALONE, kind="mean", reference=("mine", [CORRUPTED_TEXT])),
    "ablation together": lambda m: head_ablation(m, *ALONE, heads=["L0H1", "L2H3"], kind="resample",
                                                 reference=CORRUPTED_TEXT),
    "ablation without an answer": lambda m: head_ablation(m, CLEAN_TEXT, metric="loss"),
}  # fmt: skip


def make_all() -> dict:
    """Every kind of result, from a random model."""
    model = wrap_model(build("plain"), tokenizer(), name="plain", revision="abc123")
    return {name: make(model) for name, make in MADE.items()}


def page_of(result, monkeypatch, **options) -> Page:
    """The page that a picture is drawn from."""
    pages = []
    with monkeypatch.context() as patch:
        patch.setattr(paper_render, "to_svg", lambda page, *_: pages.append(page))
        picture(result, format="svg", **options)
    return pages[0]


def lens_by_hand(layers: int, tokens, *, top=("␣the",), prompt: str = "by hand") -> LensResult:
    """A lens of the given size with random numbers; `top` are the tokens in its cells, by turns."""
    rng, T = np.random.default_rng(0), len(tokens)
    cell = np.arange((layers + 1) * T).reshape(layers + 1, T)
    info = RunInfo("logit_lens", "by-hand", "r1", "float32", "cpu", True, options={"top_k": 1})
    target = AnswerToken(7, tokens[-1], tokens[-1])
    return LensResult(
        prompt=Prompt(prompt, tuple(range(T)), tuple(tokens), True),
        sites=("resid_post",),
        norm="fresh",
        row_names=("embed", *(f"L{n} resid_post" for n in range(layers))),
        row_layers=(-1, *range(layers)),
        row_sites=("embed", *["resid_post"] * layers),
        top_ids=(cell % len(top))[..., None],
        top_probs=rng.random((layers + 1, T, 1)),
        entropy=rng.random((layers + 1, T)) * 9,
        kl_to_final=rng.random((layers + 1, T)) * 9,
        targets=(target,),
        target_probs=rng.random((layers + 1, T, 1)),
        target_ranks=rng.integers(0, 50000, (layers + 1, T, 1)),
        receipts=(),
        info=info,
        shown=dict(enumerate(top)),
    )
