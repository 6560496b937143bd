"""The page: the prompt bar over four tabs, and what happens on it."""

import logging
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import gradio as gr
from starlette.middleware import Middleware

from ..core.errors import ExplorerError
from ..core.models import TINY
from ..core.settings import Settings
from . import api, session
from .ablation_tab import AblationTab
from .attribution_tab import AttributionTab
from .downloads import file_of
from .environment import address, check_free, not_free
from .examples import examples
from .inputs import PromptBar, explain, failure_notice, model_menu
from .lens_tab import LensTab
from .limits import BodyLimit, body_limit
from .line import Line, Saver
from .patching_tab import PatchingTab
from .selection import Selection
from .store import ModelStore
from .tab import Outcome, Tab, Updates
from .widgets import NoticeData, format_error
from .working import working

log = logging.getLogger(__name__)

TITLE = "Residual Stream Explorer"
SUBTITLE = (
    "A GPT-2 model carries each token through its layers as one vector, the residual stream: layers only read it and "
    "add to it. Look into it, split it into who wrote what, copy it between two prompts, take parts away."
)
CSS_FILE = Path(__file__).parent / "static" / "page.css"
NOTHING_TO_SAVE = "There is no result to save yet. Press Run."
QUEUE_SIZE = 100
SESSIONS_KEPT = 500
AT_ONCE = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
IN_QUEUE = {"show_progress": "hidden", "api_visibility": "private"}
COMPUTE = {"concurrency_id": "compute", "concurrency_limit": 1, **IN_QUEUE}
LOAD = {"concurrency_id": "load", "concurrency_limit": 4, **IN_QUEUE}


