"""The logit lens tab: what the stream would predict at every layer and position."""

from dataclasses import replace

import gradio as gr

from ..core.errors import TokenError
from ..core.words import joined, plural, say
from ..methods.lens_detail import lens_changes, lens_trajectories, word_ids
from ..methods.lens_paths import first_paths
from . import session
from .lens_cell import Panel, panel
from .lens_view import Closer, Groups, Lens, LensOutcome, View, curves, draw, rows_shown, says
from .line import Line
from .offers import QUICK, cost
from .selection import Selection
from .session import LensOptions, Ready
from .tab import Cell, Reaction, Tab, Updates
from .widgets import Curves, DetailData, Grid, NoticeData

SITES = [
    (say("after each layer (resid_post)"), "resid_post"),
    (say("before each layer (resid_pre)"), "resid_pre"),
    (say("between attention and MLP (resid_mid)"), "resid_mid"),
    (say("only what attention adds (attn_out)"), "attn_out"),
    (say("only what the MLP adds (mlp_out)"), "mlp_out"),
]
COLOURS = [
    (say("probability of the top token"), "top"),
    (say("probability of the answer"), "answer"),
    (say("rank of the answer"), "rank"),
    (say("probability of the followed token"), "pinned"),
    (say("entropy"), "entropy"),
    (say("distance from the output (KL)"), "kl"),
]
NORMS = [(say("its own"), "fresh"), (say("the last layer’s"), "final"), (say("both"), "both")]
ROWS = [
    (say("automatic"), "auto"),
    (say("every row"), "1"),
    (say("one in 2"), "2"),
    (say("one in 4"), "4"),
    (say("one in 8"), "8"),
]
CURVES = [(say("probability"), "prob"), (say("place"), "rank")]
MOST_FOLLOWED = 20  # groups, as many as a link may hold
MOST_TOGETHER = 10  # tokens in one of them
LISTED = session.LENS_TOP_K


