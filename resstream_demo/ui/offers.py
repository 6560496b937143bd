"""Tokens to pick from: what the model would say next, and what somebody may have meant by an answer."""

from collections.abc import Sequence

from ..core.errors import ExplorerError
from ..core.tokens import AnswerToken, Prompt, encode
from ..core.words import say
from ..methods.inspect import Predictions, run_predictions
from .runs import RunCache
from .session import MAX_SPEC_CHARS, read_token
from .widgets.choices import ChoiceItem, ChoicesData

SHOWN = 7  # predictions on offer
QUICK = 4e9  # multiplications of a run that may be made while somebody types


def predictions(model, prompt: Prompt | None, runs: RunCache, also: Sequence[int] = ()) -> Predictions | None:
    """What follows a prompt, if that is known already or quickly found. also: ids to include."""
    if prompt is None:
        return None
    if runs.recall(prompt) is None and cost(model, len(prompt)) > QUICK:
        return None
    return run_predictions(model, runs.trace(prompt), k=SHOWN, also=also)


def cost(model, n_tokens: int) -> float:
    """Multiplications of one run, roughly: every weight of the layers once per token."""
    return n_tokens * model.n_layers * model.d_model * (4 * model.d_model + 2 * model.d_mlp)


def next_tokens(found: Predictions | None, detail, answer: int | None, contrast: int | None) -> ChoicesData | None:
    """The likeliest next tokens, from which answer and contrast can be picked. detail: the sentence about an id."""
    if found is None:
        return None
    items = [
        ChoiceItem(token, share=float(share), detail=detail(int(i)), role=_role(int(i), answer, contrast), key=int(i))
        for token, i, share in zip(found.tokens, found.ids, found.probs, strict=True)
    ]
    return ChoicesData(say("The model would go on with"), items, with_contrast=True)


def _role(token_id: int, answer: int | None, contrast: int | None) -> str:
    if answer == contrast == token_id:
        return "both"
    return "answer" if token_id == answer else "contrast" if token_id == contrast else ""


def meant(model, spec: str, prompt: Prompt | None, what: str) -> tuple[AnswerToken, ...]:
    """Tokens that `spec` may have meant: the one it is read as first, then its other form, or its first pieces."""
    if not spec or spec.startswith("#") or len(spec) > MAX_SPEC_CHARS:
        return ()
    try:
        token = read_token(model, spec, prompt, what)
        return (token,) if token.other is None else (token, token.other)
    except ExplorerError:
        pass
    found: dict[int, AnswerToken] = {}
    for text in (spec, " " + spec.lstrip()):
        try:
            first = encode(model.tokenizer, text)[0]
            found.setdefault(first, model.answer(first))
        except (ExplorerError, IndexError):
            continue
    return tuple(found.values())


def did_you_mean(model, spec: str, prompt: Prompt | None, what: str, detail) -> ChoicesData | None:
    """The forms of a token to choose between, where there is more than one; the pieces of what is several tokens."""
    tokens = meant(model, spec, prompt, what)
    try:
        chosen = read_token(model, spec, prompt, what)
    except ExplorerError:
        chosen = None
    if len(tokens) < 1 + (chosen is not None):
        return None
    caption = say("Read as") if chosen is not None else say("More than one token. Take its first piece?")
    items = [
        ChoiceItem(token.display, None, f"#{token.id}", detail(token.id), chosen is not None and not n, key=token.id)
        for n, token in enumerate(tokens)
    ]
    return ChoicesData(caption, items)


def spec_of(model, token_id: int, prompt: Prompt | None) -> str:
    """What to put into an answer field so that it names this token: its text if that is read as it, or its id."""
    text = model.answer(token_id).text
    try:
        if text and read_token(model, text, prompt, "answer").id == token_id:
            return text
    except ExplorerError:
        pass
    return f"#{token_id}"
