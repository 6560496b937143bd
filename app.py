"""Start the page: `python app.py` opens it on http://127.0.0.1:7860, and a Space runs the same file."""

import os
import sys

if os.environ.get("SPACES_ZERO_GPU"):  # must come before torch
    import spaces  # noqa: F401

from resstream_demo.core.errors import ExplorerError

if __name__ == "__main__":
    try:
        from resstream_demo.ui.app import serve  # reads the environment, too

        serve()
    except ExplorerError as error:
        sys.exit(f"error: {error}")
