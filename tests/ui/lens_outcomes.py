"""Results of the lens tab, run without a page's events, for tests."""

from resstream_demo.core.settings import Settings
from resstream_demo.ui import session
from resstream_demo.ui.selection import Selection
from resstream_demo.ui.session import Inputs
from tests.models_under_test import CLEAN_TEXT, explored

SETTINGS = Settings()


def ready(answer=" Mary", contrast=" John", model=None) -> session.Ready:
    inputs = Inputs(CLEAN_TEXT, "", answer, contrast, "plain", True)
    return session.read_inputs(model or explored("plain"), inputs, SETTINGS)


def data_of(page, pinned=(), **options) -> dict:
    """The page's inputs as they are at first, but for some of the tab's options and what is pinned."""
    data = {component: getattr(component, "value", None) for component in page.everything()}
    data |= {getattr(page.lens, name): value for name, value in options.items()}
    return {**data, page.selection: Selection(pinned=pinned)}


def outcome_of(page, pinned=(), asked=None, **options):
    return page.lens.run(asked or ready(), data_of(page, pinned, **options))
