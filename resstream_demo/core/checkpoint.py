"""Reading a folder with a checkpoint in it: config.json, safetensors, tokenizer files.

Only safetensors are read and no code from a checkpoint is run. Whatever is wrong with a folder becomes a ModelError
that says what to do.
"""

import json
import os
import re
from collections.abc import Collection
from pathlib import Path

from .errors import ModelError, out_of_memory
from .words import joined, say

CONFIG, WEIGHTS, WEIGHTS_INDEX = "config.json", "model.safetensors", "model.safetensors.index.json"
FAMILIES = ("gpt2",)
_TOKENIZERS = (("tokenizer.json",), ("vocab.json", "merges.txt"))  # either set of files is a tokenizer
_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")
_A_LAYERS_OWN = re.compile(r"(^|\.)h\.\d+\.(?!.*attn\.(masked_)?bias$)")  # old files hold causal masks as attn.bias
_MOST_NAMED = 3  # tensors named in a message


def read_folder(folder: Path, *, name: str, dtype, device) -> tuple[object, object]:
    """The transformers model (in evaluation mode, on `device`) and tokenizer of a local folder.

    Raises ModelError for a folder that does not exist, lacks a file, holds pickles only, is of another
    architecture, or is damaged, and when memory runs out.
    """
    if not os.path.isdir(folder):  # unlike Path's own, false for a name too long for the system
        raise ModelError(
            say(
                "There is no folder “{folder}”. Check the path, or name one of the known models.",
                folder=str(folder)[:200],
            )
        )
    check_files({file.name for file in folder.iterdir()}, name)
    check_family(folder, name)
    return _read_weights(folder, name, dtype, device), _read_tokenizer(folder, name)


def check_files(names: Collection[str], name: str) -> None:
    """Refuse a checkpoint whose file names show that it cannot be read. Raises ModelError."""
    if CONFIG not in names:
        raise ModelError(say("“{name}” has no config.json, so it is not a transformers checkpoint.", name=name))
    if not any(file.endswith(".safetensors") for file in names):
        if any(file.endswith(_PICKLES) for file in names):
            raise ModelError(
                say(
                    "“{name}” holds its weights as a pickle, which can run code when opened and is never read here. "
                    "Convert them to safetensors (save_pretrained does) and try again.",
                    name=name,
                )
            )
        raise ModelError(say("“{name}” has no safetensors weights. Add them, or choose another model.", name=name))
    if not has_tokenizer(names):
        wanted = joined((joined(files, " with ") for files in _TOKENIZERS), " or ")
        raise ModelError(
            say("“{name}” has no tokenizer files ({wanted}). Put them beside config.json.", name=name, wanted=wanted)
        )


def has_tokenizer(names: Collection[str]) -> bool:
    """Whether the files that make a tokenizer are among `names`."""
    return any(all(file in names for file in files) for files in _TOKENIZERS)


def check_family(folder: Path, name: str) -> None:
    """Refuse an architecture that this package does not read. Raises ModelError."""
    try:
        kind = json.loads((folder / CONFIG).read_text("utf-8")).get("model_type")
    except (OSError, ValueError, AttributeError, RecursionError):
        raise ModelError(
            say("The config.json of “{name}” cannot be read as JSON. Get the file again.", name=name)
        ) from None
    if kind not in FAMILIES:
        raise ModelError(
            say(
                "“{name}” is a {kind} model. This tool reads {families} models.",
                name=name,
                kind=repr(kind),
                families=joined(FAMILIES, ", "),
            )
        )


def complete(folder: Path) -> bool:
    """Whether every file that reading needs is there, all shards included."""
    names = {file.name for file in folder.iterdir() if file.exists()}  # a link to a file that is gone does not exist
    if CONFIG not in names or not has_tokenizer(names):
        return False
    if WEIGHTS_INDEX not in names:
        return WEIGHTS in names
    try:
        shards = set(json.loads((folder / WEIGHTS_INDEX).read_text("utf-8"))["weight_map"].values())
    except (ValueError, KeyError, AttributeError):
        return False
    return shards <= names


def _read_weights(folder: Path, name: str, dtype, device):
    from safetensors import SafetensorError
    from transformers import AutoModelForCausalLM

    try:
        hf_model, report = AutoModelForCausalLM.from_pretrained(
            folder,
            dtype=dtype,
            use_safetensors=True,
            trust_remote_code=False,
            local_files_only=True,
            output_loading_info=True,
            ignore_mismatched_sizes=True,  # reported, and refused below by name
        )
        hf_model = hf_model.eval().requires_grad_(False).to(device)
    except SafetensorError as error:
        raise ModelError(
            say(
                "The weights of {name} are damaged or cut short. Delete {file} and get it again.",
                name=name,
                file=_damaged(folder),
            )
        ) from error
    except Exception as error:  # transformers raises many kinds for a bad checkpoint
        if out_of_memory(error):
            raise ModelError(
                say("There is not enough memory for {name}. Choose a smaller model, or dtype bfloat16.", name=name)
            ) from error
        raise ModelError(
            say(
                "{name} could not be read: {reason}. Check its config.json and weights.",
                name=name,
                reason=first_line(error),
            )
        ) from error
    # The first two kinds of tensor have been filled with random numbers, the third would be left out unnoticed.
    unused = [key for key in report["unexpected_keys"] if _A_LAYERS_OWN.search(key)]
    faults = (
        (report["missing_keys"], say("missing")),
        (report["mismatched_keys"], say("of another size")),
        (unused, say("not used")),
    )
    for keys, fault in faults:
        names = sorted(key if isinstance(key, str) else key[0] for key in keys)
        if names:
            more = ["…"] if len(names) > _MOST_NAMED else []
            raise ModelError(
                say(
                    "The weights of {name} do not fit its config.json; tensors {fault}: {named}. Get the checkpoint "
                    "again, or correct its config.json.",
                    name=name,
                    fault=fault,
                    named=joined([*names[:_MOST_NAMED], *more], ", "),
                )
            )
    return hf_model


def _damaged(folder: Path) -> Path:
    """The file that cannot be opened, where it really lies: the hub's cache holds links to it."""
    from safetensors import SafetensorError, safe_open

    for file in sorted(folder.glob("*.safetensors")):
        try:
            with safe_open(file, framework="pt"):
                continue
        except SafetensorError:
            return file.resolve()
    return folder


def _read_tokenizer(folder: Path, name: str):
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(folder, trust_remote_code=False, local_files_only=True)
    except Exception as error:
        raise ModelError(
            say(
                "The tokenizer of {name} could not be read: {reason}. Get its tokenizer files again.",
                name=name,
                reason=first_line(error),
            )
        ) from error


def first_line(error: BaseException) -> str:
    """The first line of an error's text, short enough for a sentence."""
    lines = str(error).strip().splitlines()
    return lines[0][:200].rstrip(".") if lines else type(error).__name__
