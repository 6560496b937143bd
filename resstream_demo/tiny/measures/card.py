"""The bundled model's card in the Hub's form: fixed words about how it was made, and everything measured as printed."""

import math
from collections.abc import Sequence
from pathlib import Path
from random import Random

from huggingface_hub import EvalResult, ModelCardData
from transformers import GPT2Config

from resstream_demo.tiny import batches, optimizers
from resstream_demo.tiny.corpus.facts import COUNTRIES
from resstream_demo.tiny.corpus.families import FAMILIES
from resstream_demo.tiny.corpus.held_out import HELD_OUT_ONE_IN
from resstream_demo.tiny.corpus.lexicon import all_words
from resstream_demo.tiny.corpus.words import NAMES
from resstream_demo.tiny.measures import circuits, layer_importance
from resstream_demo.tiny.measures.report import Report
from resstream_demo.tiny.measures.scores import percent, table
from resstream_demo.version import __version__

NAME = "tiny"

CARD = """\
---
{front}
---

# tiny: the bundled model of Residual Stream Explorer

A very small GPT-2, trained from nothing on generated English, so that every view of the explorer shows real circuits
without a download, and so that everything it was trained on is known. It completes indirect objects, copies by
induction, makes verbs agree, counts, and recalls a few facts. It is made for looking inside, not for writing text.

## Data

All of its text comes from seeded generators in `resstream_demo.tiny.corpus`: {n_families} kinds of short English text
over {n_words:,} word forms, {n_names} first names and {n_countries} countries. The shares below are of texts, and the
example is each generator's first.

{families}

The text is ambiguous on purpose: in the giving stories somebody unforeseeable now and then receives the gift, and many
sentences can go on in several ways, so that the model is sure but not certain.

{repeated_share} of the rows are not text but tokens drawn at random and said again and again, {names_share} of them
first names and the others any token; only attention heads that look for "what came after this last time" can
predict their second half.

Kept out, so that the evaluation can ask about it: a checksum reserves about one in {one_in} pairs of names in the
giving stories, and as many combinations of place and gift there, of name and role in pronoun questions, of subject and
distractor in agreement, of event and years in spans of years, and of members that a sequence begins with. Each is kept
out of the kinds of text that ask about it; two reserved names can still meet in a tale. Some wordings are kept out
whole: of giving stories, of pronoun questions, of capitals and of landmarks. Their words occur elsewhere, in other
company. The thirty everyday sentences and the random tokens of the evaluation are no part of the corpus.

## Architecture

GPT-2 as `transformers` builds it (pre-LN, learnt positions, `{activation}`, tied embeddings): {layers} layers, {heads}
heads, d_model {width}, {positions} positions, {vocab:,} tokens. The weights are stored in float16 and meant to be used
in float32. The tokenizer is byte-level BPE in GPT-2's form, so any text can be read, with `<|endoftext|>` as its only
special token. Put `<|endoftext|>` before every prompt: every row of the training text began with it.

## Training

`python -m resstream_demo.tiny.train` makes it, on CPU and within an hour on two cores, from version {version} of the
package. These weights took {run}; rows × tokens of a batch are {shapes}.
The layers' matrices are trained with Muon (peak rate {matrix_rate:g}, weight decay {weight_decay:g}), embeddings, gains
and biases with AdamW (peak rate {other_rate:g}). The rates rise for {warmup} steps, then fall along half a cosine. The
position embeddings start as sinusoids and are trained from there. Matrix products run in bfloat16, the weights are kept
in float32.

## Evaluation

Printed by `python -m resstream_demo.tiny.evaluate`, in float32. The rows on all pairs of names, on the main wording of
a fact and on the quoted prompts ask about things that training may have shown; every other row asks about what that
kind of text never showed. Indirect objects, pronouns, agreement and copy suppression: the right word has a higher logit
than the wrong one. Capitals, landmarks, sequences and induction: the right token is the top prediction; in wordings
that were kept out, the right city is likelier than every other city of the list. "Of" is how many prompts, tokens or
parts that is; a goal is "met" or "MISSED", and rows without one are only reported.

{skills}

### Everyday sentences

Beginnings of sentences that were written apart from the corpus, and the token that the model puts first.

{words}

## Layers

Each layer's heads and MLP are mean-ablated together: at every position, what the two add to the stream becomes its mean
over other prompts of the same task, position 0 averaged by itself and the other positions with one another. The first
row is the mean logit difference of the untouched model, over as many prompts as the column says; below stands its
relative change. A layer counts as used by a task if that is more than {change}.

{layer_table}

## Circuits

Measured, and nothing was chosen to fit a story. Attention scores are means over {n_rows} rows of {period} random tokens
said twice (Olsson et al. 2022, arXiv 2209.11895). Names are followed over {n_stories} indirect-object prompts with
reserved pairs (Wang et al. 2022, arXiv 2211.00593): attention from the last position, direct contribution to the logit
difference of recipient and giver, and the copying score, the share of prompts in which the head's value and output
matrices turn the recipient's name into that name among the top {copy_top} tokens. A name mover contributes at least
{mover_share} of the logit difference, attends to the recipient more than to the giver, and has a copying score of
{copies:g} or more; a negative name mover does so with its write negated. Heads are removed by mean ablation
({reference}); in the sequence of removals the order was fixed beforehand, by rising absolute effect of removing each
alone, on other prompts.

{circuit_list}

{curve}

Every head: mean attention to the previous token, to the earlier copy, to what came after it; from the last position to
the two names; direct contribution in logits; copying score of the write and of its negative; change of the mean
logit difference without the head.

{head_table}

## Intended use

Teaching and testing interpretability: logit lens, direct logit attribution, activation patching, ablation and attention
on a model whose training text is known completely. For anything that should hold for language models, look at a model
trained on real text.

## Limits

It knows a small world; do not read its facts as facts. Names carry only the pronoun that the generator gave them.
Most of the held-out inputs share their wording with the training text, so the numbers say little about free English.
What is found in this model need not hold in GPT-2. Text outside its world is read, but what it predicts there is often
noise.

## How to load

With the explorer: `resstream_demo.load_model("tiny")`. With transformers, from this folder:

```python
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

folder = "assets/tiny"
model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
tokenizer = AutoTokenizer.from_pretrained(folder)
prompt = tokenizer.bos_token + "When Mary and John went to the store, John gave a drink to"
ids = tokenizer(prompt, return_tensors="pt").input_ids
print(tokenizer.decode(model(ids).logits[0, -1].argmax()))
```

## How to push it to the Hub

After `hf auth login`, with `model` and `tokenizer` as above; the last line sends this card:

```python
from huggingface_hub import ModelCard

repository = "your-name/tiny"
model.half().push_to_hub(repository)
tokenizer.push_to_hub(repository)
ModelCard.load(f"{{folder}}/README.md").push_to_hub(repository)
```

## How to cite

```bibtex
@misc{{resstream_tiny,
  author = {{{{The authors of Residual Stream Explorer}}}},
  title  = {{{{tiny: a small GPT-2 whose training text is known}}}},
  year   = {{2026}},
  note   = {{Bundled with Residual Stream Explorer, version {version}}},
}}
```

## Licence

MIT.
"""


