"""Long work with a voice: a job runs on a thread of its own while its progress goes to the page."""

import threading
from collections.abc import Callable, Generator
from typing import Any

STEP = 0.25  # seconds between two looks at the progress

Report = Callable[[str], None]


class Abandoned(Exception):
    """Raised inside a job whose visitor has left or pressed Stop."""


def working(job: Callable[[Report], Any], draw: Callable[[str], Any]) -> Generator[Any, None, Any]:
    """Run `job(report)`; yield `draw(sentence)` whenever there is news; return what the job returns.

    If the generator is closed, the job's next report raises Abandoned, so that nothing runs on for nobody. An
    exception of the job is raised here.
    """
    news: list[str] = []
    outcome: dict[str, Any] = {}
    done, abandoned = threading.Event(), threading.Event()

    def report(sentence: str) -> None:
        if abandoned.is_set():
            raise Abandoned
        news[:] = [sentence]

    def run() -> None:
        try:
            outcome["result"] = job(report)
        except BaseException as error:  # handed to the waiting side
            outcome["error"] = error
        finally:
            done.set()

    threading.Thread(target=run, daemon=True).start()
    try:
        said = ""
        while not done.wait(STEP):
            if news and news[0] != said:
                said = news[0]
                yield draw(said)
    finally:
        abandoned.set()
    if "error" in outcome:
        raise outcome["error"]
    return outcome["result"]
