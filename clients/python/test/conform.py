"""A viewer as the conformance test runs it, on the package as it is installed: see docs/clients.md."""

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import galop


def say(event: str, **more: Any) -> None:
    print(json.dumps({"event": event, **more}), flush=True)


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

    async def read_words(feed: galop.Feed) -> None:
        while word := (await asyncio.to_thread(sys.stdin.readline)).strip():
            if word == "hold":
                may_go.clear()
                say("held")
            elif word == "go":
                may_go.set()
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
        words = asyncio.create_task(read_words(feed))
        subscription = feed.subscribe(
            args.filter,
            snapshot=True,
            max_queue=args.max_queue,
            policy=args.policy,
            on_status=lambda status: say("status", state=status.state, reason=status.reason),
            on_topic=lambda age: say("topic", topic=age.topic, stale=age.stale),
        )
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