class Page:
    """Builds the page and answers its events. It holds nothing of any visitor; that is all in gr.State."""

    def __init__(self, settings: Settings):
        self.settings, self.store = settings, ModelStore(settings)
        with gr.Blocks(title=TITLE, analytics_enabled=False, fill_width=True) as self.blocks:
            with gr.Row(elem_id="header", equal_height=False):
                with gr.Column(scale=5, min_width=300):
                    gr.HTML(f"<h1>{TITLE}</h1><p>{SUBTITLE}</p>", elem_id="title")
                with gr.Column(scale=1, min_width=290, elem_id="model-box"):
                    menu = model_menu(self.store.names)
                    self.status = Line(elem_id="status")
            self.bar = PromptBar(menu, examples()[0])
            self.selection = gr.State(Selection())
            with gr.Tabs(elem_id="tabs", overflow_behavior="wrap") as self.tab_row:
                self.lens = LensTab(self.bar, self.selection)
                self.attribution = AttributionTab(self.bar, self.selection)
                self.patching = PatchingTab(self.bar, self.selection)
                self.ablation = AblationTab(self.bar, self.selection)
            self.saver = Saver()
            self.tabs: tuple[Tab, ...] = (self.lens, self.attribution, self.patching, self.ablation)
            self.ablation.attribution = self.attribution
            self.opening: dict[Tab, Outcome] = {}
            self.opening_errors: dict[Tab | None, ExplorerError] = {}
            self._open()
            self._wire()
            api.offer(self.store, settings, concurrency_id=COMPUTE["concurrency_id"])

    def everything(self) -> set:
        """All inputs that handlers read."""
        bar = self.bar
        found = {*bar.fields, bar.model, bar.example, bar.in_use, bar.looked, self.selection, self.ablation.heads}
        for tab in self.tabs:
            found |= {tab.outcome, tab.drawn, *tab.run_options, *tab.view_options}
        return found

    # --- the opening ------------------------------------------------------------------------------------------

    def _open(self) -> None:
        """Compute the first example once, for everyone, as far as the limits allow; note what they forbid."""
        data = {component: getattr(component, "value", None) for component in self.everything()}
        model = self.store.get(TINY)
        try:
            ready = session.read_inputs(model, self.bar.read(data), self.settings)
        except ExplorerError as error:
            self.opening_errors[None] = error
            return
        for tab in self.tabs:
            try:
                self.opening[tab] = tab.run(ready, data)
            except ExplorerError as error:
                self.opening_errors[tab] = error

    def opened(self, data: Updates) -> Updates:
        """Everything on screen for somebody who has just come."""
        model = self.store.get(data[self.bar.in_use])
        data = {**data, **{tab.outcome: outcome for tab, outcome in self.opening.items()}}
        updates = {self.status: status_line(model)}
        for tab, outcome in self.opening.items():
            updates |= tab.shown(outcome, data)
        for tab in self.opening_errors.keys() - {None}:
            updates |= tab.failed(self.opening_errors[tab], data)
        failure = self.opening_errors.get(None)
        if failure is not None:
            return {**updates, **self.bar.looked_over(model, self.bar.read(data), self.settings, failure=failure)}
        return {**updates, **self._looked_over(model, data)}

    # --- running ----------------------------------------------------------------------------------------------

    def run_all(self, data: Updates) -> Iterator[Updates]:
        """Compute every tab, one after the other, each on screen as soon as it is there."""
        ready = yield from self._prepared(data)
        if ready is None:
            return
        data = yield from self._computed(ready, self.tabs, data)
        if (data[self.ablation.heads] or "").strip():
            yield self._joined(ready, data)
        try:
            extra = session.prediction_remarks(ready)
        except Exception:
            log.exception("The look at the prediction failed.")
            extra = ()
        looked = self.bar.looked_over(ready.model, ready.inputs, self.settings, extra=extra)
        yield {**looked, **self._idle()}

    def run_tab(self, tab: Tab):
        """A handler that computes one tab anew."""

        def handler(data: Updates) -> Iterator[Updates]:
            ready = yield from self._prepared(data)
            if ready is None:
                return
            yield from self._computed(ready, (tab,), data)
            yield self._idle()

        return handler

    def run_joint(self, data: Updates) -> Iterator[Updates]:
        """Remove the named heads together."""
        ready = yield from self._prepared(data)
        if ready is None:
            return
        yield self._joined(ready, data)
        yield self._idle()

    def _joined(self, ready: session.Ready, data: Updates) -> Updates:
        try:
            return self.ablation.run_joint(ready, data)
        except Exception as error:
            _logged(error)
            return {self.ablation.error: self.ablation.error.show(failure_notice(error))}

    def _prepared(self, data: Updates):
        """Read the inputs; None, with the reason on screen and everything else left there, if that fails."""
        inputs, bar, model = self.bar.read(data), self.bar, None
        yield {bar.run: gr.update(visible=False), bar.stop: gr.update(visible=True), bar.not_loaded: None}
        try:
            model = yield from working(
                lambda report: self.store.get(inputs.model, lambda sentence, share: report(sentence)), self._say
            )
            ready = session.read_inputs(model, inputs, self.settings)
        except Exception as error:
            _logged(error)
            if model is None:
                looked = {bar.check: bar.check.show(failure_notice(error, "Nothing was run. "))}
            else:
                looked = bar.looked_over(model, inputs, self.settings, failure=error)
            cleared = {tab.error: None for tab in self.tabs}  # of earlier runs
            yield {**looked, **cleared, **self._aged(data), **self._idle()}
            return None
        yield bar.looked_over(model, inputs, self.settings)
        return ready

    def _computed(self, ready: session.Ready, tabs: Iterable[Tab], data: Updates):
        """Compute tabs in turn; what goes wrong in one stays in it. Returns `data` with the new results."""
        for tab in tabs:
            yield self._say(f"Computing: {tab.title}")
            try:
                outcome = yield from working(self._job(tab, ready, data), self._say)
                data = {**data, tab.outcome: outcome}
                yield tab.shown(outcome, data)
                yield self._more(tab, ready, data) or gr.skip()
            except Exception as error:
                _logged(error)
                yield tab.failed(error, data)
        return data

    def _job(self, tab: Tab, ready: session.Ready, data: Updates):
        def job(report):
            return tab.run(
                ready, data, lambda done, total: report(f"Computing: {tab.title}, {done:,} of {total:,} edited runs")
            )

        return job

    def _more(self, tab: Tab, ready: session.Ready, data: Updates) -> Updates:
        """The richer detail of the selected cell, where the tab has one."""
        outcome = data[tab.outcome]
        cell = tab.cell(outcome.result, data[self.selection])
        richer = tab.more(ready, outcome, cell, data)
        return {} if richer is None else {tab.detail: tab.detail.show(richer, stale=tab.is_stale(data))}

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

    # --- small events -----------------------------------------------------------------------------------------

    def edited(self, data: Updates) -> Updates:
        """Tokens, prompt check and stale marks for what is in the bar now."""
        return {**self._looked_over(self.store.get(data[self.bar.in_use]), data), **self._aged(data)}

    def _looked_over(self, model, data: Updates) -> Updates:
        ran = [tab for tab in self.tabs if data[tab.outcome] is not None]
        stale = bool(ran) and all(tab.is_stale(data) for tab in ran)
        return self.bar.looked_over(model, self.bar.read(data), self.settings, stale=stale)

    def caught_up(self, data: Updates) -> Updates:
        """After a run: what was edited or set while it ran, and so is not yet in what it drew."""
        updates = self._aged(data)
        for tab in self.tabs:
            if data[tab.outcome] is not None and tab.drawn_otherwise(data):
                updates |= tab.redrawn(data)
        if data[self.bar.looked] != self.bar.read(data):
            updates |= self._looked_over(self.store.get(data[self.bar.in_use]), data)
        return updates or gr.skip()

    def example_chosen(self, data: Updates) -> Updates:
        found = next(example for example in examples() if example.id == data[self.bar.example])
        return self.bar.filled(found)

    def swapped(self, data: Updates) -> Updates:
        bar = self.bar
        updates = {bar.answer: data[bar.contrast], bar.contrast: data[bar.answer]}
        return {**updates, **self.edited({**data, **updates})}

    def model_chosen(self, data: Updates) -> Iterator[Updates]:
        """Load the chosen model, saying how far it is; on failure stay with the one in use."""
        bar, name = self.bar, data[self.bar.model]
        yield {**self._say(f"Loading {name} …"), bar.not_loaded: None}
        try:
            model = yield from working(
                lambda report: self.store.get(name, lambda sentence, share: report(sentence)), self._say
            )
        except Exception as error:
            _logged(error)
            kept = data[bar.in_use]
            notice = NoticeData("error", f"{name} was not loaded; still using {kept}.", [explain(error)])
            yield {bar.model: kept, bar.busy: None, bar.not_loaded: bar.not_loaded.show(notice)}
            return
        yield {bar.in_use: name, self.status: status_line(model), bar.busy: None}

    def cell_clicked(self, tab: Tab):
        def handler(data: Updates, event: gr.SelectData) -> Updates:
            updates = tab.clicked(data, (int(event.index[0]), int(event.index[1])))
            position = updates[self.selection].position if self.selection in updates else None
            return {**updates, **self._strip_marks(position)} or gr.skip()

        return handler

    def tab_opened(self, tab: Tab):
        """What was selected elsewhere is selected here too."""
        return lambda data: tab.followed(data) or gr.skip()

    def cell_more(self, tab: Tab):
        def handler(data: Updates) -> Updates:
            outcome = data[tab.outcome]
            if outcome is None or tab.is_stale(data):
                return gr.skip()
            try:
                model = self.store.get(outcome.inputs.model)
                ready = session.read_inputs(model, outcome.inputs, self.settings)
                return self._more(tab, ready, data) or gr.skip()
            except Exception as error:  # the plain detail stays
                _logged(error)
                return gr.skip()

        return handler

    def token_clicked(self, data: Updates, event: gr.SelectData) -> Updates:
        """A token of a strip selects its position in the tabs that have positions."""
        data = {**data, self.selection: data[self.selection].at_position(int(event.index))}
        updates = {self.selection: data[self.selection], **self._strip_marks(int(event.index))}
        return {**updates, **self.lens.followed(data), **self.patching.followed(data)}

    def _strip_marks(self, position: int | None) -> Updates:
        if position is None:
            return {}
        return {strip: strip.mark(selected=position) for strip in (self.bar.clean_strip, self.bar.corrupted_strip)}

    def saved(self, tab: Tab, kind: str):
        def handler(data: Updates) -> Updates:
            if data[tab.outcome] is None:
                return {tab.error: tab.error.show(NoticeData("warning", NOTHING_TO_SAVE))}
            return {self.saver: file_of(data[tab.outcome].result, kind)}

        return handler

    # --- wiring -----------------------------------------------------------------------------------------------

    def _wire(self) -> None:
        bar, data = self.bar, self.everything()
        screen = self._outputs()
        opening = self.blocks.load(self.opened, data, screen, **AT_ONCE)
        if self.settings.web_model != TINY:
            opening.then(lambda: self.settings.web_model, None, bar.model, **AT_ONCE).then(
                self.model_chosen, data, screen, **LOAD
            )
        starts = [bar.run.click, *(field.submit for field in bar.fields if isinstance(field, gr.Textbox))]
        runs = [gr.on([*starts, bar.in_use.change], self.run_all, data, screen, trigger_mode="once", **COMPUTE)]
        chosen = bar.example.input(self.example_chosen, data, screen, **AT_ONCE)
        runs.append(chosen.then(self.run_all, data, screen, **COMPUTE))
        edits = [field.change for field in bar.fields]  # change, not input: text can be pasted or dictated
        edited = gr.on(edits, self.edited, data, screen, trigger_mode="always_last", **AT_ONCE)
        # Its answer can arrive after that of a run which began later; whoever is last on screen must be right.
        edited.then(self.caught_up, data, screen, **AT_ONCE)
        bar.swap.click(self.swapped, data, screen, **AT_ONCE)
        loads = bar.model.input(self.model_chosen, data, screen, **LOAD)
        for strip in (bar.clean_strip, bar.corrupted_strip):
            strip.select(self.token_clicked, data, screen, **AT_ONCE)
        for tab in self.tabs:
            runs += self._wire_tab(tab, data, screen)
        joint = [self.ablation.together.click, self.ablation.heads.submit]
        runs.append(gr.on(joint, self.run_joint, data, screen, **COMPUTE))
        for run in runs:
            run.then(self.caught_up, data, screen, **AT_ONCE)
        halted = bar.stop.click(None, None, None, cancels=[*runs, loads])
        halted.then(self._idle, None, screen, **AT_ONCE).then(self.caught_up, data, screen, **AT_ONCE)

    def _wire_tab(self, tab: Tab, data: set, screen: list) -> list:
        """Events of one tab; returns those that compute."""
        redraws = [option.input for option in tab.view_options]
        if redraws:
            gr.on(redraws, tab.redrawn, data, screen, trigger_mode="always_last", **AT_ONCE)
        clicked = tab.grid.select(self.cell_clicked(tab), data, screen, trigger_mode="multiple", **AT_ONCE)
        opened = tab.page.select(self.tab_opened(tab), data, screen, **AT_ONCE)
        if type(tab).more is not Tab.more:
            for event in (clicked, opened):
                event.then(self.cell_more(tab), data, screen, **COMPUTE)
        for kind, button in (("csv", tab.files.csv), ("json", tab.files.json)):
            button.click(self.saved(tab, kind), data, [self.saver, tab.error], **AT_ONCE)
        changes = [option.input for option in tab.run_options]
        return [gr.on(changes, self.run_tab(tab), data, screen, trigger_mode="always_last", **COMPUTE)]

    def _outputs(self) -> list:
        """Everything that handlers may update."""
        bar = self.bar
        found = [
            *bar.fields, bar.model, bar.in_use, bar.looked, bar.run, bar.stop, bar.look_for, bar.check, bar.busy,
            bar.not_loaded, bar.example, bar.clean_strip, bar.corrupted_strip, bar.answer_note, bar.contrast_note,
            self.status, self.selection,
            self.lens.saying, self.attribution.plot, self.attribution.sentence, self.attribution.position,
            self.patching.baselines, self.patching.formula,
            self.ablation.baseline, self.ablation.joint, self.ablation.joint_receipts,
        ]  # fmt: skip
        for tab in self.tabs:
            found += [tab.outcome, tab.drawn, tab.error, tab.receipts, tab.caveat, tab.detail, tab.grid]
        return found


