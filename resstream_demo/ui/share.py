"""What a share link holds, and how the page is put into its state."""

import os
import re
from collections.abc import Mapping

import gradio as gr

from ..core.errors import OptionError
from ..core.names import excerpt, head_label
from ..core.settings import Settings
from ..core.words import say
from .inputs import PromptBar
from .link import Field, Schema, one_of, switch, text, whole
from .selection import Selection
from .session import MAX_SPEC_CHARS
from .tab import Tab, Updates
from .widgets.copy_box import LinkData

MOST_HEADS = 200  # in a link
MOST = 100_000  # no model has more layers or positions; what one lacks is left out when it is drawn


class Share:
    """Reads and writes links over the page's components and the shared selection.

    tab: the state that holds the key of the open tab.
    """

    def __init__(self, bar: PromptBar, tabs: tuple[Tab, ...], tab: gr.State, selection: gr.State,
                 models: tuple[str, ...], settings: Settings):  # fmt: skip
        self.bar, self.tab, self.selection = bar, tab, selection
        self.components: dict[str, object] = {
            "clean": bar.clean, "corrupted": bar.corrupted, "answer": bar.answer, "contrast": bar.contrast,
            "bos": bar.bos, "model": bar.model, "tab": tab,
        }  # fmt: skip
        fields = [
            *(text(key, self.components[key].value, settings.max_chars) for key in ("clean", "corrupted")),
            *(text(key, self.components[key].value, MAX_SPEC_CHARS) for key in ("answer", "contrast")),
            switch("bos", True),
            one_of("model", bar.model.value, models),
            one_of("tab", tabs[0].key, [tab.key for tab in tabs]),
        ]
        for one in tabs:
            for option in (*one.run_options, *one.view_options):
                field = option_field(option)
                if field is not None:
                    self.components[field.key] = option
                    fields.append(field)
        self.schema = Schema((*fields, *_SELECTION))

    def link(self, data: Updates, env: Mapping[str, str] = os.environ) -> LinkData:
        """The address of what is on screen. Raises OptionError if it would be too long."""
        selection = data[self.selection]
        values = {key: data[component] for key, component in self.components.items()}
        values = {key: "" if value is None else value for key, value in values.items()}
        values |= {key: getattr(selection, name) for key, name in _FIELD_OF.items()}
        space = env.get("SPACE_ID", "")
        return LinkData(self.schema.query(values), f"https://huggingface.co/spaces/{space}" if space else "")

    def read(self, query: Mapping[str, str]) -> tuple[Updates, tuple[str, ...]]:
        """What a link puts into the page's components, and a sentence for each part of it that was refused."""
        values, refused = self.schema.read(query)
        updates = {self.components[key]: value for key, value in values.items() if key in self.components}
        chosen = {key: value for key, value in values.items() if key not in self.components}
        if chosen:
            updates[self.selection] = Selection(**{_FIELD_OF[key]: value for key, value in chosen.items()})
        return updates, refused


def option_field(option) -> Field | None:
    """How a link holds an option: its key is the component's elem_id. None for one whose choices come with a run."""
    key = option.elem_id
    if isinstance(option, gr.Checkbox):
        return switch(key, bool(option.value))
    if isinstance(option, (gr.Dropdown, gr.Radio)) and all(isinstance(value, str) for _, value in option.choices):
        return one_of(key, option.value, [value for _, value in option.choices])
    if isinstance(option, (gr.Dropdown, gr.Number, gr.Slider)):
        return whole(key, option.value, -MOST, MOST)
    return None


def _heads() -> Field:
    def read(given: str) -> tuple:
        found = given.split(" ")
        for part in found:
            if not re.fullmatch(r"L[0-9]{1,4}H[0-9]{1,4}", part) or len(found) > MOST_HEADS:
                raise _bad_heads(given)
        return tuple(sorted({tuple(int(n) for n in part[1:].split("H")) for part in found}))

    return Field("heads", (), read, lambda heads: " ".join(head_label(*head) for head in heads))


def _bad_heads(given: str) -> OptionError:
    return OptionError(
        say(
            "The link names heads as {value}; write them like L3H6 L4H1, {most} at most.",
            value=excerpt(given),
            most=MOST_HEADS,
        )
    )


def _head() -> Field:
    def read(given: str) -> tuple[int, int]:
        if not re.fullmatch(r"L[0-9]{1,4}H[0-9]{1,4}", given):
            raise _bad_heads(given)
        return tuple(int(n) for n in given[1:].split("H"))

    return Field("head", None, read, lambda head: head_label(*head))


def _pinned() -> Field:
    def read(given: str) -> tuple:
        if not re.fullmatch(r"[0-9]{1,7}(\+[0-9]{1,7}){0,9}( [0-9]{1,7}(\+[0-9]{1,7}){0,9}){0,19}", given):
            raise OptionError(
                say("The link follows the tokens {value}; write their ids like 11 262+383.", value=excerpt(given))
            )
        return tuple(tuple(int(i) for i in group.split("+")) for group in given.split(" "))

    return Field("follow", (), read, lambda groups: " ".join("+".join(map(str, group)) for group in groups))


_SELECTION = (
    whole("layer", None, -1, MOST),
    whole("position", None, 0, MOST),
    _head(),
    _heads(),
    _pinned(),
)
_FIELD_OF = {"layer": "layer", "position": "position", "head": "head", "heads": "heads", "follow": "pinned"}
