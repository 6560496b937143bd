"""Models in memory, shared by everyone who uses the page. Models are read-only, so sharing is safe."""

import threading
from collections import OrderedDict
from pathlib import Path

from ..core.errors import ModelError, OptionError
from ..core.models import HUB_IDS, TINY, Model, Progress, load_model
from ..core.settings import Settings
from .runs import RunCache

KEPT = 2  # models kept besides the bundled one; the least recently used goes first


class ModelStore:
    """Loads each allowed model once, however many people ask for it at the same time.

    Raises OptionError if the settings allow a model that there is not.
    """

    def __init__(self, settings: Settings):
        _check_names(settings)
        self.settings = settings
        self.names = tuple(dict.fromkeys([TINY, *settings.web_model_names]))
        self._models: OrderedDict[str, Model] = OrderedDict()
        self._runs: dict[str, RunCache] = {}  # of the models in memory; a run keeps its model alive
        self._guard = threading.Lock()
        self._loading = {name: threading.Lock() for name in self.names}

    def get(self, name: str, progress: Progress | None = None) -> Model:
        """The model of an allowed name, loaded if need be. Raises ModelError; never reads a path or another id."""
        if name not in self.names:
            raise ModelError(f"This page has no model “{str(name)[:80]}”. Choose one of: {', '.join(self.names)}.")
        found = self._recall(name)
        if found is not None:
            return found
        lock = self._loading[name]
        while not lock.acquire(timeout=0.5):
            if progress:
                progress(f"Somebody else is loading {name} already; waiting for it …", None)
        try:
            found = self._recall(name)
            return found if found is not None else self._load(name, progress)
        finally:
            lock.release()

    def runs(self, model: Model) -> RunCache:
        """The recorded runs of a model; if it has been dropped meanwhile, ones that go with their user."""
        with self._guard:
            kept = next((name for name, other in self._models.items() if other is model), None)
            return RunCache(model, self.settings.runs_mib) if kept is None else self._runs[kept]

    def _recall(self, name: str) -> Model | None:
        with self._guard:
            if name in self._models:
                self._models.move_to_end(name)
            return self._models.get(name)

    def _load(self, name: str, progress: Progress | None) -> Model:
        settings = self.settings
        model = load_model(name, device=settings.device, dtype=settings.dtype, progress=progress, settings=settings)
        with self._guard:
            self._models[name] = model
            self._runs[name] = RunCache(model, settings.runs_mib)
            others = [kept for kept in self._models if kept != TINY]
            for old in others[: max(0, len(others) - KEPT)]:
                del self._models[old], self._runs[old]
        return model


def _check_names(settings: Settings) -> None:
    """Raise OptionError, naming the variable, for an allowed model that is neither known nor a folder."""
    known = ("auto", TINY, *HUB_IDS)
    for name in settings.web_model_names:
        if name not in (*known, *HUB_IDS.values()) and not Path(name).expanduser().is_dir():
            variable = "RESSTREAM_WEB_MODEL" if name == settings.web_model else "RESSTREAM_WEB_MODELS"
            raise OptionError(
                f"{variable} names “{name[:80]}”, which is no model. Choose from {', '.join(known)}, or name a folder."
            )
