"""Watches a Galop feed from asyncio, and publishes to it. See docs/clients.md of Galop."""

from galop._feed import Feed, connect
from galop._publish import Publisher, Rejected
from galop._subscription import Subscription
from galop._types import (
    Caps,
    Connection,
    FeedError,
    HistoryPage,
    LowerCap,
    Policy,
    Position,
    Record,
    Row,
    RowPage,
    Status,
    TokenSource,
    TopicAge,
)

__all__ = [
    "Caps",
    "Connection",
    "Feed",
    "FeedError",
    "HistoryPage",
    "LowerCap",
    "Policy",
    "Position",
    "Publisher",
    "Record",
    "Rejected",
    "Row",
    "RowPage",
    "Status",
    "Subscription",
    "TokenSource",
    "TopicAge",
    "connect",
]
