"""Asking for tokens, and sending another before one expires."""

from __future__ import annotations

import asyncio
import base64
import inspect
import json
import time
from collections.abc import Callable
from typing import Any

from galop._types import TokenSource

_LEAST_S = 1.0
_RETRY_S = 10.0


class Renewal:
    """The tokens of one feed. At most one is in flight: an answer does not say which token it is about."""

    def __init__(
        self,
        source: TokenSource | None,
        say: Callable[[dict[str, Any]], None],
        tell: Callable[[str, str], None] | None,
    ) -> None:
        self._source = source
        self._say = say
        self._tell = tell
        #: What the node says of the token in flight: whether it has taken it.
        self._answer: asyncio.Future[bool] | None = None

    @property
    def is_renewable(self) -> bool:
        return callable(self._source)

    async def ask(self) -> str:
        """A token, or an empty text; raises what the source raises, and TypeError for what is no text."""
        if not callable(self._source):
            return self._source or ""
        given = self._source()
        token = await given if inspect.isawaitable(given) else given
        if not isinstance(token, str | None):
            raise TypeError(f"a token is a text, not {type(token).__name__}")
        return token or ""

    def is_answer(self, reason: str) -> bool:
        """Whether a refusal without an address is one of a token."""
        is_awaited = self._answer is not None and not self._answer.done()
        return reason.startswith("token_") or reason == "keys_awaited" or (reason == "invalid_header" and is_awaited)

    def answered(self, reason: str, message: str) -> None:
        """The node has taken a token (empty reason), or refused it."""
        if self._answer and not self._answer.done():
            self._answer.set_result(not reason)
        if self._tell:
            self._tell(reason, message)

    async def renew(self, token: str) -> None:
        """Sends another token when four fifths of what is left of one are over, until the node has taken it.

        The next is asked for after the answer to the one before, and is then the newest. Ends by being cancelled.
        """
        while self.is_renewable and (expires := _expiry_s(token)) is not None:
            await asyncio.sleep(max(_LEAST_S, (expires - time.time()) * 0.8))
            while True:
                try:
                    new = await self.ask()
                except Exception:
                    new = token  # asked again; if none comes in time, the node says why it ends
                if new and new != token:
                    self._answer = asyncio.get_running_loop().create_future()
                    self._say({"type": "token", "headers": {"token": new}})
                    if await self._answer:
                        token = new
                        break
                left = expires - time.time()
                await asyncio.sleep(min(_RETRY_S, max(_LEAST_S, left / 4)))
        await asyncio.Event().wait()


def _expiry_s(token: str) -> float | None:
    """When a JSON Web Token expires, in seconds since 1970; None for any other text."""
    try:
        payload = token.split(".")[1]
        expires = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["exp"]
        return float(expires)
    except (IndexError, KeyError, TypeError, ValueError):
        return None
