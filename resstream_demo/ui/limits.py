"""A limit on the size of requests: Gradio itself reads bodies of any size."""

import json

from ..core.settings import Settings


def body_limit(settings: Settings) -> int:
    """Bytes that a request may have: two prompts in the widest encoding, and room for everything else."""
    return 128 * 1024 + 2 * 12 * settings.max_chars


class BodyLimit:
    """ASGI middleware that answers 413 to a body over `limit` bytes, without reading it to its end."""

    def __init__(self, app, limit: int):
        self.app, self.limit = app, limit

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        declared = headers.get(b"content-length", b"0")
        if declared.isdigit() and int(declared) > self.limit:
            await self._refuse(send)
            return
        await self._counted(scope, receive, send)

    async def _counted(self, scope, receive, send) -> None:
        """Pass the request on, but stop as soon as an undeclared body grows too large."""
        seen, started = 0, False

        async def count():
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self.limit:
                raise _TooLarge
            return message

        async def watch(message):
            nonlocal started
            if seen <= self.limit:  # an answer to a body cut short would blame the body
                started = True
                await send(message)

        try:
            await self.app(scope, count, watch)
        except _TooLarge:
            pass
        if seen > self.limit and not started:
            await self._refuse(send)

    async def _refuse(self, send) -> None:
        sentence = f"What was sent is too large: at most {self.limit:,} bytes are read. Shorten the prompts."
        text = json.dumps({"detail": sentence, "error": sentence}).encode()  # where Gradio's clients look for reasons
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(text)).encode())]
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send({"type": "http.response.body", "body": text})


class _TooLarge(Exception):
    pass
