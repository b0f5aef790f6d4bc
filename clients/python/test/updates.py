"""What a feed says of updates, and makes of what a node answers; the node is the test. See renewal.py, which runs it."""

import asyncio
import unittest
from typing import Any
from unittest import mock

import galop
from galop import _feed

Message = dict[str, Any]


class UpdateTest(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.said: list[Message] = []
        self.feed = _feed.connect("http://127.0.0.1/live")
        for name, value in {"_say": self.said.append, "_socket": object()}.items():
            patch = mock.patch.object(self.feed, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.feed._enter(galop.Connection("live"))

    def hear(self, kind: str, **more: Any) -> None:
        self.feed._on_message({"type": kind, "address": "race/#", "body": {}, **more})

    def take(self) -> list[str]:
        kinds = [message["type"] for message in self.said]
        self.said.clear()
        return kinds

    async def ask(self, subscription: galop.Subscription, where: str) -> asyncio.Task[None]:
        update = asyncio.create_task(subscription.update(where=where))
        await asyncio.sleep(0)
        return update

    async def test_what_is_asked_in_silence_is_said_after_it(self) -> None:
        subscription = self.feed.subscribe("race/#")
        self.hear("live")
        self.feed._enter(galop.Connection("silent"))
        update = await self.ask(subscription, "data.n > 1")
        self.assertEqual(["register"], self.take())
        self.feed._on_message({"type": "pong"})
        self.assertEqual(["update"], self.take())
        self.hear("updated")
        await update
        self.feed._enter(galop.Connection("silent"))
        self.feed._on_message({"type": "pong"})
        self.assertEqual([], self.take(), "it is said once")
