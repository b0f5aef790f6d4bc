"""One filter that is watched, and the bounded queue between feed and program."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from typing import Any

from galop._types import Caps, FeedError, Policy, Position, Record, Status, TopicAge

Message = dict[str, Any]

#: Refusals of an update; the registration goes on as it was.
_UPDATE_REFUSALS = ("invalid_header", "max_handlers_reached", "not_registered")


class Subscription(AsyncIterator[Record]):
    """Iterate over it for its records. The loop raises FeedError when it ends otherwise than by `close`."""

    def __init__(
        self,
        filter: str,
        headers: Message,
        max_queue: int,
        policy: Policy,
        on_status: Callable[[Status], None] | None,
        on_topic: Callable[[TopicAge], None] | None,
        on_capped: Callable[[Caps], None] | None,
        unregister: Callable[[Subscription], None],
        say: Callable[[Message], None],
    ) -> None:
        if max_queue < 1:
            raise ValueError(f"max_queue must be at least 1, not {max_queue}")
        if policy not in ("end", "drop-oldest", "latest"):
            raise ValueError(f"policy must be 'end', 'drop-oldest' or 'latest', not {policy!r}")
        self.filter = filter
        #: How many records went, as the queue was full.
        self.missed = 0
        self._headers = headers
        self._max_queue = max_queue
        self._policy = policy
        self._on_status = on_status
        self._on_topic = on_topic
        self._on_capped = on_capped
        self._unregister = unregister
        self._say = say
        self._update: Message = {}
        self._answer: asyncio.Future[None] | None = None
        #: Over this connection: what the node refuses may be the update.
        self._is_update_said = False
        #: Said over this connection since the node last told that it is live.
        self._unanswered_registers = 0
        self._status = Status("joining")
        self._waiting: OrderedDict[str | int, Record] = OrderedDict()
        self._numbers = 0
        self._has_come = asyncio.Event()
        self._queue_has_gap = False
        self._failure: FeedError | None = None
        self._positions: dict[int, Position] = {}
        self._is_settled = False
        self._is_resuming = False
        self._is_catching_up = True
        self._is_cut_off = False
        self._is_connected = False
        self._was_connected = False
        self._is_after_gap = False
        self._caps = Caps()
        self._are_caps_told = False

    @property
    def status(self) -> Status:
        return self._status

    @property
    def caps(self) -> Caps:
        """What operators' caps leave of it, as far as the node has told."""
        return self._caps

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> Record:
        while not self._waiting:
            if self._status.state == "closed":
                if self._failure:
                    raise self._failure
                raise StopAsyncIteration
            self._has_come.clear()
            await self._has_come.wait()
        record = self._waiting.popitem(last=False)[1]
        if self._queue_has_gap:
            self._queue_has_gap = False
            return replace(record, after_gap=True)
        return record

    def close(self) -> None:
        """Ends it; the loop over it ends as well."""
        if self._status.state != "closed":
            self._waiting.clear()
            self._unregister(self)
            self._end(None)

    async def update(
        self,
        *,
        where: str | None = None,
        fields: Sequence[str] | None = None,
        max_rate: float | None = None,
        max_bytes_per_second: int | None = None,
    ) -> None:
        """Changes what of the records is wanted and how much, without a gap or a second snapshot.

        What is None stays; an empty text or list and 0 end a wish. Returns when all that follows is by the new wishes.
        Raises FeedError if the node refuses them, and all stays as it was. One change at a time.
        """
        if self._answer or self._status.state == "closed":
            reason = "update_pending" if self._answer else "closed"
            raise FeedError(reason, f"{self.filter!r} takes no update now")
        wishes: Message = {"where": where, "fields": None if fields is None else ",".join(fields)}
        wishes |= {"maxRate": max_rate, "maxBytesPerSecond": max_bytes_per_second}
        self._update = {name: wish or "" for name, wish in wishes.items() if wish is not None}
        self._answer = asyncio.get_running_loop().create_future()
        self._is_update_said = False
        self._say_update()
        await asyncio.shield(self._answer)

    def _say_update(self) -> None:
        """If one waits, and the node can answer it now; else it is said when the node can."""
        if self._answer and not self._is_update_said and self._is_connected and not self._is_catching_up:
            self._is_update_said = True
            self._say({"type": "update", "address": self.filter, "headers": self._update})

    def _owes_answer(self) -> bool:
        return self._answer is not None and self._is_update_said

    def _count_unanswered(self) -> int:
        """How many refusals of it, and of its update, may be on their way."""
        return self._unanswered_registers + int(self._owes_answer())

    def _on_updated(self, caps: Caps) -> None:
        if self._answer and self._is_update_said:  # else it is of an earlier one of this filter
            self._set_caps(caps)
            headers = self._headers | self._update
            self._headers = {name: wish for name, wish in headers.items() if wish != ""}
            self._answer.set_result(None)
            self._answer = None

    def _is_update_refused(self, reason: str, message: str) -> bool:
        """Then all stays as it was."""
        if reason not in _UPDATE_REFUSALS:
            return False
        if self._owes_answer():
            self._fail_update(FeedError(reason, message))
            return True
        return reason == "not_registered"

    def _fail_update(self, failure: FeedError) -> None:
        if self._answer:
            self._answer.set_exception(failure)
            self._answer.exception()  # whoever asked may be gone
            self._answer = None

    async def aclose(self) -> None:
        """Ends it, for ``contextlib.aclosing``."""
        self.close()

    async def __aenter__(self) -> Subscription:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def _end(self, failure: FeedError | None) -> None:
        if self._status.state == "closed":
            return
        self._fail_update(failure or FeedError("closed", "it is over"))
        self._failure = failure
        if failure:
            self._tell(Status("closed", failure.reason, failure.message, failure.code))
        else:
            self._tell(Status("closed"))
        self._has_come.set()

    def _register(self) -> Message:
        """Resumes from the Positions, unless the first snapshot is not over: topics beyond it would be missed."""
        headers = dict(self._headers)
        if self._is_settled or not headers.get("snapshot"):
            headers["since"] = ",".join(map(str, self._positions.values()))
        else:
            self._positions.clear()
        self._is_resuming = bool(headers.get("since"))
        self._is_catching_up = True
        self._are_caps_told = False
        self._is_update_said = False
        self._unanswered_registers += 1
        return {"type": "register", "address": self.filter, "headers": headers}

    def _advance(self, text: str) -> Position | None:
        position = Position.parse(text)
        if position and position > self._positions.get(position.shard, (-1,)):
            self._positions[position.shard] = position
        return position

    def _on_record(self, message: Message) -> None:
        body, headers = message["body"], message["headers"]
        record = Record(
            topic=headers["topic"],
            id=body["id"],
            time=body["time"],
            data=body["data"],
            position=self._advance(headers.get("pos", "")),
            age_ms=headers.get("age"),
            stale=headers.get("stale") is True,
            catching_up=self._is_catching_up,
            after_gap=self._is_after_gap,
        )
        self._is_after_gap = False
        if self._policy == "latest":
            key: str | int = record.topic
        else:
            key = self._numbers = self._numbers + 1
        replaced = self._waiting.pop(key, None)
        if replaced and replaced.after_gap:  # else nobody would see that there was a gap before it
            record = replace(record, after_gap=True)
        if len(self._waiting) >= self._max_queue:
            self._overflow()
        if self._status.state != "closed":
            self._waiting[key] = record
            self._has_come.set()

    def _overflow(self) -> None:
        if self._policy == "end":
            self._unregister(self)
            many = f"{self._max_queue} records wait for the program, which is too slow"
            self._end(FeedError("slow_consumer", many))
            return
        self._waiting.popitem(last=False)
        self.missed += 1
        if not self._queue_has_gap:
            self._queue_has_gap = True
            self._tell(Status("gap", "slow_consumer"))
            self._restate()

    def _on_word(self, message: Message) -> None:
        kind = message["type"]
        topic = message.get("headers", {}).get("topic")
        if kind == "resumed":
            self._on_resumed(message.get("complete") is True)
        elif kind == "live":
            for text in message.get("pos", "").split(","):
                self._advance(text)
            self._is_catching_up = self._is_resuming = False
            self._is_settled = True
            self._unanswered_registers = 0
            if not self._are_caps_told:
                self._set_caps(Caps())  # a new connection, or node, would have told of caps before
            if message.get("partial") is True:
                self._tell(Status("gap", "partial"))
            self._restate()
            self._say_update()
        elif kind == "updated":
            self._on_updated(Caps._of(message["body"]))
        elif kind == "capped":
            self._set_caps(Caps._of(message["body"]))
        elif topic is not None:
            if self._on_topic:
                self._on_topic(TopicAge(topic, kind == "stale"))
        else:
            self._is_cut_off = kind == "stale"
            self._restate()

    def _set_caps(self, caps: Caps) -> None:
        self._are_caps_told = True
        if caps != self._caps:
            self._caps = caps
            if self._on_capped:
                self._on_capped(caps)

    def _on_resumed(self, complete: bool) -> None:
        """Incomplete: a snapshot follows, of all shards if a resume is answered, else of the shard with the gap."""
        is_answer, self._is_resuming = self._is_resuming, False
        if complete:
            return
        if is_answer:
            self._positions.clear()
        self._is_catching_up = True
        self._is_settled = False
        self._is_after_gap = True
        self._tell(Status("gap", "lost"))

    def _connected(self, is_connected: bool, is_lost: bool) -> None:
        if is_lost:
            # A new connection says anew whether the feed behind the node is cut off.
            self._is_cut_off = False
            self._unanswered_registers = 0
        self._was_connected |= is_connected
        self._is_connected = is_connected
        self._restate()
        self._say_update()

    def _restate(self) -> None:
        if self._is_cut_off:
            now = Status("stale", "feed")
        elif self._was_connected and not self._is_connected:
            now = Status("stale", "connection")
        elif self._is_catching_up:
            now = Status("joining")
        else:
            now = Status("live")
        if now != self._status:
            self._tell(now)

    def _tell(self, status: Status) -> None:
        if self._status.state != "closed":
            self._status = status
            if self._on_status:
                self._on_status(status)
