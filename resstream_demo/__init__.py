"""See and edit the residual stream of a GPT-2 family model.

    from resstream_demo import load_model, logit_lens, direct_logit_attribution
    from resstream_demo import activation_patching, head_ablation

Names are resolved on first use, so that importing the package (or asking the command line for help) does
not wait for torch and transformers.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .version import __version__

if TYPE_CHECKING:
    from .core.models import load_model
    from .methods.ablation import head_ablation
    from .methods.attribution import direct_logit_attribution
    from .methods.lens import logit_lens
    from .methods.patching import activation_patching

__all__ = [
    "__version__",
    "activation_patching",
    "direct_logit_attribution",
    "head_ablation",
    "load_model",
    "logit_lens",
]

_HOME = {
    "load_model": ".core.models",
    "logit_lens": ".methods.lens",
    "direct_logit_attribution": ".methods.attribution",
    "activation_patching": ".methods.patching",
    "head_ablation": ".methods.ablation",
}


def __getattr__(name: str):
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name], __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
