"""Publishes records over the http door."""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import ssl
import uuid
from typing import Any
from urllib.parse import urlsplit

_FIRST_DELAY_S = 0.2
_MAX_DELAY_S = 10.0
#: Reasons after which the same record may be taken later.
_TRANSIENT = ("over_quota", "unavailable")


class Rejected(Exception):
    """The node refused a record for good. ``reason`` is a stable word, ``detail`` says what to do."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{detail} ({reason})")
        self.reason = reason
        self.detail = detail


class Publisher:
    """Publishes to one node, such as ``http://127.0.0.1:8080``.

    A record is acknowledged when ``publish`` returns: it is on the node's disk. Until then it is sent again under the
    same id, which Galop stores once. One Publisher sends one record after the other, in the order of the calls.
    """

    def __init__(
        self, url: str, *, token: str = "", timeout_s: float = 30.0, ssl_context: ssl.SSLContext | None = None
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"url must be http://host:port or https://host:port, not {url!r}")
        self._parts = parts
        self._token = token
        self._timeout_s = timeout_s
        self._ssl = ssl_context
        self._order = asyncio.Lock()
        self._connection: http.client.HTTPConnection | None = None

    async def __aenter__(self) -> Publisher:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._connection:
            self._connection.close()

    async def publish(
        self, topic: str, data: dict[str, Any], *, id: str | None = None, time: int | None = None
    ) -> str:
        """Publishes one record and returns its id. ``time`` is the event time in microseconds since 1970 UTC.

        Raises Rejected if the node refuses it for good. Keeps trying while the node is away or cannot take it; put it
        into ``asyncio.timeout`` to give up, and give the id to be able to go on later.
        """
        record: dict[str, Any] = {"topic": topic, "data": data, "id": id or uuid.uuid4().hex}
        if time is not None:
            record["time"] = time
        line = json.dumps(record).encode()
        async with self._order:
            delay = _FIRST_DELAY_S
            while (wait := await asyncio.to_thread(self._attempt, line)) is not None:
                await asyncio.sleep(max(wait, delay * random.uniform(0.5, 1.5)))
                delay = min(_MAX_DELAY_S, delay * 2)
        return str(record["id"])

    def _attempt(self, line: bytes) -> float | None:
        """None if it is acknowledged, else after how many seconds at least to try again."""
        headers = {"Content-Type": "application/x-ndjson"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        connection = self._connection or self._open()
        self._connection = None
        try:
            connection.request("POST", "/publish", line, headers)
            answer = connection.getresponse()
            said = answer.read()
        except (OSError, http.client.HTTPException):
            connection.close()
            return 0.0
        self._connection = connection
        return _verdict(answer.status, answer.headers.get("Retry-After", ""), said)

    def _open(self) -> http.client.HTTPConnection:
        host, port = str(self._parts.hostname), self._parts.port
        if self._parts.scheme == "https":
            return http.client.HTTPSConnection(host, port, timeout=self._timeout_s, context=self._ssl)
        return http.client.HTTPConnection(host, port, timeout=self._timeout_s)


def _verdict(status: int, retry_after: str, said: bytes) -> float | None:
    try:
        answer: dict[str, Any] = json.loads(said)
    except ValueError:
        answer = {}
    rejected: list[dict[str, Any]] = answer.get("rejected") or []
    if status == 202 and not rejected:
        return None
    reason = rejected[0].get("reason", "") if rejected else ""
    if reason in _TRANSIENT or (not reason and (status in (408, 429) or status >= 500)):
        return float(retry_after) if retry_after.isdigit() else 0.0
    detail = rejected[0].get("detail", "") if rejected else answer.get("error", f"the node answers {status}")
    raise Rejected(reason or str(status), detail)
