"""Getting a checkpoint's files from the hub, or from its cache.

The cache is used where it is complete, without a word to the hub. Otherwise the files are fetched one by one, the
weights last, so that weights in the cache mean that everything else is there too, and a checkpoint that cannot be
read is refused before its weights are fetched. Whatever goes wrong becomes a ModelError that says what to do.
"""

import errno
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .checkpoint import CONFIG, WEIGHTS, WEIGHTS_INDEX, check_family, check_files, complete, first_line
from .errors import ModelError
from .words import Say, joined, say

_SMALL_FILES = (
    CONFIG,
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.json",
    "merges.txt",
    "special_tokens_map.json",
    "added_tokens.json",
)
_UNWRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST)
_OR_TINY = say("The bundled model tiny needs no network.")

Progress = Callable[[str, float | None], None]


def fetch(repo: str, *, revision: str | None, timeout: int, progress: Progress) -> tuple[Path, str]:
    """The folder with a hub repository's files, and its commit.

    timeout: seconds the hub may take to answer. progress: called with a sentence and, where known, the share done.
    Raises ModelError.
    """
    cached = _cached(repo, revision)
    if cached is not None:
        return cached, cached.name
    progress(say("Asking the hub for {repo} …", repo=repo), None)
    try:
        folder = _download(repo, revision, timeout, progress)
    except ModelError:
        raise
    except Exception as error:  # the hub's client raises its own errors, its transport's and the system's
        raise ModelError(_sentence(error, repo, revision, timeout)) from error
    return folder, folder.name


def _cached(repo: str, revision: str | None) -> Path | None:
    from huggingface_hub import snapshot_download

    try:
        folder = Path(snapshot_download(repo, revision=revision, allow_patterns=_SMALL_FILES, local_files_only=True))
        return folder if complete(folder) else None
    except (OSError, ValueError):  # not there, or not readable: the hub is asked, which says what is wrong
        return None


def _download(repo: str, revision: str | None, timeout: int, progress: Progress) -> Path:
    from huggingface_hub import HfApi, hf_hub_download

    info = HfApi().model_info(repo, revision=revision, timeout=timeout, files_metadata=True)
    sizes = {file.rfilename: file.size or 0 for file in info.siblings or ()}
    check_files(sizes, repo)
    wanted = _in_order(sizes)
    bytes_done = _Bytes(repo, sum(sizes[file] for file in wanted), progress)
    folder = None
    for file in wanted:
        # The first file is asked for by the revision's name, so that the cache learns which commit that is.
        asked = revision if folder is None else folder.name
        path = hf_hub_download(repo, file, revision=asked, etag_timeout=timeout, tqdm_class=bytes_done.bar())
        bytes_done.finished(sizes[file])
        if folder is None:
            folder = Path(path).parent
            check_family(folder, repo)
    return folder


def _in_order(names) -> list[str]:
    """The files to fetch: config.json first, weights last."""
    weights = [WEIGHTS]
    if WEIGHTS not in names:
        weights = [WEIGHTS_INDEX, *sorted(name for name in names if name.endswith(".safetensors") and "/" not in name)]
    return [name for name in (*_SMALL_FILES, *weights) if name in names]


@dataclass
class _Bytes:
    """Counts what has arrived of all files together and reports it."""

    repo: str
    total: int
    progress: Progress
    done: int = 0

    def finished(self, size: int) -> None:
        """One more file is there, whether it was fetched or had been before."""
        self.done += size

    def report(self, of_this_file: float) -> None:
        done = min(self.done + of_this_file, self.total)
        if self.total:
            sentence = say(
                "Downloading {repo}: {done:,.0f} of {total:,.0f} MB",
                repo=self.repo,
                done=done / 1e6,
                total=self.total / 1e6,
            )
            self.progress(sentence, done / self.total)

    def bar(self) -> type:
        """A progress bar class for the hub's client that prints nothing."""
        from tqdm.auto import tqdm

        report = self.report

        class Silent(tqdm):
            def __init__(self, *args, **kwargs):
                kwargs.pop("name", None)
                super().__init__(*args, **{**kwargs, "disable": False, "file": _Nowhere()})

            def update(self, n=1):
                shown = super().update(n)
                report(self.n)
                return shown

        return Silent


