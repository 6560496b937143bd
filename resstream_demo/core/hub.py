"""Getting a checkpoint's files, from the hub or its cache, and reading a folder of them.

Only safetensors are read and no code from a checkpoint is run. Whatever goes wrong becomes a ModelError that
says what to do.
"""

import errno
import json
from collections.abc import Callable
from pathlib import Path

from .errors import ModelError

FILES = [
    "config.json",
    "generation_config.json",
    "*.safetensors",
    "*.safetensors.index.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.json",
    "merges.txt",
    "special_tokens_map.json",
    "added_tokens.json",
]
FAMILIES = ("gpt2",)
_TOKENIZER_FILES = ("tokenizer.json", "vocab.json")
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")

Progress = Callable[[str, float | None], None]


def fetch(repo: str, *, revision: str | None, timeout: int, progress: Progress) -> tuple[Path, str | None]:
    """The folder with a hub repository's files, and its commit. The cache is used where it is complete; the hub
    is asked only otherwise. Raises ModelError."""
    cached = _cached(repo, revision)
    if cached is not None:
        return cached, cached.name
    progress(f"Asking the hub for {repo} …", None)
    folder = _download(repo, revision, timeout, progress)
    return folder, folder.name


def _cached(repo: str, revision: str | None) -> Path | None:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(repo, revision=revision, allow_patterns=FILES, local_files_only=True))
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError, ValueError):
        return None
    return folder if _complete(folder) else None


def _complete(folder: Path) -> bool:
    """Whether every file that reading needs is there, all shards included."""
    if not (folder / "config.json").exists() or not any((folder / name).exists() for name in _TOKENIZER_FILES):
        return False
    index = folder / "model.safetensors.index.json"
    if index.exists():
        try:
            shards = set(json.loads(index.read_text("utf-8"))["weight_map"].values())
        except (ValueError, KeyError, AttributeError):
            return False
        return all((folder / shard).exists() for shard in shards)
    return any(folder.glob("*.safetensors"))


def _download(repo: str, revision: str | None, timeout: int, progress: Progress) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError, RevisionNotFoundError

    try:
        return Path(snapshot_download(
            repo, revision=revision, allow_patterns=FILES, etag_timeout=timeout, tqdm_class=_bar(repo, progress)
        ))  # fmt: skip
    except RevisionNotFoundError:
        raise ModelError(
            f"The hub has no revision “{revision}” of {repo}. Leave the revision out, or name a commit."
        ) from None
    except RepositoryNotFoundError:
        raise ModelError(f"The hub has no repository {repo}, or it is private. Check the name.") from None
    except HfHubHTTPError as error:
        status = getattr(error.response, "status_code", "an error")
        raise ModelError(f"The hub answered {status} for {repo}. Wait a little and try again, or use tiny.") from error
    except OSError as error:
        raise _os_error(error, repo) from error
    except Exception as error:  # the hub's client raises its transport's own errors, which are many
        raise ModelError(
            f"{repo} could not be downloaded ({type(error).__name__}: {_first_line(error)}). Check the connection and "
            "try again: what has arrived is kept. The bundled model tiny needs no network."
        ) from error


def _os_error(error: OSError, repo: str) -> ModelError:
    if error.errno == errno.ENOSPC:
        return ModelError(f"The disk is full: {repo} could not be stored. Free some space and try again.")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return ModelError(f"The hub's cache cannot be written to ({error.filename}). Set HF_HOME to a folder that can.")
    return ModelError(
        f"{repo} is not in the cache, and the hub could not be reached ({type(error).__name__}). Connect to the "
        "network and try again, or use the bundled model tiny."
    )


def _bar(repo: str, progress: Progress):
    """A progress bar class that reports bytes to `progress` and prints nothing."""
    from tqdm.auto import tqdm

    class Reporter(tqdm):
        def __init__(self, *args, **kwargs):
            kwargs.pop("name", None)
            self._counts_bytes = kwargs.get("unit") == "B"
            super().__init__(*args, **{**kwargs, "disable": False, "file": _Nowhere()})

        def update(self, n=1):
            shown = super().update(n)
            if self._counts_bytes and self.total:
                size = f"{self.n / 1e6:,.0f} of {self.total / 1e6:,.0f} MB"
                progress(f"Downloading {repo}: {size}", min(1.0, self.n / self.total))
            return shown

    return Reporter


class _Nowhere:
    """A text stream that swallows what is written."""

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        pass


def read_folder(folder: Path, *, name: str, dtype, device) -> tuple[object, object]:
    """The transformers model (in evaluation mode, on `device`) and tokenizer of a local folder.

    Raises ModelError for a folder that does not exist, lacks a file, holds pickles only, is of another
    architecture, or is damaged, and when memory runs out.
    """
    import torch
    from safetensors import SafetensorError
    from transformers import AutoModelForCausalLM, AutoTokenizer

    _inspect(folder, name)
    try:
        hf_model = AutoModelForCausalLM.from_pretrained(
            folder, dtype=dtype, use_safetensors=True, trust_remote_code=False, local_files_only=True
        )
        hf_model = hf_model.eval().requires_grad_(False).to(device)
    except SafetensorError as error:
        raise ModelError(
            f"The weights of {name} are damaged ({_first_line(error)}). Delete its safetensors and get them again."
        ) from error
    except (MemoryError, torch.OutOfMemoryError) as error:
        raise ModelError(
            f"There is not enough memory for {name}. Choose a smaller model, or dtype bfloat16."
        ) from error
    except Exception as error:  # transformers raises many kinds for a bad checkpoint
        raise ModelError(
            f"{name} could not be read: {_first_line(error)}. Check its config.json and weights."
        ) from error
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=False, local_files_only=True)
    except Exception as error:
        raise ModelError(f"The tokenizer of {name} could not be read: {_first_line(error)}.") from error
    return hf_model, tokenizer


def _inspect(folder: Path, name: str) -> None:
    """Refuse a folder that cannot work before anything is loaded."""
    if not folder.is_dir():
        raise ModelError(f"There is no folder “{folder}”. Check the path, or name one of the known models.")
    config_file = folder / "config.json"
    if not config_file.exists():
        raise ModelError(f"“{name}” has no config.json, so it is not a transformers checkpoint folder.")
    try:
        kind = json.loads(config_file.read_text("utf-8")).get("model_type")
    except (ValueError, AttributeError):
        raise ModelError(f"The config.json of “{name}” is not valid JSON. Get the file again.") from None
    if kind not in FAMILIES:
        raise ModelError(f"“{name}” is a {kind!r} model. This tool reads {', '.join(FAMILIES)} models.")
    if not any(folder.glob("*.safetensors")):
        if any(file for pattern in _PICKLES for file in folder.glob(pattern)):
            raise ModelError(
                f"“{name}” holds its weights as a pickle, which can run code when opened and is never read here. "
                "Convert them to safetensors (save_pretrained does) and try again."
            )
        raise ModelError(f"“{name}” has no safetensors weights.")
    if not any((folder / file).exists() for file in _TOKENIZER_FILES):
        raise ModelError(
            f"“{name}” has no tokenizer files ({' or '.join(_TOKENIZER_FILES)}). Put them beside config.json."
        )


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:200].rstrip(".") if lines else type(error).__name__
