"""The page: the prompt bar over four tabs, and what happens on it."""

from collections.abc import Callable, Iterator

import gradio as gr

from ..core.errors import ExplorerError
from ..core.models import TINY
from ..core.settings import Settings
from ..core.words import joined, say
from ..figures.reproduce import reproduce
from ..version import __version__
from . import api, session
from .ablation_tab import AblationTab
from .attribution_tab import AttributionTab
from .downloads import FORMATS, file_of
from .examples import examples
from .inputs import PromptBar, explain, failure_notice, model_menu
from .lens_tab import LensTab
from .line import Line, Saver
from .offers import spec_of
from .patching_tab import PatchingTab
from .running import Runner, logged
from .selection import Selection
from .share import Share
from .speech import Speaker
from .store import ModelStore
from .tab import Outcome, Tab, Updates
from .translation import ENGLISH, LANGUAGES, language_of
from .widgets import NoticeData, format_error
from .widgets.copy_box import CodeData
from .working import working

TITLE = "Residual Stream Explorer"
SUBTITLE = say(
    "A GPT-2 model carries each token through its layers as one vector, the residual stream: layers only read it and "
    "add to it. Look into it, split it into who wrote what, copy it between two prompts, take parts away."
)
NOTHING_YET = say("There is no result yet. Press Run.")
AT_ONCE = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
IN_QUEUE = {"show_progress": "hidden", "api_visibility": "private"}
COMPUTE = {"concurrency_id": "compute", "concurrency_limit": 1, **IN_QUEUE}
LOAD = {"concurrency_id": "load", "concurrency_limit": 4, **IN_QUEUE}


