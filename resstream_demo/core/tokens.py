"""Tokens: prompts as ids, how a token is shown, and which single token an answer names.

Tokens are keyed by id and position, never by decoded string: several ids of GPT-2's vocabulary decode to the
same string, and one character can be spread over several ids.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache

import numpy as np

from .errors import PromptError, TokenError
from .names import excerpt, whole_number
from .words import joined, say

BOS_DISPLAY = "⟨bos⟩"
_ROLES = {"answer": say("answer"), "contrast": say("contrast"), "target": say("target")}  # what a token is wanted as
_SHOWN = {" ": "␣", "\n": "↵", "\t": "⇥", "\r": "␍"}
_HIDDEN_CATEGORIES = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs")  # invisible unless shown by code


@dataclass(frozen=True)
class Prompt:
    """A tokenised prompt of T tokens.

    text: what was typed. ids: T token ids, the BOS included. tokens: T display strings. bos: whether
    position 0 is a BOS that was put there.
    """

    text: str
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    bos: bool

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class AnswerToken:
    """One token that a method asks about: its id, raw text and display form.

    note says what was chosen where more than one reading was possible ("" if there was nothing to choose);
    other is the reading not chosen, where it is also a single token.
    """

    id: int
    text: str
    display: str
    note: str = ""
    other: "AnswerToken | None" = None


@dataclass(frozen=True)
class Alignment:
    """Two prompts side by side. columns: pairs of positions, None where one side has no partner."""

    columns: tuple[tuple[int | None, int | None], ...]
    same: tuple[bool, ...]

    @property
    def equal_length(self) -> bool:
        return all(None not in column for column in self.columns)

    @property
    def differing(self) -> tuple[tuple[int | None, int | None], ...]:
        """The columns in which the prompts differ."""
        return tuple(column for column, same in zip(self.columns, self.same, strict=True) if not same)


@cache
def _byte_of_symbol() -> dict[str, int]:
    """The byte that each printable stand-in of byte-level BPE means (Radford et al. 2019, encoder.py)."""
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    rest = [byte for byte in range(256) if byte not in set(plain)]
    table = {chr(byte): byte for byte in plain}
    table.update({chr(256 + n): byte for n, byte in enumerate(rest)})
    return table


def token_bytes(tokenizer, token_id: int) -> bytes | None:
    """The bytes a token stands for; None for an id that the tokenizer does not know (a padded vocabulary)."""
    symbol = tokenizer.convert_ids_to_tokens(int(token_id))
    if symbol is None:
        return None
    table = _byte_of_symbol()
    if token_id in tokenizer.all_special_ids or any(char not in table for char in symbol):
        return symbol.encode("utf-8", "surrogatepass")
    return bytes(table[char] for char in symbol)


def display_bytes(data: bytes) -> str:
    """Show bytes so that every one of them is visible: ␣ ↵ ⇥, `⟨U+0007⟩`, and `⟨E6⟩` for part of a character."""
    shown = []
    start = 0
    while start < len(data):
        for width in (1, 2, 3, 4):
            try:
                char = data[start : start + width].decode("utf-8")
            except UnicodeDecodeError:
                continue
            if char:
                shown.append(_display_char(char))
                start += width
                break
        else:
            shown.append(f"⟨{data[start]:02X}⟩")
            start += 1
    return "".join(shown)


def _display_char(char: str) -> str:
    if char in _SHOWN:
        return _SHOWN[char]
    category = unicodedata.category(char)
    if category in _HIDDEN_CATEGORIES:
        return f"⟨U+{ord(char):04X}⟩"
    if category in ("Mn", "Me"):  # a combining mark needs something to sit on
        return "◌" + char
    return char


def display_token(tokenizer, token_id: int) -> str:
    """How a token is shown wherever there is no room for more."""
    data = token_bytes(tokenizer, token_id)
    if data is None:
        return f"⟨id {token_id}⟩"
    return display_bytes(data) or "⟨empty⟩"


def is_word(text: str) -> bool:
    """Whether a token's raw text reads as a word or a piece of one, such as ` Mary`, `ing`, `1732`, `漢` or `'s`.

    Letters and numerals of any script, with the marks that sit on them, after at most one leading space; an apostrophe
    may stand before or among them. Numerals count, for years and numbers are answers too. White space, punctuation,
    symbols, control characters and special tokens do not; nor does part of a character, which decodes to U+FFFD, or a
    mark with nothing to sit on.
    """
    before, apostrophe, after = text.removeprefix(" ").replace("’", "'").partition("'")
    kinds = {unicodedata.category(char)[0] for char in before + after}
    return bool(kinds & {"L", "N"}) and kinds <= {"L", "M", "N"} and not (apostrophe and not after)


def encode(tokenizer, text: str) -> list[int]:
    """Ids of a text without any BOS. Raises PromptError for text that is not valid Unicode."""
    if not isinstance(text, str):
        raise PromptError(
            say("A prompt is text, a list of token ids or a Prompt, not {type}.", type=type(text).__name__)
        )
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise PromptError(
            say(
                "Character {number} of the text (U+{code:04X}) is half of a pair and no character by itself. Delete it "
                "and type it again.",
                number=error.start + 1,
                code=ord(text[error.start]),
            )
        ) from None
    return list(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])


def make_prompt(
    tokenizer, text: str, *, bos: bool, n_ctx: int, vocab_size: int, display: Callable[[int], str]
) -> Prompt:
    """Tokenise a text. Raises PromptError if it is empty, longer than `n_ctx` tokens with the BOS, or holds a token
    that the model has no embedding for."""
    if not isinstance(bos, (bool, np.bool_)):
        raise PromptError(say("bos is True or False, not {value}.", value=excerpt(bos)))
    ids = encode(tokenizer, text)
    if not ids:
        raise PromptError(say("The prompt is empty. Type at least one word."))
    if bos:
        if tokenizer.bos_token_id is None:
            raise PromptError(say("This model's tokenizer has no BOS token. Run with BOS switched off."))
        ids = [tokenizer.bos_token_id, *ids]
    _check_length(len(ids), n_ctx, bos)
    for position, token_id in enumerate(ids):
        _check_prompt_id(token_id, position, vocab_size)
    tokens = tuple(display(i) for i in ids)
    if bos:
        tokens = (BOS_DISPLAY, *tokens[1:])
    return Prompt(text=text, ids=tuple(int(i) for i in ids), tokens=tokens, bos=bool(bos))


def prompt_from_ids(
    tokenizer, ids: Sequence[int], *, n_ctx: int, vocab_size: int, display: Callable[[int], str]
) -> Prompt:
    """Take token ids as they are; no BOS is added. Raises PromptError for a bad id, none, or too many."""
    ids = tuple(ids)
    if not ids:
        raise PromptError(say("The list of token ids is empty. Give at least one."))
    for position, i in enumerate(ids):
        try:
            number = whole_number(i)
        except TypeError:
            raise PromptError(
                say(
                    "{value} at position {position} is not a token id. Ids are whole numbers.",
                    value=excerpt(i),
                    position=position,
                )
            ) from None
        _check_prompt_id(number, position, vocab_size)
    _check_length(len(ids), n_ctx, bos=False)
    ids = tuple(int(i) for i in ids)
    bos = tokenizer.bos_token_id is not None and ids[0] == tokenizer.bos_token_id
    tokens = tuple(display(i) for i in ids)
    if bos:
        tokens = (BOS_DISPLAY, *tokens[1:])
    return Prompt(text=tokenizer.decode(list(ids[bos:])), ids=ids, tokens=tokens, bos=bos)


def _check_prompt_id(token_id: int, position: int, vocab_size: int) -> None:
    if not 0 <= token_id < vocab_size:
        raise PromptError(
            say(
                "There is no token {id} (position {position}): the model has ids 0–{last}.",
                id=token_id,
                position=position,
                last=vocab_size - 1,
            )
        )


def _check_length(n_tokens: int, n_ctx: int, bos: bool) -> None:
    if n_tokens > n_ctx:
        raise PromptError(
            say(
                "The prompt has {tokens:,} tokens{counted}; this model reads at most {limit:,}. Shorten it by "
                "{excess:,}.",
                tokens=n_tokens,
                counted=say(", BOS included") if bos else "",
                limit=n_ctx,
                excess=n_tokens - n_ctx,
            )
        )


def align(first: Prompt, second: Prompt) -> Alignment:
    """Put two prompts side by side: column by column if equally long, else what they begin and end with alike first,
    and what lies between by its longest common runs."""
    a, b = first.ids, second.ids
    columns: list[tuple[int | None, int | None]] = []
    if len(a) == len(b):
        columns = [(i, i) for i in range(len(a))]
    else:
        # In a prompt that repeats itself the longest run is often one shifted by a period.
        shorter = min(len(a), len(b))
        head = next((n for n in range(shorter) if a[n] != b[n]), shorter)
        tail = next((n for n in range(shorter - head) if a[-1 - n] != b[-1 - n]), shorter - head)
        columns = [(n, n) for n in range(head)]
        middle = SequenceMatcher(None, a[head : len(a) - tail], b[head : len(b) - tail], autojunk=False)
        for _, i0, i1, j0, j1 in middle.get_opcodes():
            for n in range(max(i1 - i0, j1 - j0)):
                i, j = i0 + n if i0 + n < i1 else None, j0 + n if j0 + n < j1 else None
                columns.append((None if i is None else head + i, None if j is None else head + j))
        columns += [(len(a) - n, len(b) - n) for n in range(tail, 0, -1)]
    same = tuple(i is not None and j is not None and a[i] == b[j] for i, j in columns)
    return Alignment(columns=tuple(columns), same=same)


def resolve_answer(
    tokenizer,
    spec: "str | int | AnswerToken",
    *,
    vocab_size: int,
    prompt: Prompt | None = None,
    what: str = "answer",
) -> AnswerToken:
    """The single token that `spec` names.

    spec: a text, a token id, or an id written `#5335`. `Mary` and ` Mary` are different tokens: after a prompt
    that does not end in a space, a word typed without its leading space is read with it; the note says so
    and `other` holds the reading not chosen. what: the role it is wanted for, "answer", "contrast" or "target", as
    errors call it. Raises TokenError if `spec` is more than one token (showing the
    pieces) or none.
    """
    what = _ROLES.get(what, what)
    if isinstance(spec, AnswerToken):
        _check_id(spec.id, vocab_size, what)
        return spec
    if isinstance(spec, str) and re.fullmatch(r"#[0-9]{1,12}", spec):
        spec = int(spec[1:])
    if not isinstance(spec, str):
        return _answer(tokenizer, _check_id(spec, vocab_size, what))
    if not spec:
        raise TokenError(say("The {what} is empty. Type one token, such as “ Paris”.", what=what))
    chosen = _resolve_text(tokenizer, spec, prompt, what)
    _check_id(chosen.id, vocab_size, what)
    return chosen


def _check_id(token_id, vocab_size: int, what: str) -> int:
    try:
        number = whole_number(token_id)
    except TypeError:
        raise TokenError(
            say("The {what} is a text or a token id, not {value}.", what=what, value=excerpt(token_id))
        ) from None
    if not 0 <= number < vocab_size:
        raise TokenError(
            say(
                "There is no token {id} for the {what}: the model has ids 0–{last}.",
                id=number,
                what=what,
                last=vocab_size - 1,
            )
        )
    return number


def _resolve_text(tokenizer, text: str, prompt: Prompt | None, what: str) -> AnswerToken:
    as_typed = encode(tokenizer, text)
    toggled = text[1:] if text.startswith(" ") else " " + text
    other_ids = encode(tokenizer, toggled) if toggled.strip() else []
    after_space = prompt is not None and prompt.text[-1:].isspace()
    in_number = prompt is not None and prompt.text[-1:].isdigit() and text[0].isdigit()  # “… the year 17” + “45”
    begins_word = text[0].isalnum() and unicodedata.east_asian_width(text[0]) not in "WF"
    prefers_space = begins_word and not after_space and not in_number
    if prefers_space and len(other_ids) == 1:
        chosen, other = other_ids[0], as_typed
        chosen_answer = _answer(tokenizer, chosen)
        note = say("read with a leading space, as {token} (id {id})", token=chosen_answer.display, id=chosen)
    elif len(as_typed) == 1:
        chosen_answer, other = _answer(tokenizer, as_typed[0]), other_ids
        note = ""
    else:
        raise _too_many_pieces(tokenizer, text, other_ids if prefers_space else as_typed, what)
    if len(other) != 1:
        return AnswerToken(chosen_answer.id, chosen_answer.text, chosen_answer.display, note)
    second = _answer(tokenizer, other[0])
    choice = say("{token} (id {id}) is another token: type #{id}", token=second.display, id=second.id)
    note = joined([note, choice], "; ") if note else choice
    return AnswerToken(chosen_answer.id, chosen_answer.text, chosen_answer.display, note, second)


def _too_many_pieces(tokenizer, text: str, ids: list[int], what: str) -> TokenError:
    pieces = " · ".join(f"{display_token(tokenizer, i)} (id {i})" for i in ids[:12])
    pieces += " · …" if len(ids) > 12 else ""
    return TokenError(
        say(
            "The {what} “{text}” is {count} tokens: {pieces}. Name exactly one token; to ask about the first piece, "
            "type #{first}.",
            what=what,
            text=text[:80],
            count=len(ids),
            pieces=pieces,
            first=ids[0],
        )
    )


def _answer(tokenizer, token_id: int) -> AnswerToken:
    data = token_bytes(tokenizer, token_id)
    text = "" if data is None else data.decode("utf-8", "replace")
    return AnswerToken(id=token_id, text=text, display=display_token(tokenizer, token_id))