class LensTab(Tab):
    key = "lens"
    method = "logit_lens"
    title = say("Logit lens")
    says = says("resid_post")
    compute = staticmethod(session.run_lens)
    cell_hint = say("Select a cell to see what it predicts.")

    # --- layout -----------------------------------------------------------------------------------------------

    def build_options(self) -> None:
        self.colour = gr.Dropdown(COLOURS, value="top", label=say("Colour shows"), elem_id="lens-colour", min_width=200)
        self.site = gr.Dropdown(SITES, value="resid_post", label=say("Stream at"), elem_id="lens-site", min_width=240)
        self.norm = gr.Radio(NORMS, value="fresh", label=say("Scale of the final norm"), elem_id="lens-norm")
        self.every = gr.Dropdown(ROWS, value="auto", label=say("Rows"), elem_id="lens-rows", min_width=120)
        self.words = gr.Checkbox(False, label=say("Words only"), elem_id="lens-words", min_width=120)
        self.run_options = (self.site, self.norm)

    def build_picture(self) -> None:
        self.grid = self.make_grid(say("Logit lens"))
        self.beside = Grid(label=say("Logit lens with the final norm"), elem_id="lens-beside")
        self.side = gr.State(0)  # which of the two pictures the detail is about
        self.closer = gr.State(None)  # what was computed of the selected position
        self.listed = gr.State(())  # the tokens in the rows of the detail's tables

    def build_foot(self) -> None:
        with gr.Row(elem_classes="options", elem_id="lens-follow-row", equal_height=False):
            self.follow = gr.Textbox(
                label=say("Follow tokens"), show_label=False, lines=1, max_lines=1,
                placeholder=say("Follow: Mary, or Mary + John"), elem_id="lens-follow", min_width=300, scale=0,
            )  # fmt: skip
            self.add = gr.Button(say("Follow"), size="md", elem_id="lens-add", scale=0, min_width=90)
            self.curve = gr.Radio(
                CURVES, value="prob", label=say("Curves show"), show_label=False, elem_id="lens-curve", scale=1
            )
        self.curves = Curves(label=say("Followed tokens through the layers"), elem_id="lens-curves")
        self.note = Line(elem_id="lens-follow-note")
        self.view_options = (self.colour, self.every, self.words, self.curve)
        own = (self.side, self.closer, self.listed)
        self.inputs, self.outputs = (self.follow, *own), (self.follow, self.beside, self.curves, self.note, *own)

    def reactions(self) -> tuple[Reaction, ...]:
        return (
            Reaction(self.beside.select, self.beside_clicked),
            Reaction(self.curves.select, self.curve_chosen),
            Reaction(self.detail.select, self.row_chosen, computes=True),
            Reaction(self.add.click, self.named, computes=True),
            Reaction(self.follow.submit, self.named, computes=True),
        )

    # --- results ----------------------------------------------------------------------------------------------

    def options(self, data: Updates) -> LensOptions:
        return LensOptions(site=data[self.site], norm=data[self.norm], follow=data[self.selection].pinned)

    def effective(self, options: LensOptions, result) -> LensOptions:
        # Tokens are added to what is on screen when they are named; nothing that is there becomes wrong by it.
        return replace(options, follow=())

    def run(self, ready: Ready, data: Updates, progress=None) -> LensOutcome:
        asked = self.options(data)
        follow = self._known(ready, asked.follow, data[self.outcome])
        options = replace(asked, follow=follow)
        norms = ("fresh", "final") if options.norm == "both" else (options.norm,)
        lenses = tuple(self._lens(ready, replace(options, norm=norm), progress) for norm in norms)
        words = frozenset().union(*(word_ids(ready.model, lens.result) for lens in lenses))
        outcome = LensOutcome(
            inputs=ready.inputs,
            options=options,
            result=lenses[0].result,
            lenses=lenses,
            answer=ready.answer,
            contrast=ready.contrast,
            words=words,
            dropped=tuple(group for group in asked.follow if group not in follow),
        )
        if cost(ready.model, len(ready.clean)) > QUICK:
            return outcome
        position = self.cell(outcome.result, data[self.selection])[1]
        return replace(outcome, closer=self._look_closer(ready, outcome, position))

    def _lens(self, ready: Ready, options: LensOptions, progress) -> Lens:
        result = ready.recalled(self.key, options, lambda: type(self).compute(ready, options, progress))
        paths = ready.recalled(
            "lens-paths", replace(options, follow=()), lambda: first_paths(ready.model, ready.clean_run, result)
        )
        return Lens(result, paths)

    def _look_closer(self, ready: Ready, outcome: LensOutcome, position: int) -> Closer:
        place = (replace(outcome.options, follow=()), position)
        return ready.recalled("lens-closer", place, lambda: look_closer(ready, outcome, position))

    def _known(self, ready: Ready, groups: Groups, before: LensOutcome | None) -> Groups:
        """The groups whose tokens this model has, and which are the same tokens that the result before named so."""
        names = {}
        if before is not None:
            names = before.result.shown | {token.id: token.display for token in before.result.targets}

        def same(token_id: int) -> bool:
            if not 0 <= token_id < ready.model.vocab_size:
                return False
            return names.get(token_id, ready.model.show(token_id)) == ready.model.show(token_id)

        return tuple(group for group in groups if all(map(same, group)))

    # --- on screen --------------------------------------------------------------------------------------------

    def shown(self, outcome: LensOutcome, data: Updates) -> Updates:
        selection = replace(data[self.selection], pinned=_pins(outcome, data[self.selection]))
        updates = super().shown(outcome, {**data, self.selection: selection})
        if outcome.dropped:
            updates |= {self.selection: selection, self.error: self.error.show(_dropped(outcome))}
        return updates

    def picture(self, outcome: LensOutcome, data: Updates, cell: Cell) -> Updates:
        view, pinned, stale = self._view(data), _pins(outcome, data[self.selection]), self.is_stale(data)
        selected = _on_picture(outcome.result, cell, view.every)
        second = draw(outcome, view, pinned, 1) if len(outcome.lenses) > 1 else None
        return {
            self.saying: says(outcome.result.sites[0]),
            self.grid: self.grid.show(draw(outcome, view, pinned), selected=selected, stale=stale),
            self.beside: self.beside.show(second, selected=selected, stale=stale),
            **self._about(outcome, cell, data),
        }

    def marked(self, outcome: LensOutcome, cell: Cell, data: Updates) -> Updates:
        return {self.beside: self._marked(self.beside, outcome, cell, data), **self._about(outcome, cell, data)}

    def describe(self, outcome: LensOutcome, cell: Cell, data: Updates) -> DetailData:
        return self._panel(outcome, cell, data).data

    def cell(self, result, selection: Selection) -> Cell:
        """The row of the result, which need not be drawn, and the position."""
        rows, positions = result.entropy.shape
        row = rows - 1
        if selection.layer is not None and selection.layer in result.row_layers:
            row = result.row_layers.index(selection.layer)
        position = positions - 1 if selection.position is None else min(selection.position, positions - 1)
        return row, position

    def selected(self, result, cell: Cell, selection: Selection) -> Selection:
        return selection.at(result.row_layers[cell[0]], cell[1])

    def clicked(self, data: Updates, cell: Cell, cells: list[Cell] | None = None, side: int = 0) -> Updates:
        outcome = data[self.outcome]
        if outcome is None:
            return {}
        drawn = rows_shown(len(outcome.result.row_names), self._drawn(data).every)
        if not (0 <= cell[0] < len(drawn) and 0 <= cell[1] < len(outcome.result.prompt)):
            return {}  # of a picture that has been replaced
        place = (drawn[cell[0]], cell[1])
        return {self.side: side, **super().clicked({**data, self.side: side}, place)}

    def followed(self, data: Updates) -> Updates:
        return {**super().followed(data), **self._grid_marks(data)}

    def aged(self, data: Updates) -> Updates:
        if data[self.outcome] is None:
            return {}
        marks = {self.curves: self.curves.mark(stale=self.is_stale(data))}
        return {**super().aged(data), **self._grid_marks(data), **marks}

    def more(self, ready: Ready, outcome: LensOutcome, cell: Cell, data: Updates) -> Updates:
        position, updates = cell[1], {}
        if not _follows(outcome, _pins(outcome, data[self.selection])):
            outcome = self.run(ready, data)
            data = {**data, self.outcome: outcome}
            updates = self.shown(outcome, data)
        closer = self._look_closer(ready, outcome, position)
        data = {**data, self.closer: closer}
        return {
            **updates,
            self.closer: closer,
            self.detail: self.detail.show(self.describe(outcome, cell, data), stale=self.is_stale(data)),
            **self._about(outcome, cell, data),
        }

    def _about(self, outcome: LensOutcome, cell: Cell, data: Updates) -> Updates:
        """The detail and the curves of the selected position."""
        pinned, view, which = _pins(outcome, data[self.selection]), self._view(data), self._which(outcome, data)
        found, stale = self._panel(outcome, cell, data), self.is_stale(data)
        drawn = curves(outcome, which, pinned, cell[1], view, _closer(outcome, data[self.closer], cell[1]))
        return {
            self.detail: self.detail.show(found.data, stale=stale),
            self.listed: found.ids,
            self.curves: self.curves.show(drawn, selected=cell[0], stale=stale),
            self.note: _note(pinned),
        }

    def _panel(self, outcome: LensOutcome, cell: Cell, data: Updates) -> Panel:
        pinned, closer = _pins(outcome, data[self.selection]), _closer(outcome, data[self.closer], cell[1])
        return panel(outcome, self._which(outcome, data), cell, self._view(data), pinned, closer)

    def _view(self, data: Updates) -> View:
        return View(*self.view(data))

    def _drawn(self, data: Updates) -> View:
        """The view that the picture on screen was drawn with."""
        return View(*data[self.drawn]) if data[self.drawn] else self._view(data)

    def _which(self, outcome: LensOutcome, data: Updates) -> int:
        return min(data[self.side], len(outcome.lenses) - 1)

    def _marked(self, grid: Grid, outcome: LensOutcome, cell: Cell, data: Updates) -> Updates:
        selected = _on_picture(outcome.result, cell, self._drawn(data).every)
        return grid.mark(selected=selected, stale=self.is_stale(data))

    def _grid_marks(self, data: Updates) -> Updates:
        """Marks of the one or two pictures on screen."""
        outcome = data[self.outcome]
        if outcome is None:
            return {}
        cell = self.cell(outcome.result, data[self.selection])
        return {grid: self._marked(grid, outcome, cell, data) for grid in (self.grid, self.beside)}

    # --- what people do besides -------------------------------------------------------------------------------

    def beside_clicked(self, data: Updates, event) -> Updates:
        """A cell of the second picture."""
        updates = self.clicked(data, (int(event.index[0]), int(event.index[1])), side=1)
        return self._everywhere(data, updates)

    def curve_chosen(self, data: Updates, event) -> Updates:
        """A row of the lens, chosen on the curves; or a line that is to go."""
        outcome, (what, place) = data[self.outcome], event.index
        if outcome is None:
            return {}
        selection, place = data[self.selection], int(place)
        if what == "remove":
            drawn = _pins(outcome, selection)
            if 0 <= place < len(drawn):
                selection = selection.unpin(selection.pinned.index(drawn[place]))
            return {self.selection: selection, **self.redrawn({**data, self.selection: selection})}
        if not 0 <= place < len(outcome.result.row_names):
            return {}
        cell = (place, self.cell(outcome.result, selection)[1])
        return self._everywhere(data, super().clicked(data, cell))

    def _everywhere(self, data: Updates, updates: Updates) -> Updates:
        """Updates that select a cell, with the marks on both pictures and on the tokens of the prompt bar."""
        if self.selection not in updates:
            return updates
        position = updates[self.selection].position
        return {
            **updates,
            **self._grid_marks({**data, **{self.selection: updates[self.selection]}}),
            self.bar.strip: self.bar.strip.mark(selected=position),
        }

    def row_chosen(self, ready: Ready, data: Updates, event, progress) -> Updates:
        """A token in a list of the detail is followed, or no longer."""
        table, row = (int(n) for n in event.index)
        listed, selection = data[self.listed], data[self.selection]
        if not (0 <= table < len(listed) and 0 <= row < len(listed[table])):
            return {}
        group = (int(listed[table][row]),)
        if group in selection.pinned:
            selection = selection.unpin(selection.pinned.index(group))
        else:
            selection = _pinned(selection, group)
        return self._followed(ready, data, selection, progress)

    def named(self, ready: Ready, data: Updates, event, progress) -> Updates:
        """The tokens in the field under the picture are followed."""
        tokens = read_group(ready, data[self.follow] or "")
        selection = _pinned(data[self.selection], tuple(token.id for token in tokens))
        updates = self._followed(ready, data, selection, progress)
        notes = [say("{token}: {note}.", token=token.display, note=token.note) for token in tokens if token.note]
        said = {self.note: joined([updates[self.note], *notes])} if notes else {}
        return {**updates, **said, self.follow: ""}

    def _followed(self, ready: Ready, data: Updates, selection: Selection, progress) -> Updates:
        """The page with other tokens followed; the lens is computed anew only if it does not know them yet."""
        data = {**data, self.selection: selection}
        outcome = data[self.outcome]
        if outcome is None or self.is_stale(data) or not _follows(outcome, selection.pinned):
            outcome = self.run(ready, data, progress)
        else:
            outcome = replace(outcome, dropped=())
        data = {**data, self.outcome: outcome}
        cell = self.cell(outcome.result, selection)
        return {self.selection: selection, **self.shown(outcome, data), **self.more(ready, outcome, cell, data)}


