"""A connection to a feed that comes back by itself, with the Positions that it has."""

from __future__ import annotations

import asyncio
import json
import random
import ssl
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any
from urllib.parse import quote

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from galop._deltas import Deltas, Lost
from galop._history import Past, TimeOf
from galop._owed import Owed
from galop._renewal import Renewal
from galop._subscription import Message, Subscription
from galop._types import Caps, Connection, FeedError, HistoryPage, Policy, RowPage, Status, TokenSource, TopicAge

_PING_S = 1.5
_SILENT_S = 2.5
_DEAD_S = 9.0
_WATCH_S = 0.25
_FIRST_DELAY_S = 0.3
_MAX_DELAY_S = 10.0
_OPEN_S = 10.0
_MAX_MESSAGE_BYTES = 64 * 1024 * 1024
#: From here on coming back would be refused again; those above it are about tokens.
_FINAL_CODE = 3500


class _End(Exception):
    """Why a connection ended, and whether another try makes sense."""

    def __init__(self, code: int, reason: str, message: str, final: bool = False, retry_s: float = 0.0) -> None:
        super().__init__(message)
        self.connection = Connection("waiting", code, reason, message, retry_s)
        self.final = final


def connect(
    url: str,
    *,
    token: TokenSource | None = None,
    on_connection: Callable[[Connection], None] | None = None,
    on_token: Callable[[str, str], None] | None = None,
    ssl_context: ssl.SSLContext | None = None,
) -> Feed:
    """Watches a node's feed, such as ``https://feed.example.com/live``, inside ``async with``.

    ``on_token(reason, message)``: the node has taken a renewed token (empty reason), or refused it and says why.
    Callbacks run on the event loop and must not block it.
    """
    return Feed(url, token, on_connection, on_token, ssl_context)


