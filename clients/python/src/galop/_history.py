"""Questions about the past, over HTTP, to the node that the feed is of."""

from __future__ import annotations

import asyncio
import http.client
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, unquote_plus, urlencode, urlsplit

from galop._types import FeedError, HistoryPage, Position, Record, Row, RowPage

#: A time with its zone, a text such as ``2026-11-20T12:00:00Z``, or microseconds since 1970 UTC.
TimeOf = datetime | str | int | None

Query = Mapping[str, Any]
Answer = tuple[http.client.HTTPMessage, list[dict[str, Any]]]

_ANSWER_S = 60.0


class Past:
    """Asks beside a feed, each time with a token of now."""

    def __init__(self, url: str, ask_token: Callable[[], Awaitable[str]], ssl_context: ssl.SSLContext | None) -> None:
        self._parts = urlsplit(url.rsplit("/", 1)[0])
        self._ask_token = ask_token
        self._ssl = ssl_context

    async def records(self, filter: str, query: Query) -> AsyncIterator[HistoryPage]:
        """Pages until one has fewer than the limit; without a limit, until one has none."""
        is_first = True
        after = query["after"]
        while is_first or after:
            headers, lines = await self._ask(filter, {**query, "after": after})
            records = tuple(map(_record, lines))
            last = records[-1] if records else None
            is_full = last and len(records) >= (query["limit"] or 1)
            after = f"{last.time}:{last.id}\t{last.topic}" if last and is_full else ""
            page = HistoryPage(records, headers.get("X-Galop-Incomplete", ""), after)
            if is_first or records or page.incomplete:
                yield page
            is_first = False

    async def rows(self, filter: str, query: Query) -> AsyncIterator[RowPage]:
        """Pages as long as the node names a next one; of points there is one."""
        is_first = True
        after = query["after"]
        while is_first or after:
            headers, lines = await self._ask(filter, {**query, "after": after})
            rows = tuple(Row(each["topic"], each["time"], each["data"], each.get("part") is True) for each in lines)
            after = unquote_plus(headers.get("X-Galop-Next", "")) if query["points"] is None else ""
            reduced = headers.get("X-Galop-Reduced") == "true"
            yield RowPage(rows, headers.get("X-Galop-Incomplete", ""), after, reduced)
            is_first = False

    async def _ask(self, filter: str, query: Query) -> Answer:
        try:
            token = await self._ask_token()
        except Exception as failure:  # it says that there is none, and why
            raise FeedError("unavailable", str(failure)) from failure
        asked = urlencode({name: _text(value) for name, value in query.items() if value is not None})
        path = f"{self._parts.path}/history/{quote(filter)}" + (f"?{asked}" if asked else "")
        return await asyncio.to_thread(self._answer, path, token)

    def _answer(self, path: str, token: str) -> Answer:
        headers = {"Accept": "application/x-ndjson"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        connection = self._open()
        try:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            said = answer.read()
        except (OSError, http.client.HTTPException) as failure:
            raise FeedError("unavailable", str(failure) or type(failure).__name__) from failure
        finally:
            connection.close()
        if answer.status != 200:
            raise _refused(answer.status, said)
        return answer.headers, _lines(said)

    def _open(self) -> http.client.HTTPConnection:
        is_secure = self._parts.scheme == "wss"
        host, port = str(self._parts.hostname), self._parts.port
        port = port or (443 if is_secure else 80)  # without one the end of an IPv6 address is taken for it
        if is_secure:
            return http.client.HTTPSConnection(host, port, timeout=_ANSWER_S, context=self._ssl)
        return http.client.HTTPConnection(host, port, timeout=_ANSWER_S)


def _text(value: Any) -> str:
    if not isinstance(value, datetime):
        return str(value)
    if value.tzinfo is None:
        raise ValueError(f"a time needs its zone, such as datetime.now(UTC): {value!r}")
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _record(line: dict[str, Any]) -> Record:
    return Record(line["topic"], line["id"], line["time"], line["data"], Position.parse(line.get("pos", "")))


def _refused(status: int, said: bytes) -> FeedError:
    try:
        answer: dict[str, Any] = json.loads(said)
        return FeedError(answer.get("reason", f"status_{status}"), answer.get("error", ""), status)
    except (ValueError, AttributeError):
        return FeedError(f"status_{status}", f"the node answers {status}", status)  # of a balancer, not of a node


def _lines(said: bytes) -> list[dict[str, Any]]:
    try:
        lines = [json.loads(line) for line in said.splitlines() if line]
    except ValueError:
        lines = [None]
    if not all(isinstance(line, dict) and "topic" in line for line in lines):
        begin = said[:100].decode(errors="replace")
        raise FeedError("invalid_answer", f"the answer is no NDJSON of records, as a node's is: {begin}", 200)
    return lines