# --- reading, computing, small words -------------------------------------------------------------------------


def look_closer(ready: Ready, outcome: LensOutcome, position: int) -> Closer:
    """What takes a moment to compute about a position: every row's change, and ranks where only places were known."""
    changes, ranks = {}, {}
    for lens in outcome.lenses:
        how = {"position": position, "sites": lens.result.sites, "norm": lens.result.norm}
        for words in (False, True):
            found = lens_changes(ready.model, ready.clean_run, k=LISTED, words_only=words, **how)
            changes[lens.result.norm, words] = found
        ids = lens.paths.ids[position]
        paths = lens_trajectories(ready.model, ready.clean_run, ids, **how)
        ranks[lens.result.norm] = dict(zip(ids, paths.ranks.T, strict=True))
    return Closer(outcome.inputs, outcome.options.site, position, changes, ranks)


def read_group(ready: Ready, text: str) -> tuple:
    """The tokens that a text names, with “+” between them. Raises TokenError."""
    parts = [text] if text.strip() == "+" else text.split("+")
    if len(parts) > MOST_TOGETHER:
        raise TokenError(
            say("{count} tokens are to be added up; at most {most} can be.", count=len(parts), most=MOST_TOGETHER)
        )
    found = [session.read_token(ready.model, part.strip(), ready.clean, "target") for part in parts]
    if None in found:
        raise TokenError(say("Name a token to follow, such as “ Paris”, or several with + between them."))
    return tuple(found)


