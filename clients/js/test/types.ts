// Checked by the compiler, never run: what programs may rely on, and what it has to refuse.
import {connect, type DataOf, type FeedRecord, type Matches} from "galop-client";

interface Odds {
  odds: number;
}
interface Reading {
  celsius: number;
}
interface Topics {
  "race/+/runner/+": Odds;
  "sensor/#": Reading;
}

type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;
const is = <T extends true>(): T | undefined => undefined;

is<Matches<"race/1/runner/2", "race/+/runner/+">>();
is<Matches<"race", "race/#">>();
is<Same<Matches<"race/1", "race/+/runner/+">, false>>();
is<Same<Matches<"race/1/2", "race/+">, false>>();
is<Same<DataOf<Topics, "race/7/runner/9">, Odds>>();
// @ts-expect-error a runner has no temperature
is<Same<DataOf<Topics, "race/7/runner/9">, Reading>>();

export async function typed(): Promise<void> {
  const feed = connect<Topics>("https://feed.example.com/live", {token: async () => "eyJ"});
  for await (const record of feed.subscribe("race/+/runner/+", {snapshot: true})) {
    is<Same<typeof record, FeedRecord<Odds>>>();
    record.data.odds.toFixed(2);
    // @ts-expect-error odds only
    record.data.celsius;
  }
  for await (const record of feed.subscribe("sensor/boiler")) {
    record.data.celsius.toFixed(1);
  }
  for await (const record of feed.subscribe("other/topic")) {
    // @ts-expect-error nothing is known of it
    record.data.celsius;
  }
  for await (const record of feed.subscribe<Odds>("other/#", {queue: {max: 10, policy: "latest"}})) {
    record.data.odds.toFixed(2);
  }
  // @ts-expect-error no such policy
  feed.subscribe("a", {queue: {policy: "whatever"}});
}

export async function past(): Promise<void> {
  const feed = connect<Topics>("https://feed.example.com/live");
  for await (const {records, next} of feed.history("sensor/boiler", {from: new Date(0), limit: 10})) {
    records[0]?.data.celsius.toFixed(1);
    next.length;
  }
  for await (const {rows} of feed.rows("sensor/#", {every: "1m", fields: ["celsius"], agg: ["min"]})) {
    rows[0]?.data.celsius?.min?.toFixed(1);
  }
  for await (const {rows} of feed.rows("sensor/#", {points: 500, fields: ["celsius"]})) {
    rows[0]?.data.celsius?.toFixed(1);
  }
  // @ts-expect-error points have no pages
  feed.rows("sensor/#", {points: 500, fields: ["celsius"], after: "1:"});
  // @ts-expect-error rows of what?
  feed.rows("sensor/#", {every: "1m"});
  const subscription = feed.subscribe("sensor/#", {where: "data.celsius > 20", onCapped: ({maxRate = 0}) => maxRate + 1});
  await subscription.update({maxRate: 2, where: null});
  // @ts-expect-error no such aggregate
  feed.rows("sensor/#", {every: "1m", fields: ["celsius"], agg: ["median"]});
}

export async function untyped(): Promise<void> {
  const feed = connect("https://feed.example.com/live");
  for await (const {data, topic} of feed.subscribe<Odds>("race/#", {snapshot: true})) {
    topic.toUpperCase();
    data.odds.toFixed(2);
  }
}
