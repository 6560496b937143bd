"""What Gradio reads from the environment, put in order before Gradio is imported, and where the page is served."""

import os
import socket
from collections.abc import Mapping, MutableMapping

from ..core.errors import OptionError
from ..core.settings import Settings

PORT = "GRADIO_SERVER_PORT"
NUMBERS = (PORT, "GRADIO_NUM_PORTS", "GRADIO_NODE_NUM_PORTS")  # Gradio fails on import if one is no number


def prepare(env: MutableMapping[str, str] = os.environ) -> None:
    """Send no analytics unless asked to, and refuse what Gradio would stumble over. Raises OptionError."""
    env.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
    for name in NUMBERS:
        if name in env and not env[name].strip():
            del env[name]  # set to nothing is not set
        _number(name, env)


def address(settings: Settings, env: Mapping[str, str] = os.environ) -> tuple[str, int]:
    """(name, port): this machine only, unless it runs as a Space or is told a name. Raises OptionError."""
    name = env.get("GRADIO_SERVER_NAME") or ("0.0.0.0" if env.get("SPACE_ID") else "127.0.0.1")
    given = _number(PORT, env)
    variable, port = ("RESSTREAM_PORT", settings.port) if given is None else (PORT, given)
    if not 0 < port < 65536:
        raise OptionError(f"{variable} is {port}, which is no port: ports are 1–65535.")
    return name, port


def _number(name: str, env: Mapping[str, str]) -> int | None:
    text = env.get(name, "").strip()
    if text and not text.isdecimal():
        raise OptionError(f"{name} must be a whole number, not {text!r}.")
    return int(text) if text else None


def check_free(name: str, port: int) -> None:
    """Raise OptionError if nothing can be served there."""
    try:
        family, _, _, _, place = socket.getaddrinfo(name.strip("[]"), port, type=socket.SOCK_STREAM)[0]
        socket.create_server(place[:2], family=family).close()
    except OSError as error:
        raise not_free(name, port) from error


def not_free(name: str, port: int) -> OptionError:
    """What to say of an address that cannot be listened on."""
    return OptionError(
        f"The page cannot be served at {name}:{port}: the port is in use, or the address is none of this machine. "
        f"Choose a free port, with {PORT} or serve --port."
    )