def status_line(model) -> str:
    """Which model is in use, where, how precisely, and how far the engine is from the model's own forward."""
    return f"{model.name} · {model.device} · {model.dtype} · checked {format_error(model.self_check)}"


def _logged(error: BaseException) -> None:
    """Faults of the program go to the log; what a person can put right is on the screen already."""
    if not isinstance(error, ExplorerError):
        log.error("A handler failed.", exc_info=error)


def build(settings: Settings | None = None) -> gr.Blocks:
    """The page, with the first example computed."""
    return Page(settings or Settings.from_env()).blocks


def launch_options(settings: Settings, env=os.environ) -> dict:
    """How the page is served: where `environment.address` says, and by Gradio's options for it."""
    name, port = address(settings, env)
    return {
        "server_name": name,
        "server_port": port,
        "theme": gr.themes.Default(
            primary_hue="blue",
            neutral_hue="slate",
            font=["system-ui", "sans-serif"],
            font_mono=["ui-monospace", "monospace"],
        ),
        "css": CSS_FILE.read_text("utf-8"),
        "footer_links": ["api"],
        "state_session_capacity": SESSIONS_KEPT,
        "max_file_size": "1kb",
        "ssr_mode": False,
        "app_kwargs": {"openapi_url": None, "middleware": [Middleware(BodyLimit, limit=body_limit(settings))]},
    }


def serve(settings: Settings | None = None, *, host: str | None = None, port: int | None = None, **options):
    """Build the page and serve it.

    host, port: where, over what the environment says. options: whatever else `gr.Blocks.launch` takes. Raises
    OptionError for settings that make no sense, and if nothing can be served there.
    """
    settings = settings or Settings.from_env()
    place = {"server_name": host, "server_port": port}
    options = launch_options(settings) | {name: value for name, value in place.items() if value is not None} | options
    check_free(options["server_name"], options["server_port"])  # before the model is read, which takes a while
    blocks = build(settings).queue(max_size=QUEUE_SIZE)
    try:
        return blocks.launch(**options)
    except OSError as error:  # somebody was faster
        raise not_free(options["server_name"], options["server_port"]) from error