class _Nowhere:
    """A text stream that swallows what is written."""

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        pass


def _sentence(error: BaseException, repo: str, revision: str | None, timeout: int) -> Say:
    """What to tell a person about an error of the hub's client.

    Errors are told apart by the names of their classes: the client has changed its transport more than once, and the
    transport's classes with it.
    """
    if isinstance(error, OSError) and error.errno is not None:
        return _system_sentence(error, repo)
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if "LocalEntryNotFoundError" in kinds and error.__cause__ is not None:
        return _sentence(error.__cause__, repo, revision, timeout)
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status is not None:
        return _status_sentence(status, kinds, repo, revision)
    return joined([_silent_sentence(error, kinds, repo, timeout), _OR_TINY])


def _silent_sentence(error: BaseException, kinds: set[str], repo: str, timeout: int) -> Say:
    """Of an error for which the hub has given no status."""
    if "OfflineModeIsEnabled" in kinds:
        return say("{repo} is not in the cache, and HF_HUB_OFFLINE forbids asking the hub. Unset it once.", repo=repo)
    if "TimeoutException" in kinds:
        return say(
            "The hub did not answer for {repo} within {timeout} seconds. Try again later.", repo=repo, timeout=timeout
        )
    if "ConnectError" in kinds or "ProxyError" in kinds:
        return say(
            "{repo} is not in the cache, and the hub could not be reached. Connect to the network and try again.",
            repo=repo,
        )
    if "FileMetadataError" in kinds or isinstance(error, ValueError):
        return say(
            "What answered for {repo} is not the hub. A proxy, a login page of the network or HF_ENDPOINT may stand in "
            "between.",
            repo=repo,
        )
    if "TransportError" in kinds or isinstance(error, OSError):
        return say(
            "The download of {repo} broke off before it was complete. Try again: whole files are kept.", repo=repo
        )
    reason = f"{type(error).__name__}: {first_line(error)}"
    return say("{repo} could not be downloaded ({reason}). Try again.", repo=repo, reason=reason)


def _status_sentence(status: int, kinds: set[str], repo: str, revision: str | None) -> Say:
    if "RevisionNotFoundError" in kinds:
        return say(
            "The hub has no revision “{revision}” of {repo}. Leave the revision out, or name a commit.",
            revision=revision,
            repo=repo,
        )
    if "GatedRepoError" in kinds:
        return say(
            "{repo} is gated. Accept its terms on its page, and set HF_TOKEN to a token that may read it.", repo=repo
        )
    if status in (401, 403):
        return say(
            "The hub refuses access to {repo} ({status}): it is private, or the token in use is not valid. Check "
            "HF_TOKEN, or log out.",
            repo=repo,
            status=status,
        )
    if status == 404:
        return say("The hub has no repository {repo}, or it is private. Check the name.", repo=repo)
    if status == 429:
        trouble = say(
            "The hub has had too many requests from here ({status}). Wait a few minutes and try again.", status=status
        )
    else:
        trouble = say(
            "The hub has trouble of its own (it answered {status} for {repo}). Wait a little and try again.",
            status=status,
            repo=repo,
        )
    return joined([trouble, _OR_TINY])


def _system_sentence(error: OSError, repo: str) -> Say:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return say("The disk is full: {repo} could not be stored. Free some space and try again.", repo=repo)
    if error.errno in _UNWRITABLE:
        return say(
            "{repo} could not be stored: the hub's cache cannot be written to ({file}). Set HF_HOME to a folder that "
            "can.",
            repo=repo,
            file=error.filename,
        )
    return say(
        "{repo} could not be stored ({reason}). Check the hub's cache, or set HF_HOME to another folder.",
        repo=repo,
        reason=error.strerror,
    )
