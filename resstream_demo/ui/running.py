"""Running methods for the page: reading inputs, computing tabs in turn, and saying what is going on."""

import logging
from collections.abc import Iterable, Iterator
from functools import partial

import gradio as gr

from ..core.errors import ExplorerError
from ..core.settings import Settings
from ..core.words import say
from . import session
from .inputs import PromptBar, failure_notice
from .store import ModelStore
from .tab import Reaction, Tab, Updates
from .widgets import NoticeData
from .working import working

log = logging.getLogger(__name__)


class Runner:
    """Computes what the page asks for. It holds nothing of any visitor; that is all in gr.State.

    Handlers get `data`, the values of all inputs of the page by component, and yield updates as they come.
    """

    settings: Settings
    store: ModelStore
    bar: PromptBar
    tabs: tuple[Tab, ...]
    selection: gr.State

    def run_all(self, data: Updates) -> Iterator[Updates]:
        """Compute every tab, one after the other, each on screen as soon as it is there."""
        ready = yield from self._prepared(data)
        if ready is None:
            return
        yield from self._computed(ready, self.tabs, data)
        try:
            extra = session.prediction_remarks(ready)
        except Exception:
            log.exception("The look at the prediction failed.")
            extra = ()
        yield {**self._looked(ready.model, ready.inputs, extra=extra), **self._idle()}

    def run_tab(self, tab: Tab):
        """A handler that computes one tab anew."""

        def handler(data: Updates) -> Iterator[Updates]:
            ready = yield from self._prepared(data)
            if ready is None:
                return
            yield from self._computed(ready, (tab,), data)
            yield self._idle()

        return handler

    def react(self, tab: Tab, reaction: Reaction):
        """A handler for a tab's own event: a quick answer, or a computation with its progress."""
        if not reaction.computes:
            return lambda data, event: reaction.answer(data, event) or gr.skip()

        def handler(data: Updates, event) -> Iterator[Updates]:
            ready = yield from self._prepared(data)
            if ready is None:
                return
            yield self._say(say("Computing: {what}", what=tab.title))
            try:
                job = self._reporting(tab, lambda progress: reaction.answer(ready, data, event, progress))
                yield {tab.error: None, **(yield from working(job, self._say))}
            except Exception as error:
                logged(error)
                yield tab.failed(error, data)
            yield self._idle()

        return handler

    def _read(self, model, inputs: session.Inputs) -> session.Ready:
        return session.read_inputs(model, inputs, self.settings, self.store.runs(model))

    def _looked(self, model, inputs: session.Inputs, **more) -> Updates:
        return self.bar.looked_over(model, inputs, self.settings, runs=self.store.runs(model), **more)

    def _prepared(self, data: Updates):
        """Read the inputs; None, with the reason on screen and everything else left there, if that fails."""
        inputs, bar, model = self.bar.read(data), self.bar, None
        yield {bar.run: gr.update(visible=False), bar.stop: gr.update(visible=True), bar.not_loaded: None}
        try:
            model = yield from working(
                lambda report: self.store.get(inputs.model, lambda sentence, share: report(sentence)), self._say
            )
            ready = self._read(model, inputs)
        except Exception as error:
            logged(error)
            if model is None:
                looked = {bar.check: bar.check.show(failure_notice(error, say("Nothing was run.")))}
            else:
                looked = self._looked(model, inputs, failure=error)
            cleared = {tab.error: None for tab in self.tabs}  # of earlier runs
            yield {**looked, **cleared, **self._aged(data), **self._idle()}
            return None
        yield self._looked(model, inputs)
        return ready

    def _computed(self, ready: session.Ready, tabs: Iterable[Tab], data: Updates):
        """Compute tabs in turn; what goes wrong in one stays in it. Returns `data` with the new results."""
        for tab in tabs:
            yield self._say(say("Computing: {what}", what=tab.title))
            try:
                work = partial(tab.run, ready, data)
                job = self._reporting(tab, work)
                outcome = yield from working(job, self._say)
                data = {**data, tab.outcome: outcome}
                yield tab.shown(outcome, data)
                yield self._more(tab, ready, data) or gr.skip()
            except Exception as error:
                logged(error)
                yield tab.failed(error, data)
        return data

    def _reporting(self, tab: Tab, work):
        """A job for `working` that says how many edited runs are done."""

        def job(report):
            return work(
                lambda done, total: report(
                    say("Computing: {what}, {done:,} of {total:,} edited runs", what=tab.title, done=done, total=total)
                )
            )

        return job

    def _more(self, tab: Tab, ready: session.Ready, data: Updates) -> Updates:
        """What takes a moment to compute about the selected cell."""
        outcome = data[tab.outcome]
        return tab.more(ready, outcome, tab.cell(outcome.result, data[self.selection]), data)

    def _say(self, sentence: str) -> Updates:
        return {self.bar.busy: self.bar.busy.show(NoticeData("info", sentence))}

    def _idle(self) -> Updates:
        bar = self.bar
        return {bar.busy: None, bar.run: gr.update(visible=True), bar.stop: gr.update(visible=False)}

    def _aged(self, data: Updates) -> Updates:
        updates: Updates = {}
        for tab in self.tabs:
            updates |= tab.aged(data)
        return updates


def logged(error: BaseException) -> None:
    """Faults of the program go to the log; what a person can put right is on the screen already."""
    if not isinstance(error, ExplorerError):
        log.error("A handler failed.", exc_info=error)
