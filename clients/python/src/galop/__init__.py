"""Watches a Galop feed from asyncio, and publishes to it. See docs/clients.md of Galop."""

from galop._feed import Feed, connect
from galop._publish import Publisher, Rejected
from galop._subscription import Subscription
from galop._types import Connection, FeedError, Policy, Position, Record, Status, TokenSource, TopicAge

__all__ = [
    "Connection",
    "Feed",
    "FeedError",
    "Policy",
    "Position",
    "Publisher",
    "Record",
    "Rejected",
    "Status",
    "Subscription",
    "TokenSource",
    "TopicAge",
    "connect",
]
