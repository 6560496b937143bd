"""Sentences for people, kept so that they can be said in another language.

`say` fills an English template and gives the English sentence: a `str` like any other, which also remembers its
template and the values in it. A screen looks the template up in its reader's language and fills it with the same
values. So all that is computed, kept or exported is English, and the language is chosen last, for each reader.

Templates are literals in the code; a value is put in as it is and is never read as a template, whatever it holds.
"""

from collections.abc import Iterable
from numbers import Integral, Real


class Say(str):
    """An English sentence that remembers how it was made. Made by `say`, `plural` and `joined`; read-only.

    template: the sentence with `{name}` or `{name:,}` where a value stands. values: name → number, text or another
    Say. `template.format(**values)` is the sentence. Adding or slicing gives plain text, which stays English.
    """

    __slots__ = ("template", "values")

    def __new__(cls, text: str, template: str, values: dict[str, "str | int | float"]) -> "Say":
        self = super().__new__(cls, text)
        self.template, self.values = template, values
        return self

    def __reduce__(self):
        return type(self), (str(self), self.template, self.values)

    def __copy__(self) -> "Say":
        return self

    def __deepcopy__(self, memo) -> "Say":
        return self


def say(template: str, /, **values) -> Say:
    """The template with its values put in. A value that is a Say is translated with the sentence, any other is not.

    Formats of numbers are part of the template (`{tokens:,}`); what is neither text nor a number is kept as its text.
    Raises KeyError for a placeholder without a value.
    """
    kept = {name: _kept(value) for name, value in values.items()}
    return Say(template.format(**kept), template, kept)


def plural(count: int, one: str, many: str, /, **values) -> Say:
    """`one` if count is 1, else `many`, with `{count}` and the values put in."""
    return say(one if count == 1 else many, count=count, **values)


def joined(parts: Iterable[str], separator: str = " ") -> Say:
    """The parts with the separator between them, each still what it was: a Say is translated, plain text is not.

    The separator is translated too: Chinese sentences follow one another without a space, and lists have `、`.
    """
    values = {f"part{n}": part for n, part in enumerate(parts)}
    template = "{separator}".join(f"{{{name}}}" for name in values)
    return say(template, separator=say(separator), **values)


def _kept(value: object) -> "str | int | float":
    if type(value) in (Say, str, int, float):
        return value
    if isinstance(value, bool) or not isinstance(value, Real):
        return str(value)
    return int(value) if isinstance(value, Integral) else float(value)
