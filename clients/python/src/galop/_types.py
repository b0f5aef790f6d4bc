"""What programs see of a feed."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

#: A token, or what gives one: asked for each connection, and before the one in use expires.
TokenSource = str | Callable[[], str] | Callable[[], Awaitable[str]]

#: What becomes of records that the program does not take in time.
#: "end": the subscription ends with the reason ``slow_consumer``. "drop-oldest": the oldest go, and a gap is told.
#: "latest": the newest of each topic stays; of more topics than the queue holds the oldest go, and a gap is told.
Policy = Literal["end", "drop-oldest", "latest"]

_POSITION = re.compile(r"(\d+)\.(\d+)-(\d+)", re.ASCII)


class Position(NamedTuple):
    """A place in the feed. Positions of one shard have an order, those of different shards have none."""

    shard: int
    epoch: int
    offset: int

    @classmethod
    def parse(cls, text: str) -> Position | None:
        """Reads ``<shard>.<epoch>-<offset>``; None for any other text."""
        found = _POSITION.fullmatch(text)
        return cls(*map(int, found.groups())) if found else None

    def __str__(self) -> str:
        return f"{self.shard}.{self.epoch}-{self.offset}"


@dataclass(frozen=True, slots=True)
class Record:
    """One record as it arrives."""

    topic: str
    #: The fact: of a topic, an id is given once for ever.
    id: str
    #: Event time, microseconds since 1970 UTC.
    time: int
    data: Any
    #: Its place in the feed.
    position: Position | None
    #: How old it was when it was sent, in milliseconds; only in snapshots and what was fetched.
    age_ms: int | None = None
    #: Its topic was silent for too long when it was sent.
    stale: bool = False
    #: Part of a snapshot, or of what was missed; live records follow.
    catching_up: bool = False
    #: Records were missed between the one before and this one.
    after_gap: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """How far a subscription's records can be believed.

    "joining": a snapshot, or what was missed, is on its way. "live": what is shown is what is so. "stale": values may
    be old, by reason "connection" or "feed". "gap": records were missed, by reason "lost" (a snapshot follows),
    "slow_consumer" (the queue was full) or "partial" (a snapshot may lack topics that have not changed for long).
    "closed": it is over.
    """

    state: Literal["joining", "live", "stale", "gap", "closed"]
    reason: str = ""
    message: str = ""
    #: The number of a disconnect or of an HTTP status, or 0.
    code: int = 0


@dataclass(frozen=True, slots=True)
class Connection:
    """The connection, with the last disconnect's code and reason.

    "silent" is connected, but nothing is heard; "waiting" comes back by itself after ``retry_s`` seconds.
    """

    state: Literal["connecting", "live", "silent", "waiting", "closed"]
    code: int = 0
    reason: str = ""
    message: str = ""
    retry_s: float = 0.0


@dataclass(frozen=True, slots=True)
class TopicAge:
    """One topic of a filter was silent for too long, or is back."""

    topic: str
    stale: bool


@dataclass(frozen=True, slots=True)
class LowerCap:
    """Topics of a subscription whose rate is lower than that of the others."""

    topics: str
    max_rate: float


@dataclass(frozen=True, slots=True)
class Caps:
    """What operators' caps leave of a subscription. None is not limited; all of them: no cap concerns it."""

    #: Most records per second of each topic.
    max_rate: float | None = None
    #: Most bytes of records per second.
    max_bytes_per_second: int | None = None
    #: The lowest that matches a topic holds.
    lower: tuple[LowerCap, ...] = ()
    #: How many are not listed in ``lower``.
    more: int = 0

    @classmethod
    def _of(cls, body: dict[str, Any]) -> Caps:
        lower = tuple(LowerCap(each["topics"], each["maxRate"]) for each in body.get("lower", ()))
        return cls(body.get("maxRate"), body.get("maxBytesPerSecond"), lower, body.get("more", 0))


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Records of the past."""

    records: tuple[Record, ...]
    #: What did not answer: nodes, and stores as ``node/store``; empty if this is all there is.
    incomplete: str
    #: The ``after`` of the next page; empty if there is none.
    next: str


@dataclass(frozen=True, slots=True)
class Row:
    """The records of one topic and stretch of time, or one point."""

    topic: str
    #: When its stretch begins, or the time of a point: microseconds since 1970 UTC.
    time: int
    #: The aggregates of each field, as ``{"celsius": {"min": 19.5}}``; of a point its values, ``{"celsius": 20.5}``.
    data: dict[str, Any]
    #: The limits of the question, or the present, cut its stretch.
    part: bool = False


@dataclass(frozen=True, slots=True)
class RowPage:
    """An answer about the past, folded."""

    rows: tuple[Row, ...]
    #: As of `HistoryPage`; with ``persist.history.maxFolded`` it ends where the node had read as much as it may.
    incomplete: str
    next: str
    #: Of so many values only the extremes of equal parts were considered; for points.
    reduced: bool = False


class FeedError(Exception):
    """A subscription has ended otherwise than by the program's own wish.

    ``reason`` is a stable word such as ``slow_consumer`` or ``token_expired``, ``code`` the number of a disconnect or
    of an HTTP status, or 0.
    """

    def __init__(self, reason: str, message: str, code: int = 0) -> None:
        super().__init__(f"{message} ({reason})")
        self.reason = reason
        self.message = message
        self.code = code
