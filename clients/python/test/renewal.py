"""When tokens are asked for and sent, on a clock that does not wait.

ClientConformanceIT runs it, and with it the cases of the files beside it.
"""

import asyncio
import base64
import json
import time
import unittest
from typing import Any
from unittest import mock

from galop import _feed
from past import PastTest
from updates import UpdateTest

__all__ = ["PastTest", "RenewalTest", "UpdateTest"]


def token(number: int) -> str:
    claims = json.dumps({"n": number, "exp": time.time() // 1000 * 1000 + 9000})
    return f"e30.{base64.urlsafe_b64encode(claims.encode()).decode().rstrip('=')}.c2ln"


class RenewalTest(unittest.IsolatedAsyncioTestCase):
    async def test_one_token_is_in_flight_at_a_time(self) -> None:
        """For an answer does not say which token it is about."""
        asked = 0
        said: list[str] = []

        def source() -> str:
            nonlocal asked
            asked += 1
            return token(asked)

        def say(message: dict[str, Any]) -> None:
            said.append(message["headers"]["token"])

        real_sleep = asyncio.sleep

        async def turn() -> None:
            for _ in range(20):
                await real_sleep(0)

        feed = _feed.connect("http://127.0.0.1/live", token=source)
        with mock.patch.object(feed, "_say", say), mock.patch("asyncio.sleep", lambda _: real_sleep(0)):
            renewal = asyncio.create_task(feed._tokens.renew(token(0)))
            await turn()
            self.assertEqual([token(1)], said)
            self.assertEqual(1, asked, "whoever waits for an answer asks for no other token")
            feed._tokens.answered("keys_awaited", "m")
            feed._tokens.answered("", "")  # to nothing that is in flight
            await turn()
            self.assertEqual([token(1), token(2)], said, "what was refused is followed by the newest")
            feed._tokens.answered("", "")
            await turn()
            self.assertEqual(3, asked)
            renewal.cancel()

    async def test_what_is_no_token_is_asked_for_again(self) -> None:
        """And an answer to what is in flight need not name tokens."""
        given: list[Any] = ["", None, b"token", token(1), token(2)]
        said: list[Any] = []
        told: list[str] = []
        has_said = asyncio.Event()

        def say(message: dict[str, Any]) -> None:
            said.append(message["headers"]["token"])
            has_said.set()

        real_sleep = asyncio.sleep
        feed = _feed.connect("http://127.0.0.1/live", token=lambda: given.pop(0), on_token=lambda *why: told.append(why[0]))
        with mock.patch.object(feed, "_say", say), mock.patch("asyncio.sleep", lambda _: real_sleep(0)):
            renewal = asyncio.create_task(feed._tokens.renew(token(0)))
            for number in (1, 2):
                await asyncio.wait_for(has_said.wait(), 20)
                has_said.clear()
                self.assertEqual(token(number), said[-1])
                feed._on_message({"type": "err", "body": "invalid_header", "message": "m"})
                feed._on_message({"type": "err", "body": "invalid_header", "message": "of something else"})
                self.assertEqual(["invalid_header"] * number, told)
            self.assertEqual(2, len(said))
            renewal.cancel()


unittest.main()
