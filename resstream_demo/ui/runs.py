"""Recorded runs and results of one model, kept so that neither the second tab nor the second visitor computes anew."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from ..core.settings import MIB
from ..core.tokens import Prompt
from ..core.trace import Trace

#: Tensors of a trace that it keeps, and those that it makes of them when asked.
KEPT = ("embed", "pos_embed", "resid_pre", "attn_out", "mlp_out", "q", "k", "v", "z", "final")
MADE = ("resid_pre", "resid_pre")  # as large as resid_mid and resid_post
RESULTS = 96  # results kept


class RunCache:
    """Traces and results by exactly what they were made from, the least recently used going first.

    Both are read-only, so all visitors may share them. mib: how much memory the traces may take together; one that is
    larger by itself is not kept.
    """

    def __init__(self, model, mib: int):
        self._model, self._room = model, mib * MIB
        self._runs: OrderedDict[tuple, Trace] = OrderedDict()
        self._results: OrderedDict[Hashable, Any] = OrderedDict()
        self._guard = threading.Lock()

    def result(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` gave for this key, or gives now."""
        with self._guard:
            if key in self._results:
                self._results.move_to_end(key)
                return self._results[key]
        made = make()
        with self._guard:
            self._results[key] = made
            while len(self._results) > RESULTS:
                self._results.popitem(last=False)
        return made

    def trace(self, prompt: Prompt) -> Trace:
        """The run of a prompt, recorded now if it is not kept."""
        found = self.recall(prompt)
        if found is None:
            found = self._model.trace(prompt)  # outside the lock: two may record the same run, and both are right
            self._keep(prompt, found)
        return found

    def recall(self, prompt: Prompt) -> Trace | None:
        """The run of a prompt if it is kept."""
        with self._guard:
            found = self._runs.get(_key(prompt))
            if found is not None:
                self._runs.move_to_end(_key(prompt))
            return found

    def _keep(self, prompt: Prompt, run: Trace) -> None:
        with self._guard:
            self._runs[_key(prompt)] = run
            while self._runs and sum(map(size, self._runs.values())) > self._room:
                self._runs.popitem(last=False)


def _key(prompt: Prompt) -> tuple:
    return prompt.ids, prompt.bos, prompt.text


def size(run: Trace) -> int:
    """Bytes of a trace, with what it may yet make of itself."""
    return sum(getattr(run, name).nbytes for name in (*KEPT, *MADE))