class Feed:
    """See `connect`."""

    def __init__(
        self,
        url: str,
        token: TokenSource | None,
        on_connection: Callable[[Connection], None] | None,
        on_token: Callable[[str, str], None] | None,
        ssl_context: ssl.SSLContext | None,
    ) -> None:
        if not url.startswith(("http://", "https://", "ws://", "wss://")):
            raise ValueError(f"url must begin with http://, https://, ws:// or wss://, not {url!r}")
        self._url = url.rstrip("/").replace("http", "ws", 1) if url.startswith("http") else url.rstrip("/")
        self._tokens = Renewal(token, lambda message: self._say(message), on_token)
        self._past = Past(self._url, self._ask_token, ssl_context)
        self._on_connection = on_connection
        self._ssl = ssl_context
        self._subscriptions: dict[str, Subscription] = {}
        self._owed = Owed()
        self._connection = Connection("connecting")
        self._task: asyncio.Task[None] | None = None
        self._socket: ClientConnection | None = None
        self._outgoing: asyncio.Queue[Message] = asyncio.Queue()
        self._heard = self._pinged = 0.0
        self._attempt = 0
        self._deltas = Deltas()

    @property
    def connection(self) -> Connection:
        return self._connection

    async def __aenter__(self) -> Feed:
        self._task = asyncio.create_task(self._run(), name=f"galop {self._url}")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def subscribe(
        self,
        filter: str,
        *,
        snapshot: bool = False,
        mode: str | None = None,
        max_rate: float | None = None,
        max_bytes_per_second: int | None = None,
        deltas: bool = True,
        max_queue: int = 10_000,
        policy: Policy = "end",
        on_status: Callable[[Status], None] | None = None,
        on_topic: Callable[[TopicAge], None] | None = None,
        on_capped: Callable[[Caps], None] | None = None,
        where: str | None = None,
        fields: Sequence[str] | None = None,
    ) -> Subscription:
        """Watches a filter; each filter can be subscribed once at a time.

        With ``mode="latest"``, ``max_rate`` (per second and topic) or ``max_bytes_per_second`` (of all
        that have one together) the node sends only the newest of each topic.
        Only records are sent of which ``where`` is true, an expression in CEL, and of their data only ``fields``.
        Unless ``deltas`` is false it sends of a record what is different to the last of its topic, where it can.
        """
        if filter in self._subscriptions:
            raise FeedError("already_subscribed", f"{filter!r} is subscribed already")
        if self._connection.state == "closed":
            raise FeedError("closed", "the feed is closed")
        wishes = {
            "words": True,
            "snapshot": snapshot or None,
            "mode": mode,
            "maxRate": max_rate,
            "maxBytesPerSecond": max_bytes_per_second,
            "where": where,
            "fields": ",".join(fields) if fields else None,
            "deltas": deltas,
        }
        headers = {name: value for name, value in wishes.items() if value is not None}
        subscription = Subscription(filter, headers, max_queue, policy, on_status, on_topic, on_capped, self._unregister, self._say)
        self._subscriptions[filter] = subscription
        if self._socket:
            self._say(subscription._register())
            subscription._connected(self._connection.state == "live", False)
        return subscription

    def history(
        self,
        filter: str,
        *,
        start: TimeOf = None,
        end: TimeOf = None,
        limit: int | None = None,
        newest_first: bool = False,
        after: str = "",
    ) -> AsyncIterator[HistoryPage]:
        """Asks the node about the past of a filter: ``async for page in feed.history("race/#", limit=500)``.

        Records are of event times from ``start`` to ``end``, both included; a number is in microseconds since 1970.
        The next page of ``limit`` records (as many as the node gives by itself, 1,000, if absent) is asked for when
        the loop wants one. ``after`` begins behind a page: it is its ``next``. Raises FeedError with the node's words.
        """
        order = "desc" if newest_first else None
        query = {"from": start, "to": end, "limit": limit, "order": order, "after": after or None}
        return self._past.records(filter, query)

    def rows(
        self,
        filter: str,
        *,
        fields: Sequence[str],
        every: str | None = None,
        points: int | None = None,
        agg: Sequence[str] | None = None,
        start: TimeOf = None,
        end: TimeOf = None,
        limit: int | None = None,
        after: str = "",
    ) -> AsyncIterator[RowPage]:
        """The same folded: a row for each topic and stretch of time, or so many points of each topic for a plot.

        ``every`` is how long a stretch is, such as ``1m``: from ``1s`` to ``1d``. ``fields`` are up to 8 paths of
        numbers of the data, ``agg`` what a row has of each: some of min, max, avg, last and count, all if absent.
        ``points`` instead of ``every`` asks for so many values of each topic that look like all of them on a plot; these
        are one page.
        """
        if (every is None) == (points is None):
            raise ValueError("one of every and points is needed: how long is a row, or how many points are there?")
        if points is not None and after:
            raise ValueError("after is for every: points are one page")
        query: dict[str, Any] = {"every": every, "points": points, "fields": ",".join(fields)}
        query |= {"agg": ",".join(agg) if agg else None, "from": start, "to": end}
        query |= {"limit": limit, "after": after or None}
        return self._past.rows(filter, query)

    async def close(self) -> None:
        """Ends the connection and all subscriptions."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._connection.state != "closed":
            self._enter(Connection("closed"))
        self._end_all(None)

    def _unregister(self, subscription: Subscription) -> None:
        if self._subscriptions.get(subscription.filter) is subscription:
            del self._subscriptions[subscription.filter]
            self._deltas.forget(subscription.filter)
            if self._socket:
                self._owed.add(subscription.filter, subscription._count_unanswered())
            self._say({"type": "unregister", "address": subscription.filter})

    def _end_all(self, failure: FeedError | None) -> None:
        for each in list(self._subscriptions.values()):
            each._end(failure)
        self._subscriptions.clear()

    def _enter(self, now: Connection) -> None:
        self._connection = now
        is_lost = now.state in ("waiting", "connecting")
        if now.state != "closed":
            for each in list(self._subscriptions.values()):
                each._connected(now.state == "live", is_lost)
        if self._on_connection:
            self._on_connection(now)

    def _say(self, message: Message) -> None:
        if self._socket:
            self._outgoing.put_nowait(message)

    async def _run(self) -> None:
        while True:
            last = self._connection
            self._enter(Connection("connecting", last.code, last.reason, last.message))
            try:
                await self._once()
                end = _End(0, "", "the connection ended")
            except _End as why:
                end = why
            except Exception as fault:  # of a callback, or a message that is none: never a silent end
                end = _End(0, "fault", f"{type(fault).__name__}: {fault}", final=True)
            finally:
                self._socket = None
            now = end.connection
            if end.final:
                self._enter(Connection("closed", now.code, now.reason, now.message))
                self._end_all(FeedError(now.reason or "closed", now.message, now.code))
                return
            delay = min(_MAX_DELAY_S, _FIRST_DELAY_S * 2 ** min(self._attempt, 10)) * random.uniform(0.5, 1.5)
            self._attempt += 1
            delay = now.retry_s or delay
            self._enter(Connection("waiting", now.code, now.reason, now.message, delay))
            await asyncio.sleep(delay)

    async def _once(self) -> None:
        token = await self._ask_token()
        query = f"?token={quote(token, safe='')}" if token else ""
        try:
            self._socket = await open_socket(
                f"{self._url}/websocket{query}",
                ssl=self._ssl,
                open_timeout=_OPEN_S,
                close_timeout=1,
                ping_interval=None,
                max_size=_MAX_MESSAGE_BYTES,
            )
        except InvalidStatus as refused:
            raise self._refusal(refused) from refused
        except (OSError, WebSocketException, TimeoutError) as failure:
            raise _End(0, "", str(failure) or type(failure).__name__) from failure
        await self._converse(self._socket, token)

    async def _converse(self, socket: ClientConnection, token: str) -> None:
        self._outgoing = asyncio.Queue()
        self._heard, self._pinged = time.monotonic(), 0.0
        self._deltas = Deltas()
        self._owed.clear()
        for each in self._subscriptions.values():
            self._say(each._register())
        self._enter(Connection("live"))
        parts = [self._read(socket), self._write(socket), self._watch(), self._tokens.renew(token)]
        tasks = [asyncio.create_task(part) for part in parts]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await socket.close()

    async def _read(self, socket: ClientConnection) -> None:
        farewell: Message = {}
        try:
            async for text in socket:
                try:
                    message: Message = json.loads(self._deltas.read(str(text)))
                except Lost as lost:
                    if lost.address in self._subscriptions:  # what is still on its way must not move a Position
                        raise _End(0, "delta", "a delta could not be read") from lost
                    continue
                if message.get("failureType") == "disconnect":
                    farewell = message
                self._on_message(message)
            end: ConnectionClosed | None = None
        except ConnectionClosed as closed:
            end = closed
        code = farewell.get("failureCode", end.rcvd.code if end and end.rcvd else 0)
        renewable = code > _FINAL_CODE and self._tokens.is_renewable
        raise _End(
            code,
            farewell.get("body", ""),
            farewell.get("message", str(end or "the node ended the connection")),
            final="failureCode" in farewell and code >= _FINAL_CODE and not renewable,
            retry_s=farewell.get("retryAfterMs", 0) / 1000,
        )

    async def _write(self, socket: ClientConnection) -> None:
        try:
            while True:
                await socket.send(json.dumps(await self._outgoing.get()))
        except ConnectionClosed:
            await asyncio.Event().wait()  # the reader knows why

    async def _watch(self) -> None:
        """Notices a node that is connected and says nothing."""
        while True:
            await asyncio.sleep(_WATCH_S)
            now = time.monotonic()
            waited = now - self._pinged if self._pinged else 0.0
            if waited > _DEAD_S:
                raise _End(0, "", "no answer")
            if waited > _SILENT_S and self._connection.state == "live":
                self._enter(Connection("silent"))
            elif not self._pinged and now - self._heard >= _PING_S:
                self._pinged = now
                self._say({"type": "ping"})

    def _on_message(self, message: Message) -> None:
        self._heard, self._pinged, self._attempt = time.monotonic(), 0.0, 0
        if self._connection.state == "silent":
            self._enter(Connection("live"))
        kind = message.get("type")
        subscription = self._subscriptions.get(message.get("address", ""))
        if kind == "err":
            self._on_refusal(message, subscription)
        elif kind == "token":
            self._tokens.answered("", "")
        elif subscription and kind == "rec":
            subscription._on_record(message)
        elif subscription and kind in ("resumed", "live", "stale", "fresh", "capped", "updated"):
            if kind == "live":
                self._owed.forget(subscription.filter)
            subscription._on_word(message)

    def _on_refusal(self, message: Message, subscription: Subscription | None) -> None:
        reason, text = str(message.get("body")), str(message.get("message", ""))
        if message.get("failureType") == "disconnect":
            return
        if reason == "address_already_registered":  # one was asked for twice
            return
        if subscription and subscription._is_update_refused(reason, text):
            return
        if self._owed.take(message.get("address", "")):
            if subscription:  # it may be this one's: if not, the node says to this that it is registered
                self._say(subscription._register())
        elif subscription:
            self._unregister(subscription)
            self._owed.take(subscription.filter)  # this answer
            subscription._end(FeedError(reason, text))
        elif self._tokens.is_answer(reason):
            self._tokens.answered(reason, text)

    async def _ask_token(self) -> str:
        try:
            return await self._tokens.ask()
        except Exception as failure:
            raise _End(0, "", f"no token: {failure}") from failure

    def _refusal(self, refused: InvalidStatus) -> _End:
        answer = refused.response
        said: Any = {}
        try:
            said = json.loads(answer.body or b"{}")
        except ValueError:
            pass
        status = answer.status_code
        after = answer.headers.get("Retry-After", "")
        return _End(
            status,
            said.get("reason", ""),
            said.get("error", f"the node answers {status}"),
            final=status == 403 or (status == 401 and not self._tokens.is_renewable),
            retry_s=float(after) * random.uniform(0.75, 1.25) if after.isdigit() else 0.0,
        )
