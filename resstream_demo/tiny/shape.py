"""The shape of the bundled model and its first weights."""

import math

import torch
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerBase

from resstream_demo.tiny.tokenizer import CONTEXT_LENGTH

LAYERS, HEADS, WIDTH = 6, 8, 192
INITIAL_SPREAD = 0.04  # standard deviation of the first weights; GPT-2's 0.02 is small for this width
LONGEST_WAVE = 1_000  # tokens (over 2 pi), of the sinusoids that the position embeddings start as


def new_model(tokenizer: PreTrainedTokenizerBase) -> GPT2LMHeadModel:
    """A freshly initialised GPT-2 of the bundled size (no dropout: the text never ends).

    The position embeddings start as sinusoids, in which "one token back" is the same rotation everywhere;
    they are trained from there like any other weight.
    """
    model = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(tokenizer),
            n_positions=CONTEXT_LENGTH,
            n_embd=WIDTH,
            n_layer=LAYERS,
            n_head=HEADS,
            activation_function="gelu_new",
            resid_pdrop=0.0,
            embd_pdrop=0.0,
            attn_pdrop=0.0,
            initializer_range=INITIAL_SPREAD,
            bos_token_id=tokenizer.bos_token_id,
            eos_token_id=tokenizer.eos_token_id,
            tie_word_embeddings=True,
            attn_implementation="eager",  # faster than the fused kernel on CPU at this size
        )
    )
    position = torch.arange(CONTEXT_LENGTH)[:, None]
    half = WIDTH // 2
    frequency = torch.exp(-math.log(LONGEST_WAVE) * torch.arange(half) / half)
    waves = torch.cat([torch.sin(position * frequency), torch.cos(position * frequency)], dim=1)
    with torch.no_grad():
        model.transformer.wpe.weight.copy_(waves * INITIAL_SPREAD * math.sqrt(2))
    return model
