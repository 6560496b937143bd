"""A row of tokens to pick from: as the answer, as its contrast, or as what was meant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ...core.words import say
from .base import Widget
from .format import round_significant

Role = Literal["", "answer", "contrast", "both"]
ROLES = ("", "answer", "contrast", "both")


@dataclass(frozen=True)
class ChoicesWords:
    """The words of the buttons; replace them to translate them.

    versus: on the small button that picks the contrast. answer, contrast: what a token has been picked as.
    chosen: said of a pressed token that has neither role.
    """

    versus: str = say("vs")
    answer: str = say("answer")
    contrast: str = say("contrast")
    chosen: str = say("in use")


@dataclass(frozen=True)
class ChoiceItem:
    """One token on offer.

    token: display string. share: probability in 0…1, drawn as a bar and written beside it; None for none.
    note: a few words beside the token ("first piece"); with a share, they stand in place of the percentage.
    detail: hover text with the raw token and its id. pressed: whether it is the one in use now; role: as what ("both"
    if one token is answer and contrast at once), which implies pressed. key: the token's id, for the handler.
    """

    token: str
    share: float | None = None
    note: str = ""
    detail: str = ""
    pressed: bool = False
    role: Role = ""
    key: int | None = None

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise ValueError(f"Unknown role {self.role!r}; use one of {list(ROLES)}.")
        if self.share is not None and not -1e-6 <= float(self.share) <= 1 + 1e-4:  # NaN fails too
            raise ValueError(f"The share of {self.token!r} is {self.share}; a probability lies in 0…1.")

    def payload(self) -> dict[str, Any]:
        """JSON-able form."""
        share = None if self.share is None else min(1.0, max(0.0, float(self.share)))
        return {
            "token": self.token,
            "share": round_significant(share),
            "note": self.note or ("" if share is None else percent(share)),
            "detail": self.detail,
            "pressed": bool(self.pressed or self.role),
            "answer": self.role in ("answer", "both"),
            "contrast": self.role in ("contrast", "both"),
        }


@dataclass(frozen=True)
class ChoicesData:
    """What a `Choices` draws. caption: what is on offer ("Most likely next tokens"). hint: what a click does.
    items: at least one; draw None where nothing is on offer. with_contrast: each token also has a small button that
    picks it as the contrast.
    """

    caption: str
    items: Sequence[ChoiceItem]
    hint: str = ""
    with_contrast: bool = False
    words: ChoicesWords = ChoicesWords()

    def __post_init__(self) -> None:
        if not self.items:
            raise ValueError(f"{self.caption!r} offers nothing; draw None where there is nothing to choose from.")
        for role in ("answer", "contrast"):
            holders = [item.token for item in self.items if item.role in (role, "both")]
            if len(holders) > 1:
                raise ValueError(f"{len(holders)} tokens have the role {role!r}: {', '.join(holders)}. Mark one.")

    def payload(self) -> dict[str, Any]:
        """JSON-able form."""
        words = self.words
        return {
            "caption": self.caption,
            "hint": self.hint,
            "items": [item.payload() for item in self.items],
            "withContrast": self.with_contrast,
            "words": {name: getattr(words, name) for name in ("versus", "answer", "contrast", "chosen")},
        }


class Choices(Widget):
    """Tokens to pick from. Value: `ChoicesData`, or None for nothing at all. Marks: `stale`.

    `choices.select(handler)` calls `handler(event: gr.SelectData)` with `event.value` the token's display string and
    `event.index` the item's number i; with `with_contrast`, `[i, "answer"]` or `[i, "contrast"]`. A click changes
    nothing on screen by itself: the handler answers with the items as they then are. Arrow keys move, Enter picks.
    """

    SCRIPTS = ("choices.js",)
    STYLE = "choices.css"
    ACCEPTS = ChoicesData


def percent(share: float) -> str:
    """A probability in per cent, with two figures: "62%", "3.1%", "0.4%"; "<0.1%" and ">99%" at the ends, so that
    only 0 reads "0%" and only 1 reads "100%"."""
    if math.isnan(share) or not 0 <= share <= 1:
        raise ValueError(f"{share} is no probability: it lies outside 0…1.")
    if share in (0, 1):
        return f"{share:.0%}"
    if share < 0.001:
        return "<0.1%"
    if share >= 0.995:
        return ">99%"
    return f"{share:.0%}" if share >= 0.0995 else f"{share:.1%}"