def front_matter(report: Report) -> str:
    """The card's YAML, without its rules: what the Hub reads, every finding as a metric among it."""
    results = [
        EvalResult(
            task_type="text-generation",
            dataset_type="generated",
            dataset_name="prompts of resstream_demo.tiny.evaluate",
            metric_type=finding.kind,
            metric_name=finding.skill,
            metric_value=rounded_down(float(finding.value)),
        )
        for finding in report.findings
    ]
    data = ModelCardData(
        language="en",
        license="mit",
        library_name="transformers",
        pipeline_tag="text-generation",
        tags=["gpt2", "interpretability", "mechanistic-interpretability", "toy-model"],
        model_name=NAME,
        eval_results=results,
    )
    return data.to_yaml()


def rounded_down(value: float) -> float:
    """Four digits, never rounded up, as the shares are printed."""
    return math.floor(value * 10_000 + 1e-7) / 10_000


def family_lines() -> list[str]:
    """Each kind of text with its share and an example."""
    total = sum(family.weight for family in FAMILIES)
    rows = [(family.name, percent_of(family.weight / total), family.write(Random(0))) for family in FAMILIES]
    return table(("kind of text", "share", "example"), rows)


def percent_of(share: float) -> str:
    return f"{100 * share:.1f} %"


def block(lines: Sequence[str]) -> str:
    return "\n".join(lines)


def card_text(config: GPT2Config, report: Report) -> str:
    """The whole card."""
    return CARD.format(
        front=front_matter(report),
        version=__version__,
        **_data_words(),
        **_training_words(),
        run=run_words(config),
        activation=config.activation_function,
        layers=config.n_layer,
        heads=config.n_head,
        width=config.n_embd,
        positions=config.n_positions,
        vocab=config.vocab_size,
        **_measured_words(report),
    )


def _data_words() -> dict[str, object]:
    return {
        "n_families": len(FAMILIES),
        "n_words": len(all_words()),
        "n_names": len(NAMES),
        "n_countries": len(COUNTRIES),
        "families": block(family_lines()),
        "repeated_share": percent(batches.REPEATED_SHARE),
        "names_share": percent(batches.NAMES_SHARE),
        "one_in": HELD_OUT_ONE_IN,
    }


def run_words(config: GPT2Config) -> str:
    """The run that made the weights, as `train` notes it in their config."""
    run = getattr(config, "training", None)
    return f"{run['steps']:,} steps with seed {run['seed']}" if run else "an unrecorded number of steps"


def _training_words() -> dict[str, object]:
    weights = sum(shape.weight for shape in batches.SHAPES)
    shapes = (f"{shape.rows} × {shape.tokens} ({percent(shape.weight / weights)})" for shape in batches.SHAPES)
    return {
        "shapes": ", ".join(shapes),
        "matrix_rate": optimizers.MATRIX_RATE,
        "other_rate": optimizers.OTHER_RATE,
        "warmup": optimizers.WARMUP_STEPS,
        "weight_decay": optimizers.WEIGHT_DECAY,
    }


def _measured_words(report: Report) -> dict[str, object]:
    return {
        "skills": block(report.skill_lines()),
        "words": block(report.word_lines()),
        "layer_table": block(report.layers.lines()),
        "change": percent(layer_importance.CHANGE),
        "n_rows": report.patterns.n_rows,
        "period": circuits.PERIOD,
        "n_stories": report.movers.n,
        "copy_top": circuits.COPY_TOP,
        "copies": circuits.COPIES,
        "mover_share": percent(circuits.MOVER_SHARE),
        "reference": report.removal.reference,
        "circuit_list": block([f"- {line}" for line in report.circuit_lines()]),
        "curve": block(report.curve_lines()),
        "head_table": block(report.head_lines()),
    }


def write_card(folder: Path, report: Report) -> None:
    """Write README.md into `folder`, beside the model that was measured."""
    config = GPT2Config.from_pretrained(folder, local_files_only=True)
    (folder / "README.md").write_text(card_text(config, report), encoding="utf-8")
