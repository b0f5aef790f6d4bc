"""A viewer as the conformance test runs it, on the package as it is installed: see docs/clients.md."""

import argparse
import asyncio
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import galop


def say(event: str, **more: Any) -> None:
    print(json.dumps({"event": event, **more}), flush=True)


def span(row: galop.Row) -> str:
    return f"{row.topic} {row.data['n']['min']} {row.data['n']['max']}"


def text(parts: Iterable[object], incomplete: str) -> str:
    return ",".join(map(str, parts)) + (f" without {incomplete}" if incomplete else "")


async def ask_past(feed: galop.Feed, filter: str) -> None:
    records = [text((each.id for each in page.records), page.incomplete) async for page in feed.history(filter, limit=3)]
    by_day = feed.rows(filter, fields=["n"], agg=["min", "max"], every="1d", limit=2)
    rows = [text(map(span, page.rows), page.incomplete) async for page in by_day]
    plot = feed.rows(filter, fields=["n"], points=3)
    points = [text((each.data["n"] for each in page.rows), page.incomplete) async for page in plot]
    try:
        await anext(feed.history(filter, limit=0))
    except galop.FeedError as failure:
        refusal = f"{failure.reason} {failure.code} {failure.message}"
        say("past", records=";".join(records), rows=";".join(rows), points=";".join(points), refusal=refusal)


async def update(subscription: galop.Subscription, where: str, max_rate: float | None = None) -> None:
    try:
        await subscription.update(where=where, max_rate=max_rate)
        say("updated", reason="")
    except galop.FeedError as failure:
        say("updated", reason=failure.reason)


def say_capped(caps: galop.Caps) -> None:
    rates = ",".join(f"{each.topics} {each.max_rate}" for each in caps.lower)
    say("capped", caps=f"{caps.max_rate or '-'} {caps.max_bytes_per_second or '-'} {rates}")


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("filter")
    parser.add_argument("--token-file", type=Path)
    parser.add_argument("--max-queue", type=int, default=10_000)
    parser.add_argument("--policy", default="end")
    args = parser.parse_args()
    may_go = asyncio.Event()
    may_go.set()

    async def read_words(feed: galop.Feed, subscription: galop.Subscription) -> None:
        while word := (await asyncio.to_thread(sys.stdin.readline)).strip():
            if word == "hold":
                may_go.clear()
                say("held")
            elif word == "go":
                may_go.set()
            elif word == "past":
                await ask_past(feed, args.filter)
            elif word == "narrow":
                await update(subscription, "data.n >= 100", 1_000)
            elif word == "wrong":
                await update(subscription, "data.")
            elif word == "end":
                await feed.close()

    def token() -> str:
        file: Path = args.token_file
        return file.read_text().strip()

    async with galop.connect(
        args.url,
        token=token if args.token_file else None,
        on_connection=lambda now: say("connection", state=now.state, code=now.code, reason=now.reason),
        on_token=lambda reason, _: say("token", reason=reason),
    ) as feed:
        subscription = feed.subscribe(
            args.filter,
            snapshot=True,
            max_queue=args.max_queue,
            policy=args.policy,
            on_status=lambda status: say("status", state=status.state, reason=status.reason),
            on_topic=lambda age: say("topic", topic=age.topic, stale=age.stale),
            on_capped=say_capped,
        )
        words = asyncio.create_task(read_words(feed, subscription))
        try:
            async for record in subscription:
                say(
                    "record",
                    topic=record.topic,
                    id=record.id,
                    position=str(record.position),
                    catchingUp=record.catching_up,
                    afterGap=record.after_gap,
                )
                await may_go.wait()
            say("end", reason="")
        except galop.FeedError as failure:
            say("end", reason=failure.reason)
        await words


asyncio.run(main())
