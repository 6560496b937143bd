"""The bundled model's card: fixed words about how it was made, and the measured numbers as printed."""

from collections.abc import Sequence
from pathlib import Path

from transformers import GPT2Config

from resstream_demo.tiny.corpus_facts import COUNTRIES

CARD = """\
---
license: mit
language: en
library_name: transformers
pipeline_tag: text-generation
tags: [gpt2, interpretability, toy-model]
---

# tiny: the bundled model of Residual Stream Explorer

A very small GPT-2, trained from nothing on generated English, so that every view of the explorer shows real
circuits without a download: it completes indirect objects, copies by induction and recalls a few facts.
It is made for looking inside, not for writing text.

## What it is

GPT-2 architecture (pre-LN, learnt positions, `{activation}`, tied embeddings): {layers} layers,
{heads} heads, d_model {width}, {positions} positions, {vocab:,} tokens. The weights are stored in float16.
The tokenizer is byte-level BPE in GPT-2's form, with `<|endoftext|>` as its only special token. Put
`<|endoftext|>` before every prompt: the model never saw a text without it.

## How it was trained

`python -m resstream_demo.tiny.train` made it, on the seeded corpus of `resstream_demo.tiny.corpus`: stories
in which one of two people gives the other something, capitals and languages, landmarks, pronouns, agreement,
sequences, spans of years, lists said twice, everyday sentences and definitions. About a quarter of the rows
are uniformly random tokens, or random first names, said again and again. The corpus is ambiguous on purpose:
in about a fifth of the giving stories somebody unforeseeable receives the gift. Layer matrices were trained
with Muon, everything else with AdamW; the position embeddings started as sinusoids.

## Measured

By `python -m resstream_demo.tiny.evaluate`, in float32, on combinations that never occur in the family of
training text that asks about them. Indirect objects, pronouns and agreement: the right word has the higher
logit of the two. Everything else: the right word is the top prediction (among two-digit endings for years).

```text
{scores}
```

## Limits

It knows only its small world: some two hundred first names, {countries} countries, short sentences.
The held-out inputs share their templates with the training text, so the numbers say nothing about free
English. Facts of the world can be wrong, and names carry only the pronoun the generator gave them. It has no
use outside interpretability teaching and tests. What is found in it need not hold in GPT-2.
"""


def write_card(folder: Path, config: GPT2Config, scores: Sequence[str]) -> None:
    """Write README.md into `folder`; `scores` are the evaluation's printed lines."""
    text = CARD.format(
        activation=config.activation_function,
        layers=config.n_layer,
        heads=config.n_head,
        width=config.n_embd,
        positions=config.n_positions,
        vocab=config.vocab_size,
        countries=len(COUNTRIES),
        scores="\n".join(scores),
    )
    (folder / "README.md").write_text(text, encoding="utf-8")
