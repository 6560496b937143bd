"""What a deployment can set, read once from environment variables that start with RESSTREAM_."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields

from .errors import OptionError
from .names import excerpt
from .words import say

MIB = 1024 * 1024


@dataclass(frozen=True)
class Settings:
    """Limits and defaults of one deployment. Every field F is set by the variable RESSTREAM_F."""

    default_model: str = "gpt2"  # what load_model("auto") tries before the bundled model
    web_model: str = "tiny"  # what the page opens on
    web_models: str = "tiny, gpt2, distilgpt2, gpt2-medium, gpt2-large, gpt2-xl"  # what the page offers
    device: str = "auto"
    dtype: str = "float32"
    max_chars: int = 20_000  # per prompt, on the web
    max_tokens: int = 256  # per prompt, on the web, BOS counted; the model's own limit also holds
    max_cells: int = 40_000  # cells of one sweep, on the web
    sweep_mib: int = 192  # working memory of a sweep on a CPU, beyond model and trace
    runs_mib: int = 256  # recorded runs that the page keeps, per model
    hub_timeout: int = 10  # seconds the hub may take to answer
    port: int = 7860

    @classmethod
    def from_env(cls, env: Mapping[str, str] = os.environ) -> "Settings":
        """Read the environment. Raises OptionError naming a variable that is not of its kind."""
        given = {}
        for field in fields(cls):
            name = f"RESSTREAM_{field.name.upper()}"
            text = env.get(name, "").strip()
            if not text:
                continue
            if field.type is not int:
                given[field.name] = text
                continue
            if not re.fullmatch(r"0*[1-9][0-9]{0,8}", text):
                raise OptionError(
                    say("{name} must be a positive whole number, not {value}.", name=name, value=excerpt(text))
                )
            given[field.name] = int(text)
        return cls(**given)

    @property
    def web_model_names(self) -> tuple[str, ...]:
        """The names the page offers, in order, the opening one always among them."""
        names = [name.strip() for name in self.web_models.split(",") if name.strip()]
        return tuple(dict.fromkeys([self.web_model, *names]))
