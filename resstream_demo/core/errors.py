"""What can go wrong, in sentences a person can act on.

Every error below is a `ValueError` whose text names what was wrong, shows the offending part and says what to
do. The screens, the command line and the web API show that text as it is.
"""


class ExplorerError(ValueError):
    """Base of all errors that are the input's or the surroundings' fault, not the program's."""

    @property
    def sentence(self) -> str:
        """The text of the error; a `Say`, so that it can be put into other sentences and said in other languages."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else str(self)


class PromptError(ExplorerError):
    """A prompt cannot be used: empty, too long, of the wrong length for its partner."""


class TokenError(ExplorerError):
    """An answer, contrast or target does not name exactly one token."""


class OptionError(ExplorerError):
    """An option has a value that does not exist here: a site, a metric, a head, a position."""


class MetricError(ExplorerError):
    """A number asked for is not defined, such as a share of a difference that is zero."""


class ModelError(ExplorerError):
    """A model cannot be had, cannot be read, or failed the check at load."""


def out_of_memory(error: BaseException) -> bool:
    """Whether an error says that memory ran out, on a device or, as a plain RuntimeError, on the CPU."""
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    text = str(error).lower()
    return isinstance(error, RuntimeError) and ("can't allocate memory" in text or "out of memory" in text)
