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

    async def close_while_an_update_is_said(self) -> None:
        earlier = self.feed.subscribe("race/#")
        self.hear("live")
        update = await self.ask(earlier, "data.n > 1")
        earlier.close()
        with self.assertRaises(galop.FeedError):
            await update
        self.assertEqual(["register", "update", "unregister"], self.take())

    async def test_an_earlier_update_is_not_taken_for_the_own(self) -> None:
        await self.close_while_an_update_is_said()
        subscription = self.feed.subscribe("race/#")
        update = await self.ask(subscription, "data.n > 2")
        self.hear("updated", body={"maxRate": 1})
        self.assertEqual(galop.Caps(), subscription.caps)
        self.hear("live")
        self.assertEqual(["register", "update"], self.take())
        await asyncio.sleep(0)
        self.assertFalse(update.done())
        self.hear("updated", body={"maxRate": 2})
        await update
        self.assertEqual(2, subscription.caps.max_rate)

    async def test_an_earlier_refusal_does_not_end_the_next(self) -> None:
        for reason in ("invalid_header", "max_handlers_reached", "not_registered"):
            await self.close_while_an_update_is_said()
            subscription = self.feed.subscribe("race/#")
            update = await self.ask(subscription, "data.n > 2")
            self.hear("err", body=reason, message="m")
            if "register" in self.take()[1:]:
                self.hear("live")
                self.hear("err", body="address_already_registered", message="m")
            else:
                self.hear("live")
            self.assertEqual("live", subscription.status.state, reason)
            self.assertEqual(["update"], self.take())
            self.hear("updated")
            await update
            subscription.close()
            self.take()

    async def test_a_refusal_of_the_next_ends_it(self) -> None:
        """The earlier update was not answered, as it ended before."""
        await self.close_while_an_update_is_said()
        subscription = self.feed.subscribe("race/#")
        for _ in range(2):
            self.hear("err", body="invalid_header", message="m")
        self.assertEqual(["register", "register", "unregister"], self.take())
        self.assertEqual("invalid_header", subscription.status.reason)

    async def test_a_refusal_of_an_earlier_registration_does_not_end_the_next(self) -> None:
        self.feed.subscribe("race/#", where="data.").close()
        for _ in range(2):  # of the next one as well, which asked twice and ended before it was answered
            subscription = self.feed.subscribe("race/#")
            self.take()
            self.hear("err", body="invalid_header", message="m")
            self.assertEqual(["register"], self.take(), "it may be its own")
            subscription.close()
        subscription = self.feed.subscribe("race/#")
        self.hear("err", body="address_already_registered", message="m")
        self.hear("live")
        self.assertEqual("live", subscription.status.state)

    async def test_refusals_of_several_earlier_registrations_do_not_end_the_next(self) -> None:
        for is_asked_twice in (False, True):
            self.feed.subscribe("race/#", where="data.").close()
            second = self.feed.subscribe("race/#", where="data.n >")
            if is_asked_twice:
                self.hear("err", body="invalid_header", message="of the first")
            second.close()
            subscription = self.feed.subscribe("race/#")
            self.take()
            for _ in range(2):
                self.hear("err", body="invalid_header", message="of the first or second")
                self.assertEqual(["register"], self.take(), "it may be its own")
            self.hear("live")
            for _ in range(2):
                self.hear("err", body="address_already_registered", message="m")
            self.assertEqual("live", subscription.status.state)
            subscription.close()

    async def test_a_refusal_that_nobody_waits_for_counts_once(self) -> None:
        self.feed.subscribe("race/#", where="data.").close()
        self.hear("err", body="invalid_header", message="m")
        subscription = self.feed.subscribe("race/#", where="data.")
        self.hear("err", body="invalid_header", message="m")
        self.assertEqual("closed", subscription.status.state)

    async def test_a_refusal_that_is_answered_counts_once(self) -> None:
        for _ in range(2):
            subscription = self.feed.subscribe("race/#", where="data.")
            self.hear("err", body="invalid_header", message="m")
            self.assertEqual(["register", "unregister"], self.take())
            self.assertEqual("closed", subscription.status.state)

    async def test_after_two_gaps_in_the_middle_the_positions_of_other_shards_are_kept(self) -> None:
        subscription = self.feed.subscribe("race/#")
        self.hear("live", pos="1.1-5,2.1-7")
        for _ in range(2):
            self.hear("resumed", complete=False)
        self.assertEqual("1.1-5,2.1-7", subscription._register()["headers"]["since"])
        self.hear("resumed", complete=False)
        self.assertEqual("", subscription._register()["headers"]["since"], "after a resume in vain they mean nothing")
