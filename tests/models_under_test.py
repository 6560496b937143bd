"""Small random GPT-2s in every shape a checkpoint comes in, and a tokenizer made in memory.

Default LayerNorm gains (1) and biases (0) hide a norm applied twice, zero biases hide a bias dropped, and
tiny weights hide a wrong attention scale: so here every parameter is random and large enough to matter.
"""

from functools import cache

import torch
from tokenizers import Tokenizer, decoders, pre_tokenizers
from tokenizers.models import BPE
from torch import nn
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

BOS = "<|endoftext|>"
N_CTX = 48
PADDING_ROWS = 7  # vocabulary rows of the resized model that no token owns

# Each of these is one token, with and without a leading space.
WORDS = ("Mary", "John", "Paris", "Rome", "When", "and", "went", "to", "the", "store", "gave", "a", "drink")

# Sizes and flags that differ from the plain model; "tie", "head_bias" and "dtype" are handled by build().
SHAPES = {
    "plain": {},
    "odd heads, n_inner, erf gelu, scaled by layer": dict(
        n_head=3,
        n_embd=24,
        n_inner=40,
        activation_function="gelu",
        scale_attn_by_inverse_layer_idx=True,
        layer_norm_epsilon=0.05,
    ),
    "unscaled attention, relu": dict(n_layer=2, scale_attn_weights=False, activation_function="relu"),
    "untied, resized vocabulary": dict(tie_word_embeddings=False, extra_rows=PADDING_ROWS),
    "one layer, one head": dict(n_layer=1, n_head=1, n_embd=16),
    "unembedding bias": dict(n_layer=2, tie_word_embeddings=False, head_bias=True),
    "reordered and upcast attention": dict(n_layer=2, reorder_and_upcast_attn=True),
    "bfloat16": dict(dtype=torch.bfloat16),
}
FLOAT32 = tuple(name for name in SHAPES if name != "bfloat16")


def build(name: str, *, attention: str = "eager", seed: int = 0) -> GPT2LMHeadModel:
    """A new model of the named shape, in eval mode; the same seed gives the same weights."""
    shape = dict(SHAPES[name])
    dtype = shape.pop("dtype", torch.float32)
    head_bias = shape.pop("head_bias", False)
    sizes = dict(n_layer=3, n_head=4, n_embd=32, n_positions=N_CTX) | shape
    vocab = len(tokenizer()) + sizes.pop("extra_rows", 0)
    special = tokenizer().bos_token_id
    config = GPT2Config(vocab_size=vocab, bos_token_id=special, eos_token_id=special, **sizes)
    config._attn_implementation = attention
    model = GPT2LMHeadModel(config)
    if head_bias:
        model.lm_head = nn.Linear(config.n_embd, vocab, bias=True)
    randomise(model, seed)
    return model.to(dtype).eval()


def randomise(model: GPT2LMHeadModel, seed: int) -> None:
    """Draw every parameter anew, at a size where it shows in the logits.

    Attention scores come out with a standard deviation of one to two, so patterns are neither uniform nor
    one-hot; logits likewise.
    """
    draw = torch.Generator().manual_seed(seed)

    def normal(parameter: torch.Tensor, mean: float, std: float) -> None:
        parameter.copy_(mean + std * torch.randn(parameter.shape, generator=draw))

    config = model.config
    score_scale = 1.3 if config.scale_attn_weights else 1.3 * (config.n_embd // config.n_head) ** -0.25
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if ".ln_" in name:
                normal(parameter, *((1.0, 0.3) if name.endswith("weight") else (0.0, 0.3)))
            elif name.endswith("bias"):
                normal(parameter, 0.0, 0.3)
            elif "wte" in name or "lm_head" in name:
                normal(parameter, 0.0, 2.0 * config.n_embd**-0.5)
            elif "wpe" in name:
                normal(parameter, 0.0, 1.0 * config.n_embd**-0.5)
            else:  # Conv1D keeps [inputs, outputs]
                gain = score_scale if "c_attn" in name else 1.0
                normal(parameter, 0.0, gain * parameter.shape[0] ** -0.5)


@cache
def reference(name: str) -> GPT2LMHeadModel:
    """The copy that only the oracle touches."""
    return build(name)


@cache
def explored(name: str):
    """The copy given to the package, with the attention implementation transformers would choose itself."""
    from resstream_demo.core.models import wrap_model

    return wrap_model(build(name, attention="sdpa"), tokenizer(), name=name)


@cache
def tokenizer() -> PreTrainedTokenizerFast:
    """A byte-level BPE: 256 bytes, the words above, and BOS as the last id, as in GPT-2."""
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False)
    vocabulary = {symbol: i for i, symbol in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    merges: list[tuple[str, str]] = []
    # A merge learnt later ranks lower, so it can never break a word that an earlier one completed.
    for word in [prefix + word for word in WORDS for prefix in ("", "Ġ")]:
        pieces = [token.value for token in BPE(vocab=vocabulary, merges=merges).tokenize(word)]
        while len(pieces) > 1:
            merges.append((pieces[0], pieces[1]))
            pieces[:2] = ["".join(pieces[:2])]
            vocabulary.setdefault(pieces[0], len(vocabulary))
    backend = Tokenizer(BPE(vocab=vocabulary, merges=merges))
    backend.pre_tokenizer = byte_level
    backend.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=backend, bos_token=BOS, eos_token=BOS)


def ids_of(text: str, bos: bool = True) -> list[int]:
    """Token ids by the tokenizer alone, with BOS in front unless told otherwise."""
    ids = tokenizer()(text, add_special_tokens=False)["input_ids"]
    return [tokenizer().bos_token_id, *ids] if bos else ids


# Two kinds of pair. Where the first token already differs, no cell may be skipped; where only one late token
# does, most cells change nothing and must equal the baseline exactly.
PAIRS = {
    "different from the first token on": ([5, 91, 17, 64, 17, 33, 80], [70, 12, 88, 21, 90, 33, 41]),
    "one late difference": ([5, 91, 17, 64, 17, 33, 80, 2], [5, 91, 17, 64, 17, 77, 80, 2]),
}
CLEAN_TEXT = "When Mary and John went to the store John gave a drink to"
CORRUPTED_TEXT = "When Mary and John went to the store Mary gave a drink to"
ANSWER, CONTRAST = " Mary", " John"