def _pinned(selection: Selection, group: tuple[int, ...]) -> Selection:
    """The selection with a group more. Raises TokenError if there are too many."""
    found = selection.pin(group)
    if len(found.pinned) > MOST_FOLLOWED:
        raise TokenError(
            say("{most} tokens are followed already. Remove one (×) before you add another.", most=MOST_FOLLOWED)
        )
    return found


def _closer(outcome: LensOutcome, latest: Closer | None, position: int) -> Closer | None:
    """What is known of a position beyond the result itself."""
    found = (latest, outcome.closer)
    return next((closer for closer in found if closer is not None and closer.about(outcome, position)), None)


def _pins(outcome: LensOutcome, selection: Selection) -> Groups:
    """What is followed, without what is no token of the outcome's model."""
    return tuple(group for group in selection.pinned if group not in outcome.dropped)


def _follows(outcome: LensOutcome, pinned: Groups) -> bool:
    """Whether all tokens to be followed were followed when the lens was computed."""
    known = {token.id for token in outcome.result.targets}
    return all(i in known for group in pinned for i in group)


def _on_picture(result, cell: Cell, every: str) -> Cell | None:
    """Where a row and a position are drawn; None if the row is left out."""
    drawn = rows_shown(len(result.row_names), every)
    return (drawn.index(cell[0]), cell[1]) if cell[0] in drawn else None


def _note(pinned: Groups) -> str:
    if pinned:
        return plural(
            len(pinned),
            "This is followed at every position; × lets it go.",
            "All {count} are followed at every position; × lets one go.",
        )
    return say(
        "Nobody has chosen tokens to follow, so these are the answer, the contrast, and the tokens that come first in "
        "some row. Choose one in the list of a cell to follow it instead."
    )


def _dropped(outcome: LensOutcome) -> NoticeData:
    ids = joined([joined([f"#{i}" for i in group], " + ") for group in outcome.dropped], ", ")
    return NoticeData(
        "warning",
        say("{tokens} can no longer be followed: to {model} they are other tokens, or none.", tokens=ids,
            model=outcome.inputs.model),
    )  # fmt: skip
