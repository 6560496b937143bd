"""The bundled model `tiny`: its corpus, tokenizer, training, evaluation and model card."""

from pathlib import Path

#: Where the bundled model lies.
ASSETS = Path(__file__).parents[2] / "assets" / "tiny"