class Page(Runner):
    """Builds the page and answers its events. It holds nothing of any visitor; that is all in gr.State."""

    def __init__(self, settings: Settings):
        self.settings, self.store = settings, ModelStore(settings)
        with gr.Blocks(title=TITLE, analytics_enabled=False, fill_width=True) as self.blocks:
            self._build()
            self.tabs: tuple[Tab, ...] = (self.lens, self.attribution, self.patching, self.ablation)
            for tab, following in zip(self.tabs, self.tabs[1:], strict=False):
                tab.next.value = say("Next: {title} →", title=following.title)
            self.tabs[-1].next.value = say("Back to: {title}", title=self.tabs[0].title)
            self.share = Share(self.bar, self.tabs, self.open_tab, self.selection, self.store.names, settings)
            self.opening: dict[Tab, Outcome] = {}
            self.opening_errors: dict[Tab | None, ExplorerError] = {}
            self._open()
            self.speaker = Speaker(self.blocks, self.language)
            self._wire()
            api.offer(self.store, settings, concurrency_id=COMPUTE["concurrency_id"])

    def _build(self) -> None:
        with gr.Row(elem_id="header", equal_height=False):
            with gr.Column(scale=5, min_width=300):
                gr.HTML(f"<h1>{TITLE}</h1>", elem_id="title")
                Line(SUBTITLE, elem_id="subtitle")
            with gr.Column(scale=1, min_width=290, elem_id="model-box"):
                menu = model_menu(self.store.names)
                self.status = Line(elem_id="status")
        self.bar = PromptBar(menu, examples()[0])
        self.selection = gr.State(Selection())
        self.open_tab = gr.State(LensTab.key)
        self.linked = gr.State(False)  # whether a link has filled the page and waits to be computed
        with gr.Tabs(elem_id="tabs", overflow_behavior="wrap") as self.tab_row:
            self.lens = LensTab(self.bar, self.selection)
            self.attribution = AttributionTab(self.bar, self.selection)
            self.patching = PatchingTab(self.bar, self.selection)
            self.ablation = AblationTab(self.bar, self.selection)
        with gr.Row(elem_id="footer", equal_height=False):
            self.foot = Line(elem_id="foot", scale=1)
            self.language = gr.Radio(
                [(name, code) for code, name in LANGUAGES.items()], value=ENGLISH, show_label=False, container=False,
                elem_id="language", scale=0, min_width=220,
            )  # fmt: skip
        self.saver = Saver()

    def everything(self) -> set:
        """All inputs that handlers read."""
        bar = self.bar
        found = {*bar.fields, bar.model, bar.in_use, bar.looked}
        found |= {self.selection, self.open_tab, self.linked, self.language}
        for tab in self.tabs:
            found |= {tab.outcome, tab.drawn, *tab.run_options, *tab.view_options, *tab.inputs}
        return found

    # --- the opening ------------------------------------------------------------------------------------------

    def _open(self) -> None:
        """Compute the first example once, for everyone, as far as the limits allow; note what they forbid."""
        data = {component: getattr(component, "value", None) for component in self.everything()}
        model = self.store.get(TINY)
        try:
            ready = self._read(model, self.bar.read(data))
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
        updates = self._described(model)
        for tab, outcome in self.opening.items():
            updates |= tab.shown(outcome, data)
        for tab in self.opening_errors.keys() - {None}:
            updates |= tab.failed(self.opening_errors[tab], data)
        failure = self.opening_errors.get(None)
        if failure is not None:
            return {**updates, **self._looked(model, self.bar.read(data), failure=failure)}
        return {**updates, **self._looked_over(model, data)}

    def opened_by_link(self, data: Updates, query: dict[str, str]) -> Updates:
        """The page as a link asks for it; what it asks of methods is computed next, by `follow_link`."""
        asked, refused = self.share.read(query)
        if not asked:
            updates = self.opened(data)
        else:
            data = {**data, **asked}
            model = self.store.get(data[self.bar.in_use])
            updates = {**self._described(model), **asked, **self._looked_over(model, data), self.linked: True}
            if self.open_tab in asked:
                updates[self.tab_row] = gr.update(selected=asked[self.open_tab])
        if refused:
            notice = NoticeData("warning", say("Part of the link was left out."), refused)
            updates[self.bar.link_notice] = self.bar.link_notice.show(notice)
        return updates

    def follow_link(self, data: Updates) -> Iterator[Updates]:
        """Compute what a link has asked for; with another model, load that first, and its arrival starts the run."""
        if not data[self.linked]:
            yield gr.skip()  # a handler that yields nothing would empty its outputs
            return
        yield {self.linked: False}
        other = data[self.bar.model] != data[self.bar.in_use]
        yield from (self.model_chosen if other else self.run_all)(data)

    def _described(self, model) -> Updates:
        """Which model is in use, at the head and at the foot of the page."""
        foot = joined([f"{TITLE} {__version__}", status_line(model), say("computed exactly, on this server")], " · ")
        return {self.status: status_line(model), self.foot: foot}

    # --- small events -----------------------------------------------------------------------------------------

    def edited(self, data: Updates) -> Updates:
        """Tokens, prompt check and stale marks for what is in the bar now."""
        return {**self._looked_over(self.store.get(data[self.bar.in_use]), data), **self._aged(data)}

    def _looked_over(self, model, data: Updates) -> Updates:
        ran = [tab for tab in self.tabs if data[tab.outcome] is not None]
        stale = bool(ran) and all(tab.is_stale(data) for tab in ran)
        return self._looked(model, self.bar.read(data), stale=stale)

    def caught_up(self, data: Updates) -> Updates:
        """After a run: what was edited or set while it ran, and so is not yet in what it drew."""
        updates = self._aged(data)
        for tab in self.tabs:
            if data[tab.outcome] is not None and tab.drawn_otherwise(data):
                updates |= tab.redrawn(data)
        if data[self.bar.looked] != self.bar.read(data):
            updates |= self._looked_over(self.store.get(data[self.bar.in_use]), data)
        return updates or gr.skip()

    def example_chosen(self, data: Updates, event) -> Updates:
        found = next((example for example in examples() if example.id == event.value), None)
        return gr.skip() if found is None else self.bar.filled(found)

    def next_token_picked(self, data: Updates, event) -> Updates:
        """A token of the model's own predictions becomes the answer or the contrast."""
        bar, inputs = self.bar, self.bar.read(data)
        model = self.store.get(data[bar.in_use])
        offer = self._looked_over(model, data)[bar.next_tokens]["value"]
        place, role = event.index if isinstance(event.index, list) else (event.index, "answer")
        if offer is None or not 0 <= int(place) < len(offer.items):
            return gr.skip()
        prompt = session.tokenize(model, inputs.clean, "clean", inputs.bos, self.settings)
        field = bar.contrast if role == "contrast" else bar.answer
        updates = {field: spec_of(model, offer.items[int(place)].key, prompt)}
        return {**updates, **self.edited({**data, **updates})}

    def form_picked(self, what: str):
        """A handler for the forms of an answer that are on offer under its field."""

        def handler(data: Updates, event) -> Updates:
            bar = self.bar
            field, offer = (bar.answer, bar.answer_offer) if what == "answer" else (bar.contrast, bar.contrast_offer)
            shown = self._looked_over(self.store.get(data[bar.in_use]), data)[offer]["value"]
            if shown is None or not 0 <= int(event.index) < len(shown.items):
                return gr.skip()
            updates = {field: f"#{shown.items[int(event.index)].key}"}
            return {**updates, **self.edited({**data, **updates})}

        return handler

    def swapped(self, data: Updates) -> Updates:
        bar = self.bar
        updates = {bar.answer: data[bar.contrast], bar.contrast: data[bar.answer]}
        return {**updates, **self.edited({**data, **updates})}

    def model_chosen(self, data: Updates) -> Iterator[Updates]:
        """Load the chosen model, saying how far it is; on failure stay with the one in use."""
        bar, name = self.bar, data[self.bar.model]
        yield {**self._say(say("Loading {name} …", name=name)), bar.not_loaded: None}
        try:
            model = yield from working(
                lambda report: self.store.get(name, lambda sentence, share: report(sentence)), self._say
            )
        except Exception as error:
            logged(error)
            failed = say("{name} was not loaded; still using {kept}.", name=name, kept=data[bar.in_use])
            notice = NoticeData("error", failed, [explain(error)])
            yield {bar.model: data[bar.in_use], bar.busy: None, bar.not_loaded: bar.not_loaded.show(notice)}
            return
        yield {bar.in_use: name, **self._described(model), bar.busy: None}

    def cell_clicked(self, tab: Tab):
        def handler(data: Updates, event) -> Updates:
            value = event.value if isinstance(event.value, dict) else {}
            cells = [(int(r), int(c)) for r, c in value["chosen"]] if "chosen" in value else None
            updates = tab.clicked(data, (int(event.index[0]), int(event.index[1])), cells)
            position = updates[self.selection].position if self.selection in updates else None
            return {**updates, **self._strip_marks(position)} or gr.skip()

        return handler

    def tab_opened(self, tab: Tab):
        """What was selected elsewhere is selected here too."""
        return lambda data: {self.open_tab: tab.key, **tab.followed(data)}

    def cell_more(self, tab: Tab):
        def handler(data: Updates) -> Updates:
            outcome = data[tab.outcome]
            if outcome is None or tab.is_stale(data):
                return gr.skip()
            try:
                model = self.store.get(outcome.inputs.model)
                return self._more(tab, self._read(model, outcome.inputs), data) or gr.skip()
            except Exception as error:  # the plain detail stays
                logged(error)
                return gr.skip()

        return handler

    def token_clicked(self, data: Updates, event) -> Updates:
        """A token of the prompts selects its position in the tabs that have positions."""
        position = int(event.index[1])
        data = {**data, self.selection: data[self.selection].at_position(position)}
        updates = {self.selection: data[self.selection], **self._strip_marks(position)}
        return {**updates, **self.lens.followed(data), **self.patching.followed(data)}

    def _strip_marks(self, position: int | None) -> Updates:
        return {} if position is None else {self.bar.strip: self.bar.strip.mark(selected=position)}

    def saved(self, tab: Tab, kind: str):
        def handler(data: Updates) -> Updates:
            if data[tab.outcome] is None:
                return {tab.error: tab.error.show(NoticeData("warning", NOTHING_YET))}
            return {self.saver: file_of(data[tab.outcome].result, kind)}

        return handler

    def program_shown(self, tab: Tab):
        def handler(data: Updates) -> Updates:
            if data[tab.outcome] is None:
                return {tab.error: tab.error.show(NoticeData("warning", NOTHING_YET))}
            return {tab.code: tab.code.show(CodeData(reproduce(data[tab.outcome].result)))}

        return handler

    def link_shown(self, data: Updates) -> Updates:
        try:
            return {self.bar.link_box: self.bar.link_box.show(self.share.link(data)), self.bar.link_notice: None}
        except ExplorerError as error:
            return {self.bar.check: self.bar.check.show(failure_notice(error))}

    def language_chosen(self, data: Updates) -> Updates:
        """Everything on screen anew, so that it can be said in the language just chosen."""
        model = self.store.get(data[self.bar.in_use])
        updates = {**self._described(model), **self._looked_over(model, data)}
        for tab in self.tabs:
            if data[tab.outcome] is not None:
                updates |= tab.shown(data[tab.outcome], data)
        return self.speaker.with_labels(updates)

    # --- wiring -----------------------------------------------------------------------------------------------

    def _wire(self) -> None:
        bar, data, screen = self.bar, self.everything(), self._outputs()
        on = self.speaker.answering

        def opened(values: Updates, request: gr.Request) -> Updates:
            query = dict(request.query_params)
            language = language_of(request.headers.get("accept-language"), query.get("lang"))
            updates = {**self.opened_by_link(values, query), self.language: language}
            if language != ENGLISH:
                updates = self.speaker.with_labels(updates)
            return self.speaker.said(updates, language)

        # Only requests that go through the queue carry the query of the page's address.
        opening = self.blocks.load(opened, data, screen, concurrency_limit=None, **IN_QUEUE)
        runs = [opening.then(on(self.follow_link), data, screen, **COMPUTE)]
        if self.settings.web_model != TINY:
            opening.then(lambda: self.settings.web_model, None, bar.model, **AT_ONCE).then(
                on(self.model_chosen), data, screen, **LOAD
            )
        starts = [bar.run.click, *(field.submit for field in bar.fields if isinstance(field, gr.Textbox))]
        runs.append(gr.on([*starts, bar.in_use.change], on(self.run_all), data, screen, trigger_mode="once", **COMPUTE))
        chosen = bar.gallery.select(on(self.example_chosen, event=True), data, screen, **AT_ONCE)
        runs.append(chosen.then(on(self.run_all), data, screen, **COMPUTE))
        edits = [field.change for field in bar.fields]  # change, not input: text can be pasted or dictated
        edited = gr.on(edits, on(self.edited), data, screen, trigger_mode="always_last", **AT_ONCE)
        # Its answer can arrive after that of a run which began later; whoever is last on screen must be right.
        edited.then(on(self.caught_up), data, screen, **AT_ONCE)
        bar.swap.click(on(self.swapped), data, screen, **AT_ONCE)
        bar.link.click(on(self.link_shown), data, screen, **AT_ONCE)
        loads = bar.model.input(on(self.model_chosen), data, screen, **LOAD)
        picks = {
            bar.strip: self.token_clicked, bar.next_tokens: self.next_token_picked,
            bar.answer_offer: self.form_picked("answer"), bar.contrast_offer: self.form_picked("contrast"),
        }  # fmt: skip
        for widget, handler in picks.items():
            widget.select(on(handler, event=True), data, screen, **AT_ONCE)
        # Its change, not its input: what was answered before the reader's language was known is said anew, too.
        self.language.change(on(self.language_chosen), data, screen, **AT_ONCE)
        for tab, following in zip(self.tabs, (*self.tabs[1:], self.tabs[0]), strict=True):
            runs += self._wire_tab(tab, following, data, screen, on)
        for run in runs:
            run.then(on(self.caught_up), data, screen, **AT_ONCE)
        halted = bar.stop.click(None, None, None, cancels=[*runs, loads])
        halted.then(self._idle, None, screen, **AT_ONCE).then(on(self.caught_up), data, screen, **AT_ONCE)

    def _wire_tab(self, tab: Tab, following: Tab, data: set, screen: list, on: Callable) -> list:
        """Events of one tab; returns those that compute."""
        redraws = [option.input for option in tab.view_options]
        if redraws:
            gr.on(redraws, on(tab.redrawn), data, screen, trigger_mode="always_last", **AT_ONCE)
        clicked = tab.grid.select(
            on(self.cell_clicked(tab), event=True), data, screen, trigger_mode="multiple", **AT_ONCE
        )
        opened = tab.page.select(on(self.tab_opened(tab)), data, screen, **AT_ONCE)
        if type(tab).more is not Tab.more:
            for event in (clicked, opened):
                # A click while the last one is looked into must not be lost.
                event.then(on(self.cell_more(tab)), data, screen, trigger_mode="always_last", **COMPUTE)
        for kind in FORMATS:
            tab.files.kinds[kind].click(on(self.saved(tab, kind)), data, [self.saver, tab.error], **AT_ONCE)
        tab.files.reproduce.click(on(self.program_shown(tab)), data, [tab.code, tab.error], **AT_ONCE)
        tab.next.click(lambda: gr.update(selected=following.key), None, self.tab_row, **AT_ONCE)
        changes = [option.input for option in tab.run_options]
        runs = [gr.on(changes, on(self.run_tab(tab)), data, screen, trigger_mode="always_last", **COMPUTE)]
        for reaction in tab.reactions():
            how = COMPUTE if reaction.computes else AT_ONCE
            heard = reaction.listen(on(self.react(tab, reaction), event=True), data, screen, **how)
            if reaction.computes:
                runs.append(heard)
        return runs

    def _outputs(self) -> list:
        """Everything that handlers may update."""
        found = [*self.bar.parts(), self.status, self.foot, self.selection, self.open_tab, self.linked, self.language]
        found += [self.tab_row, *self.speaker.labelled]
        for tab in self.tabs:
            found += [*tab.run_options, *tab.view_options, *tab.parts()]
        return list(dict.fromkeys(found))


def status_line(model) -> str:
    """Which model is in use, where, how precisely, and how far the engine is from the model's own forward."""
    checked = say("checked {error}", error=format_error(model.self_check))
    return joined([model.name, str(model.device), model.dtype, checked], " · ")
