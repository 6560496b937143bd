"""Share links: the state of the page as a query string that holds only what differs from the defaults.

Nothing is stored on the server: a link is read like anything else that somebody typed, and computed anew.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from ..core.errors import ExplorerError, OptionError
from ..core.names import excerpt
from ..core.words import joined, say

MAX_LINK = 8_000  # characters of a query; longer addresses are cut by chat programs and refused by proxies
#: Query keys that belong to Gradio or to the page's language, and say nothing about the state.
FOREIGN = ("__theme", "__lang", "lang", "view", "__sign", "logs")


@dataclass(frozen=True)
class Field:
    """One thing that a link may hold. key: its name in the query. default: its value where the link has none.

    read: turns the text of a link into the value, raising ExplorerError for one that is out of bounds. write: the
    reverse.
    """

    key: str
    default: object
    read: Callable[[str], object]
    write: Callable[[object], str] = str


def one_of(key: str, default: str, allowed: Sequence[str]) -> Field:
    """A choice from a list."""

    def read(text: str) -> str:
        if text not in allowed:
            raise OptionError(
                say(
                    "The link asks for {key}={value}, which there is not. There is: {allowed}.",
                    key=key, value=excerpt(text), allowed=joined(allowed, ", "),
                )
            )  # fmt: skip
        return text

    return Field(key, default, read)


def switch(key: str, default: bool) -> Field:
    """Yes or no, written 1 or 0."""

    def read(text: str) -> bool:
        if text not in ("0", "1"):
            raise OptionError(say("The link has {key}={value}; it must be 0 or 1.", key=key, value=excerpt(text)))
        return text == "1"

    return Field(key, default, read, lambda value: "1" if value else "0")


def text(key: str, default: str, most: int) -> Field:
    """Free text of at most `most` characters."""

    def read(given: str) -> str:
        if len(given) > most:
            raise OptionError(
                say(
                    "The {key} in the link has {count:,} characters; at most {most:,} are read.",
                    key=key, count=len(given), most=most,
                )
            )  # fmt: skip
        return given

    return Field(key, default, read)


def whole(key: str, default: int | None, low: int, high: int) -> Field:
    """A whole number from low to high, or nothing."""

    def read(given: str) -> int:
        digits = given.removeprefix("-")
        number = int(given) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None
        if number is None or not low <= number <= high:
            raise OptionError(
                say(
                    "The link has {key}={value}; it must be a whole number from {low:,} to {high:,}.",
                    key=key, value=excerpt(given), low=low, high=high,
                )
            )  # fmt: skip
        return number

    return Field(key, default, read)


@dataclass(frozen=True)
class Schema:
    """All that a link may hold, in the order in which it is written."""

    fields: tuple[Field, ...]

    def query(self, values: Mapping[str, object]) -> str:
        """The query of these values, "" where all are the defaults. Raises OptionError if it grows too long."""
        pairs = [(f.key, f.write(values[f.key])) for f in self.fields if values[f.key] != f.default]
        query = urlencode(pairs, quote_via=quote, errors="replace")
        if len(query) > MAX_LINK:
            raise OptionError(
                say(
                    "The link would have {count:,} characters, and links over {most:,} do not travel well. "
                    "Shorten the prompts, or save the result as a file.",
                    count=len(query), most=MAX_LINK,
                )
            )  # fmt: skip
        return query

    def read(self, query: Mapping[str, str]) -> tuple[dict[str, object], tuple[str, ...]]:
        """The values that a query sets, and a sentence for each part of it that was refused."""
        known = {f.key: f for f in self.fields}
        values: dict[str, object] = {}
        refused: list[str] = []
        for key, given in query.items():
            if key in FOREIGN:
                continue
            if key not in known:
                refused.append(say("The link asks for {key}, which this page does not have.", key=excerpt(key)))
                continue
            try:
                values[key] = known[key].read(given)
            except ExplorerError as error:
                refused.append(error.sentence)
        return values, tuple(refused)
